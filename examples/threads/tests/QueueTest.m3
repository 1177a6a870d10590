(* Nothing is lost between two producers and three consumers of a queue of two places. *)
MODULE QueueTest;

IMPORT Queue, Test, Thread;

CONST
  Count = 2000;

TYPE
  Number = REF INTEGER;
  Producer = Thread.Closure OBJECT OVERRIDES apply := Produce END;
  Consumer = Thread.Closure OBJECT OVERRIDES apply := Consume END;

VAR
  queue := NEW(Queue.T).init(2);

PROCEDURE New(n: INTEGER): Number =
  VAR number := NEW(Number);
  BEGIN
    number^ := n;
    RETURN number;
  END New;

PROCEDURE Produce(<*UNUSED*> self: Producer): REFANY =
  BEGIN
    FOR i := 1 TO Count DO queue.put(New(i)) END;
    RETURN NIL;
  END Produce;

PROCEDURE Consume(<*UNUSED*> self: Consumer): REFANY =
  VAR number: Number;  sum := 0;
  BEGIN
    LOOP
      number := queue.get();
      IF number = NIL THEN RETURN New(sum) END;
      INC(sum, number^);
    END;
  END Consume;

PROCEDURE TestNothingIsLost(t: Test.T) =
  VAR
    producers: ARRAY [1 .. 2] OF Thread.T;
    consumers: ARRAY [1 .. 3] OF Thread.T;
    sum := 0;
  BEGIN
    FOR i := 1 TO 3 DO consumers[i] := Thread.Fork(NEW(Consumer)) END;
    FOR i := 1 TO 2 DO producers[i] := Thread.Fork(NEW(Producer)) END;
    FOR i := 1 TO 2 DO EVAL Thread.Join(producers[i]) END;
    queue.close();
    FOR i := 1 TO 3 DO INC(sum, NARROW(Thread.Join(consumers[i]), Number)^) END;
    t.equalInt(sum, 2 * (Count * (Count + 1) DIV 2));
    t.check(queue.get() = NIL);
  END TestNothingIsLost;

BEGIN
END QueueTest.
