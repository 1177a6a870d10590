(* golden: run, -w, @M3threads=workers *)
(* More threads than the system has kernel threads or mappings for: each waits for its turn, adds its
   number and wakes the next one. (language.md 28) *)
MODULE Main;

IMPORT Fmt, IO, Thread;

CONST Count = 20000;

TYPE
  Member = Thread.Closure OBJECT
    number: INTEGER;
    mine: Thread.Condition;
    next: Member := NIL;
  OVERRIDES
    apply := Add;
  END;

VAR
  mutex := NEW(MUTEX);
  turn := -1;
  sum := 0;

PROCEDURE Add(self: Member): REFANY =
  BEGIN
    LOCK mutex DO
      WHILE turn # self.number DO Thread.Wait(mutex, self.mine) END;
      sum := sum + self.number;
      INC(turn);
      IF self.next # NIL THEN Thread.Signal(self.next.mine) END;
    END;
    RETURN NIL;
  END Add;

VAR
  threads := NEW(REF ARRAY OF Thread.T, Count);
  first, member, last: Member := NIL;
BEGIN
  FOR i := 0 TO Count - 1 DO
    member := NEW(Member, number := i, mine := NEW(Thread.Condition));
    IF last = NIL THEN first := member ELSE last.next := member END;
    last := member;
  END;
  member := first;
  FOR i := 0 TO Count - 1 DO
    threads[i] := Thread.Fork(member);
    member := member.next;
  END;
  LOCK mutex DO turn := 0 END;
  Thread.Signal(first.mine);
  FOR i := 0 TO Count - 1 DO EVAL Thread.Join(threads[i]) END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.

(* expect: 199990000 *)
