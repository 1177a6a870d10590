(* golden: run, tenure-gc, stress=1000 *)
(* Threads allocate in loops whose allocation pointer stays in registers, while another one
   stops and collects. *)
MODULE Main;

IMPORT Fmt, IO, RTCollector, Thread;

TYPE
  C = REF RECORD n: C;  v: INTEGER END;

VAR
  stop := FALSE;
  bad := 0;  (* found by any thread *)

PROCEDURE List(n: INTEGER): C =
  VAR l: C := NIL;
  BEGIN
    FOR i := 1 TO n DO l := NEW(C, n := l, v := i) END;
    RETURN l;
  END List;

(* 0, if fresh elements are 0. *)
PROCEDURE Arrays(n: INTEGER): INTEGER =
  VAR a: REF ARRAY OF INTEGER;  sum := 0;
  BEGIN
    FOR i := 1 TO n DO
      a := NEW(REF ARRAY OF INTEGER, 2 + i MOD 7);
      a[0] := i;
      INC(sum, a[0] - i + a[LAST(a^)]);
    END;
    RETURN sum;
  END Arrays;

PROCEDURE Work(cl: Thread.Closure): REFANY =
  VAR l: C;  k: INTEGER;
  BEGIN
    FOR round := 1 TO 10 DO
      l := List(5000);
      k := 5000;
      WHILE l # NIL DO
        IF l.v # k THEN INC(bad) END;
        DEC(k);
        l := l.n;
      END;
      IF k # 0 THEN INC(bad) END;
      IF Arrays(5000) # 0 THEN INC(bad) END;
    END;
    RETURN cl;
  END Work;

PROCEDURE Collect(cl: Thread.Closure): REFANY =
  BEGIN
    WHILE NOT stop DO RTCollector.Collect(); Thread.Pause(0.001d0) END;
    RETURN cl;
  END Collect;

VAR
  t: ARRAY [1..4] OF Thread.T;
  c: Thread.T;

BEGIN
  c := Thread.Fork(NEW(Thread.Closure, apply := Collect));
  FOR i := 1 TO 4 DO t[i] := Thread.Fork(NEW(Thread.Closure, apply := Work)) END;
  FOR i := 1 TO 4 DO EVAL Thread.Join(t[i]) END;
  stop := TRUE;
  EVAL Thread.Join(c);
  IO.Put("bad " & Fmt.Int(bad) & "\n");
END Main.
(* expect: bad 0 *)
