(* "FORMAT MODE PIECE": copies standard input to standard output through a reader that expands, or a
   writer that compresses, PIECE characters at a time. A failure is said on standard error, and is
   status 2. *)
MODULE StreamsWitness EXPORTS Main;

IMPORT Atom, IO, Params, Process, Rd, Scan, Stdio, Text, Wr, Zlib, Zstd;

<*FATAL ANY*>

VAR
  expands := Text.Equal(Params.Get(2), "expand");
  rd := Stdio.stdin;
  wr := Stdio.stdout;
  piece := NEW(REF ARRAY OF CHAR, Scan.Int(Params.Get(3)));
  n: CARDINAL;

PROCEDURE FormatOf(name: TEXT): Zlib.Format =
  BEGIN
    IF Text.Equal(name, "zlib") THEN RETURN Zlib.Format.Zlib END;
    IF Text.Equal(name, "gzip") THEN RETURN Zlib.Format.Gzip END;
    <*ASSERT Text.Equal(name, "raw")*>
    RETURN Zlib.Format.Raw;
  END FormatOf;

BEGIN
  WITH name = Params.Get(1) DO
    IF Text.Equal(name, "zstd") THEN
      IF expands THEN rd := Zstd.NewRd(rd) ELSE wr := Zstd.NewWr(wr) END;
    ELSIF expands THEN
      rd := Zlib.NewRd(rd, FormatOf(name));
    ELSE
      wr := Zlib.NewWr(wr, FormatOf(name));
    END;
  END;
  TRY
    REPEAT
      n := Rd.GetSub(rd, piece^);
      Wr.PutString(wr, SUBARRAY(piece^, 0, n));
      IF n MOD 7 = 0 THEN Wr.Flush(wr) END;
    UNTIL n = 0;
    IF NOT expands THEN Wr.Close(wr) END;
    Wr.Flush(Stdio.stdout);
  EXCEPT
  | Rd.Failure (causes) =>
    IO.Put(Atom.ToText(causes.head) & "\n", Stdio.stderr);
    Process.Exit(2);
  END;
END StreamsWitness.
