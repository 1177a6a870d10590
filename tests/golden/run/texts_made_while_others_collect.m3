(* golden: run, @M3paranoidgc, tenure-gc *)
(* A thread that makes short texts is stopped in the middle of making one (docs/collector.md,
   "Stopping"), again and again. *)
MODULE Main;

IMPORT Fmt, IO, RTCollector, Text, Thread;

VAR
  stop := FALSE;
  wrong := 0;

PROCEDURE Make(<*UNUSED*> self: Thread.Closure): REFANY =
  VAR
    i := 0;
    long, digits: TEXT;
  BEGIN
    WHILE NOT stop DO
      long := "a text that others are put behind";
      FOR j := 1 TO 40 DO
        digits := Fmt.Int(1000000000 + i + j);
        long := long & digits;
        IF Text.GetChar(long, Text.Length(long) - 10) # '1' THEN INC(wrong) END;
      END;
      IF Text.Length(long) # 433 THEN INC(wrong) END;
      i := (i + 1) MOD 4096;
    END;
    RETURN NIL;
  END Make;

VAR maker := Thread.Fork(NEW(Thread.Closure, apply := Make));
BEGIN
  FOR i := 1 TO 1000 DO RTCollector.Collect() END;
  stop := TRUE;
  EVAL Thread.Join(maker);
  IO.Put("wrong " & Fmt.Int(wrong) & "\n");
END Main.
(* expect: wrong 0 *)
