(* golden: run, with lib/Check, lib/Dice, stress=500 *)
(* Groups of tasks that pass elements through channels: some end by themselves, some fail in the middle, are cancelled,
   or have too little time. Whatever happens, no task is left when Run returns, and the outcome is the right one. *)
MODULE Main;

IMPORT Channels, Check, Dice, Fmt, IntChannel, Task, Thread;

EXCEPTION
  Broken(INTEGER);
  BodyBroken;

CONST
  Elements = 200;  (* of each source *)

TYPE
  Kind = {Ends, Fails, BodyRaises, IsCancelled, IsLate};

  Storm = Task.Body OBJECT
      kind: Kind;
      width: CARDINAL;
      numbers, squares: IntChannel.T;
      breakAt := 0;
      sum := 0;
    OVERRIDES
      apply := Fork;
    END;

  Stage = Task.Closure OBJECT
      storm: Storm;
    METHODS
      work() RAISES {Broken, Channels.Closed, Thread.Alerted};
    OVERRIDES
      apply := Perform;
    END;

  Source = Stage OBJECT OVERRIDES work := Produce END;
  Square = Stage OBJECT OVERRIDES work := SquareAll END;
  Sleeper = Stage OBJECT OVERRIDES work := Sleep END;
  Closer = Task.Closure OBJECT
      others: REF ARRAY OF Task.T;
      channel: IntChannel.T;
    OVERRIDES
      apply := CloseBehind;
    END;

VAR
  mu := NEW(MUTEX);
  running := 0;

PROCEDURE Count(n: INTEGER) =
  BEGIN
    LOCK mu DO INC(running, n) END;
  END Count;

PROCEDURE Perform(s: Stage): REFANY RAISES ANY =
  BEGIN
    Count(1);
    TRY s.work() FINALLY Count(-1) END;
    RETURN NIL;
  END Perform;

PROCEDURE Produce(s: Stage) RAISES {Channels.Closed, Thread.Alerted} =
  BEGIN
    FOR i := 1 TO Elements DO s.storm.numbers.alertPut(i) END;
  END Produce;

PROCEDURE SquareAll(s: Stage) RAISES {Broken, Channels.Closed, Thread.Alerted} =
  VAR n: INTEGER;
  BEGIN
    WHILE s.storm.numbers.alertGet(n) DO
      IF n = s.storm.breakAt THEN RAISE Broken(n) END;
      s.storm.squares.alertPut(n * n);
    END;
  END SquareAll;

PROCEDURE Sleep(<*UNUSED*> s: Stage) RAISES {Thread.Alerted} =
  BEGIN
    Thread.AlertPause(100.0D0);
  END Sleep;

(* Closes the channel when the tasks that put into it have ended. *)
PROCEDURE CloseBehind(c: Closer): REFANY RAISES {Thread.Alerted} =
  BEGIN
    Count(1);
    TRY
      FOR i := 0 TO LAST(c.others^) DO
        WHILE c.others[i].state() = Task.State.Running DO Thread.AlertPause(0.0005D0) END;
      END;
      c.channel.close();
    FINALLY
      Count(-1);
    END;
    RETURN NIL;
  END CloseBehind;

PROCEDURE Fork(s: Storm; group: Task.Group) RAISES {BodyBroken, Thread.Alerted} =
  VAR
    sources, stages := NEW(REF ARRAY OF Task.T, s.width);
    square: INTEGER;
  BEGIN
    FOR i := 0 TO LAST(sources^) DO
      sources[i] := group.fork(NEW(Source, storm := s));
      stages[i] := group.fork(NEW(Square, storm := s));
    END;
    EVAL group.fork(NEW(Closer, others := sources, channel := s.numbers));
    EVAL group.fork(NEW(Closer, others := stages, channel := s.squares));
    CASE s.kind OF
    | Kind.Ends => WHILE s.squares.alertGet(square) DO INC(s.sum, square) END;
    | Kind.Fails => WHILE NOT group.isCancelled() DO EVAL s.squares.alertTryGet(square, 0.001D0) END;
    | Kind.BodyRaises =>
        FOR i := 1 TO Dice.Roll(Elements) DO EVAL s.squares.alertGet(square) END;
        RAISE BodyBroken;
    | Kind.IsCancelled =>
        EVAL group.fork(NEW(Sleeper, storm := s));
        FOR i := 1 TO Dice.Roll(Elements) DO EVAL s.squares.alertGet(square) END;
        group.cancel();
    | Kind.IsLate => EVAL group.fork(NEW(Sleeper, storm := s));
    END;
  END Fork;

PROCEDURE Run(kind: Kind; width, capacity: CARDINAL) =
  VAR
    storm := NEW(Storm, kind := kind, width := width, numbers := NEW(IntChannel.T).init(capacity),
                 squares := NEW(IntChannel.T).init(capacity));
    limit := Task.NoLimit;
    got := "nothing";
    what := Dice.With(Fmt.F("%s, width %s, capacity %s", Names[kind], Fmt.Int(width), Fmt.Int(capacity)));
  CONST
    Names = ARRAY Kind OF TEXT {"ends", "fails", "body raises", "is cancelled", "is late"};
    Outcomes = ARRAY Kind OF TEXT {"nothing", "Main.Broken: ", "BodyBroken", "nothing", "Late"};
  BEGIN
    IF kind = Kind.Fails THEN storm.breakAt := 1 + Dice.Roll(Elements) END;
    IF kind = Kind.IsLate THEN limit := 0.005D0 END;
    TRY
      Task.Run(storm, limit);
    EXCEPT
    | BodyBroken => got := "BodyBroken";
    | Task.Late => got := "Late";
    | Task.Failed (why) => got := why.text;
    ELSE got := "another exception";
    END;
    IF kind = Kind.Fails THEN
      Check.Text(got, Outcomes[kind] & Fmt.Int(storm.breakAt), what);
    ELSE
      Check.Text(got, Outcomes[kind], what);
    END;
    LOCK mu DO Check.Int(running, 0, what & ", tasks left") END;
    IF kind = Kind.Ends THEN
      Check.Int(storm.sum, width * (Elements * (Elements + 1) * (2 * Elements + 1) DIV 6), what & ", sum");
    END;
    Check.That(NOT Thread.TestAlert(), what & ", an alert is left");
  END Run;

BEGIN
  FOR kind := FIRST(Kind) TO LAST(Kind) DO
    FOR round := 0 TO 5 DO Run(kind, 1 + Dice.Roll(6), Dice.Roll(3)) END;
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
