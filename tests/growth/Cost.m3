UNSAFE MODULE Cost;

IMPORT Env, FS, File, Fmt, Process, RTSystem, RegularFile, Test;

CONST
  HeaderWords = 3;
  AllocatedBytes = 4;  (* see RTSystem.CollectorStatistic; grows by a page at a time *)
  PageWords = 1024;

TYPE
  Bytes = REF ARRAY OF File.Byte;
  WordRef = UNTRACED REF INTEGER;

VAR
  counts: RegularFile.T := NIL;  (* the counters of this process *)
  words: CARDINAL;               (* of header and counters *)
  before, after: Bytes;

PROCEDURE WordAt(bytes: Bytes; i: CARDINAL): INTEGER =
  BEGIN
    RETURN LOOPHOLE(ADR(bytes[8 * i]), WordRef)^;
  END WordAt;

PROCEDURE Open(t: Test.T) RAISES ANY =
  VAR path := Env.Get("TENURE_COVERAGE");
  BEGIN
    IF counts # NIL THEN RETURN END;
    t.require(path # NIL, "run these tests with --coverage");
    counts := FS.OpenFileReadonly(path & "." & Fmt.Int(Process.GetMyID()));
    words := HeaderWords;
    before := NEW(Bytes, 8 * words);
    Read(before);
    INC(words, WordAt(before, 1));
    before := NEW(Bytes, 8 * words);
    after := NEW(Bytes, 8 * words);
  END Open;

PROCEDURE Read(bytes: Bytes) RAISES ANY =
  BEGIN
    EVAL counts.seek(RegularFile.Origin.Beginning, 0);
    <*ASSERT counts.read(bytes^) = NUMBER(bytes^)*>
  END Read;

PROCEDURE Of(operation: Operation; n: CARDINAL): CARDINAL RAISES ANY =
  VAR cost := 0;
  BEGIN
    Read(before);
    DEC(cost, RTSystem.CollectorStatistic(AllocatedBytes) DIV BYTESIZE(INTEGER));
    operation(n);
    INC(cost, RTSystem.CollectorStatistic(AllocatedBytes) DIV BYTESIZE(INTEGER));
    Read(after);
    FOR i := HeaderWords TO words - 1 DO INC(cost, WordAt(after, i) - WordAt(before, i)) END;
    RETURN cost;
  END Of;

PROCEDURE Check(t: Test.T; what: TEXT; most: CARDINAL; operation: Operation;
                prepare: Operation := NIL; first: CARDINAL := 1000) RAISES ANY =
  VAR n := first;  cost, least: CARDINAL := 0;  line := Fmt.Pad(what, 44, align := Fmt.Align.Left);
  BEGIN
    Open(t);
    FOR i := 0 TO 3 DO
      IF prepare # NIL THEN prepare(n) END;
      cost := Of(operation, n);
      line := line & Fmt.Pad(Fmt.LongReal(FLOAT(cost, LONGREAL) / FLOAT(n, LONGREAL), Fmt.Style.Fix, 1), 10);
      IF i = 0 THEN least := MAX(cost, PageWords) END;
      n := 2 * n;
    END;
    t.log(line);
    t.check(cost <= 16 * least, what & ": the cost grows faster than the size");
    t.check(cost <= most * (n DIV 2), what & ": the cost of an element is above its bound");
  END Check;

BEGIN
END Cost.
