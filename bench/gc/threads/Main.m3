(* Four threads that make, keep and drop lists. bench/gc/threads.cc is its twin. *)
MODULE Main;

IMPORT IO, Thread;

CONST
  Threads = 4;
  Rounds = 400;
  Length = 20000;
  Kept = 8;

TYPE
  List = REF RECORD n: INTEGER; next: List END;
  Worker = Thread.Closure OBJECT sum := 0 OVERRIDES apply := Work END;

PROCEDURE Work(w: Worker): REFANY =
  VAR
    kept: ARRAY [0..Kept - 1] OF List;
    l: List;
  BEGIN
    FOR round := 0 TO Rounds - 1 DO
      l := NIL;
      FOR i := 1 TO Length DO l := NEW(List, n := i, next := l) END;
      kept[round MOD Kept] := l;
      WHILE l # NIL DO INC(w.sum, l.n); l := l.next END;
    END;
    RETURN NIL;
  END Work;

VAR
  workers: ARRAY [1..Threads] OF Worker;
  threads: ARRAY [1..Threads] OF Thread.T;
  sum := 0;
BEGIN
  FOR i := 1 TO Threads DO
    workers[i] := NEW(Worker);
    threads[i] := Thread.Fork(workers[i]);
  END;
  FOR i := 1 TO Threads DO EVAL Thread.Join(threads[i]); INC(sum, workers[i].sum) END;
  IO.PutInt(sum); IO.Put("\n");
END Main.
