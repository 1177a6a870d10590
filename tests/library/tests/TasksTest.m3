MODULE TasksTest;

IMPORT Fmt, RuntimeError, Task, Test, Text, Thread, Tick, Word;

EXCEPTION
  Broken(TEXT);

TYPE
  (* Returns itself after some work. *)
  Work = Task.Closure OBJECT
      n := 0;
      group: Task.Group := NIL;
      ended := FALSE;
    END;

  Returns = Work OBJECT OVERRIDES apply := Return END;
  Breaks = Work OBJECT OVERRIDES apply := Break END;
  Asserts = Work OBJECT OVERRIDES apply := Assert END;
  Sleeps = Work OBJECT OVERRIDES apply := Sleep END;    (* until it is alerted *)
  Forks = Work OBJECT OVERRIDES apply := ForkMore END;  (* n further ones, each of which forks one less *)

VAR
  mu := NEW(MUTEX);
  counted := 0;

PROCEDURE Return(w: Work): REFANY =
  BEGIN
    RETURN w;
  END Return;

PROCEDURE Break(w: Work): REFANY RAISES {Broken} =
  BEGIN
    RAISE Broken("task " & Fmt.Int(w.n));
  END Break;

PROCEDURE Assert(w: Work): REFANY =
  BEGIN
    <*ASSERT w.n = 7 *>
    RETURN NIL;
  END Assert;

PROCEDURE Sleep(w: Work): REFANY RAISES {Thread.Alerted} =
  BEGIN
    TRY
      Thread.AlertPause(60.0D0);
    FINALLY
      Thread.Pause(0.02D0);
      w.ended := TRUE;
    END;
    RETURN NIL;
  END Sleep;

PROCEDURE ForkMore(w: Work): REFANY =
  BEGIN
    LOCK mu DO INC(counted) END;
    FOR i := 1 TO w.n DO EVAL w.group.fork(NEW(Forks, n := w.n - 1, group := w.group)) END;
    RETURN NIL;
  END ForkMore;

PROCEDURE Is(t: Test.T; task: Task.T; state: Task.State) =
  BEGIN
    t.equalInt(ORD(task.state()), ORD(state));
  END Is;

PROCEDURE Since(begun: Tick.T): LONGREAL =
  BEGIN
    RETURN Tick.ToSeconds(Word.Minus(Tick.Now(), begun));
  END Since;

PROCEDURE Seven(): REFANY RAISES ANY =
  VAR seven := NEW(REF INTEGER);
  BEGIN
    seven^ := 7;
    RETURN seven;
  END Seven;

