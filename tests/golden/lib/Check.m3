MODULE Check;

IMPORT Fmt, IO, RuntimeError, Text AS T;

VAR
  count, failed := 0;

PROCEDURE That(holds: BOOLEAN; what: TEXT) =
  BEGIN
    INC(count);
    IF NOT holds THEN
      INC(failed);
      IO.Put("FAILED: " & what & "\n");
    END;
  END That;

PROCEDURE Int(got, want: INTEGER; what: TEXT) =
  BEGIN
    That(got = want, Fmt.F("%s: got %s, want %s", what, Fmt.Int(got), Fmt.Int(want)));
  END Int;

PROCEDURE Text(got, want: TEXT; what: TEXT) =
  BEGIN
    IF got = NIL THEN
      That(FALSE, what & ": got NIL");
    ELSE
      That(T.Equal(got, want), Fmt.F("%s: got \"%s\", want \"%s\"", what, got, want));
    END;
  END Text;

PROCEDURE Fails(p: PROCEDURE () RAISES ANY; error: RuntimeError.T; what: TEXT) =
  BEGIN
    TRY
      p();
      That(FALSE, what & ": no error");
    EXCEPT
    | RuntimeError.E (e) =>
        That(e = error, Fmt.F("%s: got %s, want %s", what, RuntimeError.Tag(e),
                              RuntimeError.Tag(error)));
    ELSE That(FALSE, what & ": another exception");
    END;
  END Fails;

PROCEDURE Done() =
  BEGIN
    IF failed > 0 THEN
      IO.Put(Fmt.F("%s of %s checks failed\n", Fmt.Int(failed), Fmt.Int(count)));
    ELSIF count = 0 THEN
      IO.Put("nothing was checked\n");
    ELSE
      IO.Put("all checks hold\n");
    END;
  END Done;

BEGIN
END Check.
