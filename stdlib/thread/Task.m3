UNSAFE MODULE Task;

IMPORT Compiler, RTTest, Text, Texts, Thread, ThreadWait;

FROM ThreadWait IMPORT Ending;

REVEAL
  T = Public BRANDED "Task.T" OBJECT
      group: Group;
      current := State.Cancelled;   (* this and the rest with the group's mutex *)
      value: REFANY := NIL;
      thread: Thread.T := NIL;
      next, previous: T := NIL;     (* in the list of those that are running *)
    OVERRIDES
      state := GetState;
      result := Result;
    END;

  Group = PublicGroup BRANDED "Task.Group" OBJECT
      mu: MUTEX := NIL;
      ended: Thread.Condition;      (* no task is running *)
      first: T := NIL;              (* of those that are running *)
      ending: Thread.T := NIL;      (* the one that ended last. It joins the one that ended before it *)
      cancelled, hasFailed, isLate, wasAlerted, isOver := FALSE;
      failure: Failure;
    OVERRIDES
      init := Init;
      fork := Fork;
      call := Call;
      cancel := Cancel;
      isCancelled := IsCancelled;
      wait := Wait;
      end := End;
    END;

TYPE
  Runner = Thread.Closure OBJECT
      task: T;
      closure: Closure;
    OVERRIDES
      apply := Perform;
    END;

  Caller = Closure OBJECT
      p: Proc;
    OVERRIDES
      apply := CallProc;
    END;

(* --- tasks --- *)

PROCEDURE GetState(t: T): State =
  BEGIN
    LOCK t.group.mu DO RETURN t.current END;
  END GetState;

PROCEDURE Result(t: T): REFANY =
  BEGIN
    LOCK t.group.mu DO
      <*ASSERT t.current = State.Done WITH "Task.result: the task has not ended by returning a result"*>
      RETURN t.value;
    END;
  END Result;

PROCEDURE CallProc(self: Caller): REFANY RAISES ANY =
  BEGIN
    RETURN self.p();
  END CallProc;

PROCEDURE Perform(r: Runner): REFANY =
  VAR
    state := State.Failed;
    value: REFANY := NIL;
    failure: Failure;
  BEGIN
    TRY
      value := r.closure.apply();
      state := State.Done;
    EXCEPT
    | Thread.Alerted =>
      IF r.task.group.isCancelled() THEN
        state := State.Cancelled;
      ELSE
        failure := FailureOf(Compiler.ThisException());
      END;
    ELSE
      failure := FailureOf(Compiler.ThisException());
    END;
    r.closure := NIL;
    HasEnded(r.task, state, value, failure);
    RETURN NIL;
  END Perform;

PROCEDURE FailureOf(exception: ADDRESS): Failure =
  CONST Unhandled = "unhandled exception: ";
  VAR text := Texts.WithoutPrefix(RTTest.Describe(exception, 1), Unhandled);
  BEGIN
    RETURN Failure{RTTest.Describe(exception, 0), text, RTTest.Describe(exception, 2)};
  END FailureOf;

PROCEDURE HasEnded(t: T; state: State; value: REFANY; READONLY failure: Failure) =
  VAR
    g := t.group;
    before: Thread.T;
  BEGIN
    LOCK g.mu DO
      t.current := state;
      t.value := value;
      Unlink(g, t);
      IF state = State.Failed AND NOT g.hasFailed THEN
        g.hasFailed := TRUE;
        g.failure := failure;
        CancelLocked(g);
      END;
      before := g.ending;
      g.ending := t.thread;
      t.thread := NIL;
      IF g.first = NIL THEN Thread.Broadcast(g.ended) END;
    END;
    IF before # NIL THEN EVAL Thread.Join(before) END;
  END HasEnded;

(* --- groups --- *)

PROCEDURE Link(g: Group; t: T) =
  BEGIN
    t.next := g.first;
    IF g.first # NIL THEN g.first.previous := t END;
    g.first := t;
  END Link;

PROCEDURE Unlink(g: Group; t: T) =
  BEGIN
    IF t.previous = NIL THEN g.first := t.next ELSE t.previous.next := t.next END;
    IF t.next # NIL THEN t.next.previous := t.previous END;
    t.next := NIL;
    t.previous := NIL;
  END Unlink;

PROCEDURE Init(g: Group): Group =
  BEGIN
    <*ASSERT g.mu = NIL WITH "Task.Group.init: the group has been initialised"*>
    g.mu := NEW(MUTEX);
    g.ended := NEW(Thread.Condition);
    RETURN g;
  END Init;

PROCEDURE Fork(g: Group; c: Closure): T =
  VAR t := NEW(T, group := g);
  BEGIN
    <*ASSERT c # NIL WITH "Task.Group.fork: the closure is NIL"*>
    LOCK g.mu DO
      <*ASSERT NOT g.isOver WITH "Task.Group.fork: the group has ended"*>
      IF NOT g.cancelled THEN
        (* It cannot end before the mutex is free. *)
        t.thread := Thread.Fork(NEW(Runner, task := t, closure := c));
        t.current := State.Running;
        Link(g, t);
      END;
    END;
    RETURN t;
  END Fork;

PROCEDURE Call(g: Group; p: Proc): T =
  BEGIN
    RETURN Fork(g, NEW(Caller, p := p));
  END Call;

PROCEDURE CancelLocked(g: Group) =
  VAR t := g.first;
  BEGIN
    IF g.cancelled THEN RETURN END;
    g.cancelled := TRUE;
    WHILE t # NIL DO
      Thread.Alert(t.thread);
      t := t.next;
    END;
  END CancelLocked;

PROCEDURE Cancel(g: Group) =
  BEGIN
    LOCK g.mu DO CancelLocked(g) END;
  END Cancel;

PROCEDURE IsCancelled(g: Group): BOOLEAN =
  BEGIN
    LOCK g.mu DO RETURN g.cancelled END;
  END IsCancelled;

PROCEDURE WaitUntil(g: Group; deadline: ThreadWait.Deadline) RAISES {Failed, Late, Thread.Alerted} =
  VAR
    ending := Ending.Woken;
    last: Thread.T;
  BEGIN
    LOCK g.mu DO
      WHILE g.first # NIL AND ending = Ending.Woken DO
        ending := ThreadWait.Until(g.mu, g.ended, deadline, TRUE);
      END;
      IF g.first # NIL THEN
        IF ending = Ending.Alerted THEN g.wasAlerted := TRUE ELSE g.isLate := TRUE END;
      ELSIF ending = Ending.Alerted THEN
        Thread.Alert(Thread.Self());  (* came behind: for the next wait *)
      END;
      last := CloseLocked(g);
    END;
    IF last # NIL THEN EVAL Thread.Join(last) END;
    IF g.wasAlerted THEN RAISE Thread.Alerted END;
    IF g.isLate THEN RAISE Late END;
    IF g.hasFailed THEN RAISE Failed(g.failure) END;
  END WaitUntil;

(* Cancels what still runs, and waits until no task is running. Returns the thread that the caller is to join. *)
PROCEDURE CloseLocked(g: Group): Thread.T =
  VAR last: Thread.T;
  BEGIN
    IF g.first # NIL THEN CancelLocked(g) END;
    WHILE g.first # NIL DO Thread.Wait(g.mu, g.ended) END;
    g.isOver := TRUE;
    last := g.ending;
    g.ending := NIL;
    RETURN last;
  END CloseLocked;

PROCEDURE Wait(g: Group; seconds: LONGREAL) RAISES {Failed, Late, Thread.Alerted} =
  BEGIN
    WaitUntil(g, ThreadWait.In(seconds));
  END Wait;

PROCEDURE End(g: Group) =
  VAR last: Thread.T;
  BEGIN
    LOCK g.mu DO
      IF NOT g.isOver THEN CancelLocked(g) END;
      last := CloseLocked(g);
    END;
    IF last # NIL THEN EVAL Thread.Join(last) END;
  END End;

PROCEDURE Run(b: Body; seconds: LONGREAL) RAISES ANY =
  VAR
    group := NEW(Group).init();
    deadline := ThreadWait.In(seconds);
  BEGIN
    TRY
      b.apply(group);
      IF NOT group.isOver THEN WaitUntil(group, deadline) END;
    FINALLY
      group.end();
    END;
  END Run;

BEGIN
END Task.