PROCEDURE TestResults(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    tasks: ARRAY [0 .. 99] OF Task.T;
    called: Task.T;
  BEGIN
    FOR i := 0 TO LAST(tasks) DO tasks[i] := group.fork(NEW(Returns, n := i)) END;
    called := group.call(Seven);
    group.wait();
    FOR i := 0 TO LAST(tasks) DO
      Is(t, tasks[i], Task.State.Done);
      t.equalInt(NARROW(tasks[i].result(), Work).n, i);
    END;
    t.equalInt(NARROW(called.result(), REF INTEGER)^, 7);
    group.wait();
    group.end();
    t.check(NOT group.isCancelled());
  END TestResults;

PROCEDURE TestEmptyGroup(t: Test.T) RAISES ANY =
  VAR group := NEW(Task.Group).init();
  BEGIN
    group.wait(0.0D0);
    t.check(NOT group.isCancelled());
  END TestEmptyGroup;

PROCEDURE TestFirstFailureCancelsTheOthers(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    sleeper := NEW(Sleeps);
    sleeping := group.fork(sleeper);
    broken := group.fork(NEW(Breaks, n := 3));
    begun := Tick.Now();
  BEGIN
    TRY
      group.wait();
      t.fail("wait returned");
    EXCEPT
    | Task.Failed (why) =>
        t.equalText(why.exception, "TasksTest.Broken");
        t.equalText(why.text, "TasksTest.Broken: task 3");
        t.check(Text.FindChar(why.place, ':') > 0);
    END;
    t.check(Since(begun) < 30.0D0);
    t.check(sleeper.ended);
    Is(t, sleeping, Task.State.Cancelled);
    Is(t, broken, Task.State.Failed);
    t.check(group.isCancelled());
    TRY
      group.wait();
      t.fail("the second wait returned");
    EXCEPT
    | Task.Failed (why) => t.equalText(why.text, "TasksTest.Broken: task 3");
    END;
  END TestFirstFailureCancelsTheOthers;

PROCEDURE TestRunTimeErrorIsAFailure(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    task := group.fork(NEW(Asserts, n := 8));

  PROCEDURE AskResult() RAISES ANY =
    BEGIN
      EVAL task.result();
    END AskResult;

  PROCEDURE ForkLate() RAISES ANY =
    BEGIN
      EVAL group.fork(NEW(Returns));
    END ForkLate;

  BEGIN
    TRY
      group.wait();
      t.fail("wait returned");
    EXCEPT
    | Task.Failed (why) =>
        t.equalText(why.exception, "RuntimeError.E");
        t.check(Text.FindChar(why.text, '7') > 0, why.text);
    END;
    EVAL t.fails(AskResult, RuntimeError.T.AssertFailed);
    EVAL t.fails(ForkLate, RuntimeError.T.AssertFailed);
  END TestRunTimeErrorIsAFailure;

PROCEDURE TestAlertOfATaskAloneIsAFailure(t: Test.T) RAISES ANY =
  VAR group := NEW(Task.Group).init();
  BEGIN
    EVAL group.call(AlertsItself);
    TRY
      group.wait();
      t.fail("wait returned");
    EXCEPT
    | Task.Failed (why) => t.equalText(why.exception, "Thread.Alerted");
    END;
  END TestAlertOfATaskAloneIsAFailure;

PROCEDURE AlertsItself(): REFANY RAISES ANY =
  BEGIN
    Thread.Alert(Thread.Self());
    Thread.AlertPause(60.0D0);
    RETURN NIL;
  END AlertsItself;

PROCEDURE TestCancel(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    done := group.fork(NEW(Returns));
    sleeping := group.fork(NEW(Sleeps));
    late: Task.T;
  BEGIN
    WHILE done.state() = Task.State.Running DO Thread.Pause(0.001D0) END;
    Is(t, sleeping, Task.State.Running);
    group.cancel();
    group.cancel();
    late := group.fork(NEW(Returns));
    group.wait();
    Is(t, done, Task.State.Done);
    Is(t, sleeping, Task.State.Cancelled);
    Is(t, late, Task.State.Cancelled);
  END TestCancel;

PROCEDURE TestWaitHasALimit(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    sleeper := NEW(Sleeps);
    begun := Tick.Now();
  BEGIN
    EVAL group.fork(sleeper);
    TRY
      group.wait(0.05D0);
      t.fail("wait returned");
    EXCEPT
    | Task.Late => t.check(sleeper.ended);
    END;
    t.check(Since(begun) >= 0.05D0 AND Since(begun) < 30.0D0);
  END TestWaitHasALimit;

PROCEDURE TestAlertOfTheOwnerCancels(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    sleeper := NEW(Sleeps);
  BEGIN
    EVAL group.fork(sleeper);
    Thread.Alert(Thread.Self());
    TRY
      group.wait();
      t.fail("wait returned");
    EXCEPT
    | Thread.Alerted => t.check(sleeper.ended);
    END;
    t.check(NOT Thread.TestAlert());
  END TestAlertOfTheOwnerCancels;

PROCEDURE TestTasksForkTasks(t: Test.T) RAISES ANY =
  VAR group := NEW(Task.Group).init();
  BEGIN
    EVAL group.fork(NEW(Forks, n := 5, group := group));
    group.wait();
    LOCK mu DO t.equalInt(counted, 326) END;  (* c(n) = 1 + n * c(n - 1) *)
  END TestTasksForkTasks;

PROCEDURE TestManyTasksFail(t: Test.T) =
  VAR
    group: Task.Group;
    sleepers: ARRAY [0 .. 4] OF Work;
    tasks: ARRAY [0 .. 4] OF Task.T;
  BEGIN
    FOR round := 1 TO 30 DO
      group := NEW(Task.Group).init();
      FOR i := 0 TO LAST(sleepers) DO
        sleepers[i] := NEW(Sleeps);
        tasks[i] := group.fork(sleepers[i]);
        EVAL group.fork(NEW(Breaks, n := i));
      END;
      TRY
        group.wait();
        t.fail("wait returned");
      EXCEPT
      | Task.Failed (why) => t.equalText(why.exception, "TasksTest.Broken");
      | Task.Late, Thread.Alerted => t.fail("wait raised another exception");
      END;
      FOR i := 0 TO LAST(tasks) DO Is(t, tasks[i], Task.State.Cancelled) END;
    END;
  END TestManyTasksFail;

(* --- Run --- *)

TYPE
  Body = Task.Body OBJECT
      t: Test.T;
      sleeper: Work := NIL;
    END;

  BreaksOff = Body OBJECT OVERRIDES apply := BreakOff END;
  OnlyForks = Body OBJECT OVERRIDES apply := OnlyFork END;
  Handles = Body OBJECT OVERRIDES apply := Handle END;
  RunsInner = Task.Closure OBJECT inner: Body OVERRIDES apply := RunInner END;

PROCEDURE BreakOff(b: Body; group: Task.Group) RAISES {Broken} =
  BEGIN
    EVAL group.fork(b.sleeper);
    RAISE Broken("off");
  END BreakOff;

PROCEDURE OnlyFork(b: Body; group: Task.Group) =
  BEGIN
    EVAL group.fork(b.sleeper);
  END OnlyFork;

PROCEDURE Handle(b: Body; group: Task.Group) RAISES {Thread.Alerted} =
  BEGIN
    EVAL group.fork(NEW(Breaks));
    TRY
      group.wait();
    EXCEPT
    | Task.Failed => b.sleeper.ended := TRUE;
    | Task.Late =>
    END;
  END Handle;

PROCEDURE RunInner(r: RunsInner): REFANY RAISES ANY =
  BEGIN
    Task.Run(r.inner);
    RETURN NIL;
  END RunInner;

PROCEDURE TestRunJoinsWhenAnExceptionLeavesTheBody(t: Test.T) RAISES ANY =
  VAR body := NEW(BreaksOff, t := t, sleeper := NEW(Sleeps));
  BEGIN
    TRY
      Task.Run(body);
      t.fail("Run returned");
    EXCEPT
    | Broken (why) => t.equalText(why, "off");
    END;
    t.check(body.sleeper.ended);
  END TestRunJoinsWhenAnExceptionLeavesTheBody;

PROCEDURE TestRunWaits(t: Test.T) RAISES ANY =
  VAR body := NEW(OnlyForks, t := t, sleeper := NEW(Returns));
  BEGIN
    Task.Run(body);
    body.sleeper := NEW(Breaks, n := 4);
    TRY
      Task.Run(body);
      t.fail("Run returned");
    EXCEPT
    | Task.Failed (why) => t.equalText(why.text, "TasksTest.Broken: task 4");
    END;
    body.sleeper := NEW(Sleeps);
    TRY
      Task.Run(body, 0.05D0);
      t.fail("Run returned");
    EXCEPT
    | Task.Late => t.check(body.sleeper.ended);
    END;
  END TestRunWaits;

PROCEDURE TestBodyHandlesTheFailure(t: Test.T) RAISES ANY =
  VAR body := NEW(Handles, t := t, sleeper := NEW(Sleeps));
  BEGIN
    Task.Run(body);
    t.check(body.sleeper.ended);
  END TestBodyHandlesTheFailure;

PROCEDURE TestInnerGroupsEndWithTheOuterOne(t: Test.T) RAISES ANY =
  VAR
    group := NEW(Task.Group).init();
    inner := NEW(OnlyForks, t := t, sleeper := NEW(Sleeps));
    task := group.fork(NEW(RunsInner, inner := inner));
  BEGIN
    Thread.Pause(0.02D0);
    EVAL group.fork(NEW(Breaks, n := 1));
    TRY
      group.wait();
      t.fail("wait returned");
    EXCEPT
    | Task.Failed (why) => t.equalText(why.text, "TasksTest.Broken: task 1");
    END;
    Is(t, task, Task.State.Cancelled);
    t.check(inner.sleeper.ended);
  END TestInnerGroupsEndWithTheOuterOne;

PROCEDURE TestEnd(t: Test.T) =
  VAR
    group := NEW(Task.Group).init();
    sleeper := NEW(Sleeps);
  BEGIN
    EVAL group.fork(sleeper);
    group.end();
    t.check(sleeper.ended);
    group.end();
  END TestEnd;

BEGIN
END TasksTest.
