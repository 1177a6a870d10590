(* golden: run, @M3maxheap=16M, -w, tenure-gc, stress=2000 *)
(* Threads that use up the heap together: each gets its exception, the objects of the others stay
   intact, and when all are done the whole heap is free again. *)
MODULE Main;

IMPORT Fmt, IO, RuntimeError, Thread;

CONST
  Threads = 6;
  Rounds = 5;

TYPE
  List = REF RECORD next: List; n: INTEGER; bytes: REF ARRAY OF CHAR END;
  Worker = Thread.Closure OBJECT
             id: INTEGER;
             failures := 0;
           OVERRIDES
             apply := Apply
           END;

PROCEDURE Apply(w: Worker): REFANY =
  VAR l, next: List;  n: INTEGER;
  BEGIN
    FOR round := 1 TO Rounds DO
      l := NIL;
      n := 0;
      TRY
        LOOP
          (* Now and then an object of several pages. *)
          l := NEW(List, next := l, n := n);
          INC(n);
          l.bytes := NEW(REF ARRAY OF CHAR, 100 + (n MOD 50) DIV 49 * 20000);
          l.bytes[LAST(l.bytes^)] := VAL(n MOD 256, CHAR);
        END;
      EXCEPT
        RuntimeError.E (e) =>
          <*ASSERT e = RuntimeError.T.OutOfMemory*>
          INC(w.failures);
      END;
      WHILE l # NIL DO
        DEC(n);
        <*ASSERT l.n = n*>
        IF l.bytes # NIL THEN
          <*ASSERT l.bytes[LAST(l.bytes^)] = VAL((n + 1) MOD 256, CHAR)*>
        END;
        (* A word on some stack may look like a reference to a cell: it must not keep other
           cells. *)
        next := l.next;
        l.next := NIL;
        l := next;
      END;
      <*ASSERT n = 0*>
    END;
    RETURN w;
  END Apply;

VAR
  threads: ARRAY [1..Threads] OF Thread.T;
  failures := 0;
BEGIN
  FOR i := 1 TO Threads DO threads[i] := Thread.Fork(NEW(Worker, id := i)) END;
  FOR i := 1 TO Threads DO
    WITH w = NARROW(Thread.Join(threads[i]), Worker) DO INC(failures, w.failures) END;
  END;
  IO.Put(Fmt.Int(failures) & " failures\n");
  WITH big = NEW(REF ARRAY OF INTEGER, 1000000) DO IO.Put(Fmt.Int(NUMBER(big^)) & "\n") END;
END Main.
(* expect: 30 failures *)
(* expect: 1000000 *)
