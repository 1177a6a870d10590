(* golden: run, -w, stress=2000 *)
(* A child of fork has one thread and a heap that works, while others allocate in the parent. *)
UNSAFE MODULE Main;
FROM Unix_ IMPORT fork, waitpid, exit_;
IMPORT IO, Thread, RTCollector, Fmt;
TYPE
  L = REF RECORD n: INTEGER; next: L END;
  C = Thread.Closure OBJECT OVERRIDES apply := Apply END;
VAR stop := FALSE;
PROCEDURE Make(n: INTEGER): L = VAR l: L := NIL; BEGIN FOR i := 1 TO n DO l := NEW(L, n := i, next := l) END; RETURN l END Make;
PROCEDURE Len(l: L): INTEGER = VAR n := 0; BEGIN WHILE l # NIL DO INC(n); l := l.next END; RETURN n END Len;
PROCEDURE Apply(<*UNUSED*> c: C): REFANY = BEGIN WHILE NOT stop DO <*ASSERT Len(Make(1000)) = 1000*> END; RETURN NIL END Apply;
PROCEDURE Once(<*UNUSED*> c: C): REFANY = BEGIN RETURN Make(10) END Once;
VAR t: ARRAY [1..3] OF Thread.T; pid, status := 0; l: L;
BEGIN
  FOR i := 1 TO 3 DO t[i] := Thread.Fork(NEW(C)) END;
  FOR i := 1 TO 20 DO
    l := Make(500);
    pid := fork();
    IF pid = 0 THEN
      FOR j := 1 TO 20 DO <*ASSERT Len(Make(5000)) = 5000*> RTCollector.Collect() END;
      EVAL Thread.Join(Thread.Fork(NEW(C, apply := Once)));
      IF Len(l) = 500 THEN exit_(7) ELSE exit_(8) END;
    END;
    EVAL waitpid(pid, status, 0);
    <*ASSERT status = 7 * 256*>
  END;
  stop := TRUE;
  FOR i := 1 TO 3 DO EVAL Thread.Join(t[i]) END;
  IO.Put("forked\n");
END Main.
(* unit: Unix_.i3 *)
UNSAFE INTERFACE Unix_;
<*EXTERNAL "fork"*> PROCEDURE fork(): INTEGER;
<*EXTERNAL "waitpid"*> PROCEDURE waitpid(pid: INTEGER; VAR status: INTEGER; o: INTEGER): INTEGER;
<*EXTERNAL "_exit"*> PROCEDURE exit_(s: INTEGER);
END Unix_.
(* expect: forked *)
