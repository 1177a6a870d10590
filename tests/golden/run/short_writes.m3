(* golden: run, with lib/Check *)
(* A write that fails after a part of its bytes: a writer sends that part once. *)
MODULE Main;

IMPORT Check, FileRd, FileWr, OSError, Rd, Text, Thread, Uresource, Wr;

<*FATAL OSError.E, Rd.Failure, Wr.Failure, Thread.Alerted*>

(* Limits the length of files; the programs of this machine ignore the signal. *)
PROCEDURE Limit(bytes: INTEGER) =
  VAR limit: Uresource.struct_rlimit;
  BEGIN
    Check.Int(Uresource.getrlimit(Uresource.RLIMIT_FSIZE, limit), 0, "getrlimit");
    limit.rlim_cur := bytes;
    Check.Int(Uresource.setrlimit(Uresource.RLIMIT_FSIZE, limit), 0, "setrlimit");
  END Limit;

PROCEDURE Fails(wr: Wr.T; t: TEXT): BOOLEAN =
  BEGIN
    TRY
      Wr.PutText(wr, t);
      Wr.Flush(wr);
      RETURN FALSE;
    EXCEPT
    | Wr.Failure => RETURN TRUE;
    END;
  END Fails;

PROCEDURE TextOf(n: CARDINAL): TEXT =
  VAR chars := NEW(REF ARRAY OF CHAR, n);
  BEGIN
    FOR i := 0 TO n - 1 DO chars[i] := VAL(ORD('a') + i MOD 26, CHAR) END;
    RETURN Text.FromChars(chars^);
  END TextOf;

PROCEDURE Contents(): TEXT =
  VAR rd := FileRd.Open("data");  result := Rd.GetText(rd, LAST(CARDINAL));
  BEGIN
    Rd.Close(rd);
    RETURN result;
  END Contents;

VAR
  wr: Wr.T;

BEGIN
  (* Writing of the buffer continues where it stopped. *)
  wr := FileWr.Open("data");
  Limit(1000);
  Check.That(Fails(wr, TextOf(3000)), "a file that is too long");
  Check.Int(Wr.Index(wr), 3000, "what waits counts");
  Check.That(Fails(wr, "end"), "nothing more goes");
  Limit(2000);
  Check.That(Fails(wr, ""), "a part of it");
  Limit(Uresource.RLIM_INFINITY);
  Wr.Close(wr);
  Check.Text(Contents(), TextOf(3000) & "end", "each character once");

  (* A text that is longer than the buffer is written at once: a part of it remains. *)
  wr := FileWr.Open("data");
  Wr.PutText(wr, "begin");
  Limit(1005);
  Check.That(Fails(wr, TextOf(20000)), "a long text");
  Check.Int(Wr.Index(wr), 1005, "Index after its part");
  Limit(Uresource.RLIM_INFINITY);
  Wr.PutText(wr, "end");
  Wr.Close(wr);
  Check.Text(Contents(), "begin" & TextOf(1000) & "end", "what has been written");
  Check.Done();
END Main.
(* expect: all checks hold *)
