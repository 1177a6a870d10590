(* Runs each loop once normally, and once with a collection behind each Nth of its instructions
   (the argument), in which all movable objects move. Prints the number of collections, if both
   runs had the same result. *)
UNSAFE MODULE Main;

IMPORT Fmt, IO, Lex, Loops, Params, Process, RTCollector, Scan, FloatMode, Step, Thread;

TYPE
  Collecting = Thread.Closure OBJECT OVERRIDES apply := CollectWhenWanted END;

PROCEDURE CollectWhenWanted(<*UNUSED*> self: Collecting): REFANY =
  BEGIN
    LOOP
      Step.Await();
      RTCollector.Collect();
      Step.Serve();
    END;
  END CollectWhenWanted;

PROCEDURE StepThrough(i: INTEGER): INTEGER =
  VAR result: INTEGER;
  BEGIN
    Step.Begin();
    result := Loops.Run(i);
    Step.End();
    RETURN result;
  END StepThrough;

PROCEDURE Check() RAISES {Lex.Error, FloatMode.Trap} =
  VAR first, last: ADDRESS;
  BEGIN
    Loops.Code(first, last);
    Step.Between(first, last, Scan.Int(Params.Get(1)));
    EVAL Thread.Fork(NEW(Collecting));
    FOR i := 0 TO Loops.Count - 1 DO
      WITH plain = Loops.Run(i), stepped = StepThrough(i) DO
        IF plain # stepped THEN
          IO.Put(Fmt.F("loop %s: %s, and stepped through %s\n", Fmt.Int(i), Fmt.Int(plain), Fmt.Int(stepped)));
          Process.Exit(1);
        END;
      END;
    END;
    IO.Put(Fmt.Int(Step.Count()) & " collections\n");
  END Check;

BEGIN
  TRY
    Check();
  EXCEPT
  | Lex.Error, FloatMode.Trap => IO.Put("usage: stepping EVERY\n");  Process.Exit(2);
  END;
END Main.
