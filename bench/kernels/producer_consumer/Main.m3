(* One thread puts numbers into a bounded queue, another takes them out. Usage: Main N numbers. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Thread;

<*FATAL ANY*>

CONST Size = 64;

TYPE Producer = Thread.Closure OBJECT OVERRIDES apply := Produce END;

VAR
  numbers := Scan.Int(Params.Get(1));
  mutex := NEW(MUTEX);
  notFull, notEmpty := NEW(Thread.Condition);
  queue: ARRAY [0..Size - 1] OF INTEGER;
  first, count := 0;

PROCEDURE Produce(<*UNUSED*> p: Producer): REFANY =
  BEGIN
    FOR i := 1 TO numbers DO
      LOCK mutex DO
        WHILE count = Size DO Thread.Wait(mutex, notFull) END;
        queue[(first + count) MOD Size] := i;
        INC(count);
      END;
      Thread.Signal(notEmpty);
    END;
    RETURN NIL;
  END Produce;

VAR sum := 0;  thread := Thread.Fork(NEW(Producer));
BEGIN
  FOR i := 1 TO numbers DO
    LOCK mutex DO
      WHILE count = 0 DO Thread.Wait(mutex, notEmpty) END;
      INC(sum, queue[first]);
      first := (first + 1) MOD Size;
      DEC(count);
    END;
    Thread.Signal(notFull);
  END;
  EVAL Thread.Join(thread);
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
