UNSAFE MODULE Thread EXPORTS Thread, ThreadAlert, ThreadInput, ThreadWait;

IMPORT MutexRep, RTReport, RTSystem, RTThread, RuntimeError;

(* The queues of conditions and the fields of threads are guarded by the queues' lock. A thread
   that waits is parked on its own `permit`: the thread that takes it out of its queue gives it
   the permit. *)

REVEAL
  MUTEX = RTThread.MutexWord BRANDED "MUTEX" OBJECT OVERRIDES
    acquire := AcquireMutex;
    release := ReleaseMutex;
  END;

  T = BRANDED "Thread.T" OBJECT
    closure: Closure := NIL;
    result: REFANY := NIL;
    done, joined := FALSE;
    joiner: T := NIL;
    alerted := FALSE;
    permit: INTEGER := 0;
    alertable := FALSE;         (* parked, and Alert may give the permit *)
    waker: INTEGER := -1;       (* waits for input, and Alert may end that *)
    condition: Condition := NIL;  (* the condition in whose queue the thread is *)
    next, previous: T := NIL;     (* there *)
  END;

  Condition = BRANDED "Thread.Condition" OBJECT
    first, last: T := NIL;
  END;

CONST
  Nanoseconds = 1.0d9;
  WordBytes = BYTESIZE(INTEGER);

VAR
  defaultStackSize: CARDINAL := 4 * 1024 * 1024 DIV WordBytes;

(* --- mutexes --- *)

PROCEDURE AcquireMutex(m: Mutex) =
  BEGIN
    IF NOT RTThread.Acquire(m.word) THEN
      <*ASSERT FALSE WITH "Thread.Acquire: the caller holds the mutex"*>
    END;
  END AcquireMutex;

PROCEDURE ReleaseMutex(m: Mutex) =
  BEGIN
    IF NOT RTThread.Release(m.word) THEN
      <*ASSERT FALSE WITH "Thread.Release: the caller does not hold the mutex"*>
    END;
  END ReleaseMutex;

<*INLINE*>
PROCEDURE Acquire(m: Mutex) =
  BEGIN
    IF NOT RTThread.LockAtOnce(m, m.word) THEN m.acquire() END;
  END Acquire;

<*INLINE*>
PROCEDURE Release(m: Mutex) =
  BEGIN
    IF NOT RTThread.UnlockAtOnce(m, m.word) THEN m.release() END;
  END Release;

(* --- threads --- *)

PROCEDURE Fork(cl: Closure): T =
  VAR
    t := NEW(T, closure := cl);
    size := defaultStackSize;
  BEGIN
    <*ASSERT cl # NIL WITH "Thread.Fork: the closure is NIL"*>
    TYPECASE cl OF
    | SizedClosure (sized) => IF sized.stackSize # 0 THEN size := sized.stackSize END;
    ELSE
    END;
    WITH error = RTThread.Start(t, Run, MIN(size, LAST(CARDINAL) DIV WordBytes) * WordBytes) DO
      IF error # 0 THEN
        RTReport.Explain(RTThread.WhyNone(error));
        RTSystem.RaiseError(ORD(RuntimeError.T.OutOfMemory));
      END;
    END;
    RETURN t;
  END Fork;

PROCEDURE Run(r: REFANY) =
  VAR
    t: T := r;
    result := t.closure.apply();
  BEGIN
    (* The thread that joins this one may need the memory of objects that this thread has
       dropped. *)
    RTThread.ClearDeadStack();
    RTThread.LockQueues();
    t.result := result;
    t.closure := NIL;
    t.done := TRUE;
    IF t.joiner # NIL THEN RTThread.Unpark(t.joiner.permit) END;
    RTThread.UnlockQueues();
  END Run;

PROCEDURE Self(): T =
  VAR r := RTThread.Self();
  BEGIN
    IF r = NIL THEN
      r := NEW(T);
      RTThread.SetSelf(r);
    END;
    RETURN r;
  END Self;

(* TRUE: alerted, and not joined. *)
PROCEDURE WaitForEnd(t: T; alertable: BOOLEAN; VAR result: REFANY): BOOLEAN =
  VAR
    self := Self();
    alerted := FALSE;
    again: BOOLEAN;
  BEGIN
    RTThread.LockQueues();
    again := t.joined;
    IF NOT again THEN
      t.joined := TRUE;
      WHILE NOT t.done AND NOT alerted DO
        IF alertable AND self.alerted THEN
          alerted := TRUE;
        ELSE
          t.joiner := self;
          ParkLocked(self, alertable, NoLimit);
        END;
      END;
      t.joiner := NIL;
      IF alerted THEN
        self.alerted := FALSE;
        t.joined := FALSE;
      ELSE
        result := t.result;
        t.result := NIL;
      END;
    END;
    RTThread.UnlockQueues();
    <*ASSERT NOT again WITH "Thread.Join: the thread has been joined"*>
    RETURN alerted;
  END WaitForEnd;

PROCEDURE Join(t: T): REFANY =
  VAR result: REFANY := NIL;
  BEGIN
    EVAL WaitForEnd(t, FALSE, result);
    RETURN result;
  END Join;

PROCEDURE AlertJoin(t: T): REFANY RAISES {Alerted} =
  VAR result: REFANY := NIL;
  BEGIN
    IF WaitForEnd(t, TRUE, result) THEN RAISE Alerted END;
    RETURN result;
  END AlertJoin;

(* Releases the queues' lock while self waits for its permit. *)
PROCEDURE ParkLocked(self: T; alertable: BOOLEAN; seconds: LONGREAL) =
  BEGIN
    self.permit := 0;
    self.alertable := alertable;
    RTThread.UnlockQueues();
    EVAL RTThread.Park(self.permit, seconds);
    RTThread.LockQueues();
    self.alertable := FALSE;
  END ParkLocked;

(* --- conditions --- *)

PROCEDURE Enqueue(c: Condition; t: T) =
  BEGIN
    t.condition := c;
    t.next := NIL;
    t.previous := c.last;
    IF c.last = NIL THEN c.first := t ELSE c.last.next := t END;
    c.last := t;
  END Enqueue;

PROCEDURE Dequeue(t: T) =
  VAR c := t.condition;
  BEGIN
    IF t.previous = NIL THEN c.first := t.next ELSE t.previous.next := t.next END;
    IF t.next = NIL THEN c.last := t.previous ELSE t.next.previous := t.previous END;
    t.next := NIL;
    t.previous := NIL;
    t.condition := NIL;
  END Dequeue;

(* Alerted: the alert is cleared. Without a limit if seconds < 0. *)
PROCEDURE WaitOn(m: Mutex; c: Condition; alertable: BOOLEAN; seconds := NoLimit): Ending =
  VAR
    self := Self();
    ending := Ending.Woken;
    holder := TYPECODE(m) # TYPECODE(MUTEX) OR RTThread.IsMine(m.word);
  BEGIN
    <*ASSERT c # NIL WITH "Thread.Wait: the condition is NIL"*>
    <*ASSERT holder WITH "Thread.Wait: the caller does not hold the mutex"*>
    RTThread.LockQueues();
    IF alertable AND self.alerted THEN
      self.alerted := FALSE;
      RTThread.UnlockQueues();
      RETURN Ending.Alerted;
    END;
    Enqueue(c, self);
    self.permit := 0;
    self.alertable := alertable;
    RTThread.UnlockQueues();
    m.release();
    EVAL RTThread.Park(self.permit, seconds);
    (* Otherwise only a thread that takes this one out of the queue gives the permit. *)
    IF alertable OR seconds >= 0.0d0 THEN
      RTThread.LockQueues();
      self.alertable := FALSE;
      (* The thread is still in the queue, so Signal has not woken it. *)
      IF self.condition # NIL THEN
        Dequeue(self);
        IF alertable AND self.alerted THEN
          ending := Ending.Alerted;
          self.alerted := FALSE;
        ELSE
          ending := Ending.Late;
        END;
      END;
      RTThread.UnlockQueues();
    END;
    m.acquire();
    RETURN ending;
  END WaitOn;

PROCEDURE Wait(m: Mutex; c: Condition) =
  BEGIN
    EVAL WaitOn(m, c, FALSE);
  END Wait;

PROCEDURE AlertWait(m: Mutex; c: Condition) RAISES {Alerted} =
  BEGIN
    IF WaitOn(m, c, TRUE) = Ending.Alerted THEN RAISE Alerted END;
  END AlertWait;

PROCEDURE In(seconds: LONGREAL): Deadline =
  VAR now: Deadline;
  BEGIN
    IF seconds < 0.0d0 THEN RETURN Never END;
    now := RTSystem.TickNow();
    IF seconds * Nanoseconds >= FLOAT(Never - now, LONGREAL) THEN RETURN Never END;
    RETURN now + TRUNC(seconds * Nanoseconds);
  END In;

PROCEDURE Until(m: Mutex; c: Condition; deadline: Deadline; alertable: BOOLEAN): Ending =
  VAR left := NoLimit;
  BEGIN
    IF deadline # Never THEN left := MAX(0.0d0, FLOAT(deadline - RTSystem.TickNow(), LONGREAL) / Nanoseconds) END;
    RETURN WaitOn(m, c, alertable, left);
  END Until;

PROCEDURE IsAlerted(): BOOLEAN =
  BEGIN
    RETURN Self().alerted;
  END IsAlerted;

(* Takes the first threads out of the queue, at most `most`, and wakes them. A thread that waits on c
   entered the queue before it released its mutex. *)
PROCEDURE WakeFirst(c: Condition; most: CARDINAL) =
  VAR
    sleeping: ARRAY [0 .. 7] OF T;
    n: CARDINAL := 0;
    t: T;
  BEGIN
    IF c.first = NIL THEN RETURN END;
    RTThread.LockQueues();
    WHILE most > 0 AND c.first # NIL DO
      DEC(most);
      t := c.first;
      Dequeue(t);
      IF RTThread.Permit(t.permit) THEN
        IF n < NUMBER(sleeping) THEN
          sleeping[n] := t;
          INC(n);
        ELSE
          RTThread.WakeParked(t.permit);
        END;
      END;
    END;
    RTThread.UnlockQueues();
    (* Not while the queues are locked: to wake a thread takes some microseconds. *)
    FOR i := 0 TO n - 1 DO RTThread.WakeParked(sleeping[i].permit) END;
  END WakeFirst;

PROCEDURE Signal(c: Condition) =
  BEGIN
    WakeFirst(c, 1);
  END Signal;

PROCEDURE Broadcast(c: Condition) =
  BEGIN
    WakeFirst(c, LAST(CARDINAL));
  END Broadcast;

(* --- alerts and time --- *)

PROCEDURE Alert(t: T) =
  BEGIN
    RTThread.LockQueues();
    t.alerted := TRUE;
    IF t.alertable THEN RTThread.Unpark(t.permit) END;
    IF t.waker >= 0 THEN RTThread.Wake(t.waker) END;
    RTThread.UnlockQueues();
  END Alert;

PROCEDURE TestAlert(): BOOLEAN =
  VAR
    self := Self();
    result: BOOLEAN;
  BEGIN
    RTThread.LockQueues();
    result := self.alerted;
    self.alerted := FALSE;
    RTThread.UnlockQueues();
    RETURN result;
  END TestAlert;

PROCEDURE Pause(n: LONGREAL) =
  BEGIN
    IF n > 0.0d0 THEN RTSystem.Pause(n) END;
  END Pause;

PROCEDURE AlertPause(n: LONGREAL) RAISES {Alerted} =
  VAR
    self := Self();
    alerted: BOOLEAN;
  BEGIN
    RTThread.LockQueues();
    IF NOT self.alerted AND n > 0.0d0 THEN ParkLocked(self, TRUE, n) END;
    alerted := self.alerted;
    self.alerted := FALSE;
    RTThread.UnlockQueues();
    IF alerted THEN RAISE Alerted END;
  END AlertPause;

PROCEDURE AlertableSleep(s: Sleeper) RAISES {Alerted} =
  VAR
    self := Self();
    alerted: BOOLEAN;
  BEGIN
    RTThread.LockQueues();
    alerted := self.alerted;
    self.permit := 0;
    self.alertable := TRUE;
    RTThread.UnlockQueues();
    TRY
      IF NOT alerted THEN alerted := NOT s.sleep(self.permit, self.alerted) END;
    FINALLY
      RTThread.LockQueues();
      self.alertable := FALSE;
      IF alerted THEN self.alerted := FALSE END;
      RTThread.UnlockQueues();
    END;
    IF alerted THEN RAISE Alerted END;
  END AlertableSleep;

PROCEDURE Await(fd: INTEGER) RAISES {Alerted} =
  BEGIN
    EVAL AwaitFor(fd, -1.0D0);
  END Await;

PROCEDURE AwaitFor(fd: INTEGER; seconds: LONGREAL): BOOLEAN RAISES {Alerted} =
  BEGIN
    (* The read that follows will report the error. *)
    RETURN fd < 0 OR AwaitFile(fd, FALSE, seconds, TRUE) # State.Waits;
  END AwaitFor;

(* The waker exists only during the wait, so that a thread needs no descriptor otherwise. *)
PROCEDURE AwaitFile(fd: INTEGER; output: BOOLEAN; seconds: LONGREAL; alertable: BOOLEAN): State
  RAISES {Alerted} =
  VAR
    self: T;
    alerted: BOOLEAN;
    state := VAL(RTThread.AwaitFile(fd, output, -1, 0.0D0), State);
    waker: INTEGER;
  BEGIN
    IF state # State.Waits THEN RETURN state END;
    IF NOT alertable THEN RETURN VAL(RTThread.AwaitFile(fd, output, -1, seconds), State) END;
    waker := RTThread.NewWaker();
    IF waker < 0 THEN RETURN State.Unknown END;
    self := Self();
    RTThread.LockQueues();
    IF NOT self.alerted THEN
      self.waker := waker;
      RTThread.UnlockQueues();
      state := VAL(RTThread.AwaitFile(fd, output, waker, seconds), State);
      RTThread.LockQueues();
      self.waker := -1;
    END;
    alerted := self.alerted;
    self.alerted := FALSE;
    RTThread.UnlockQueues();
    RTThread.CloseWaker(waker);
    IF alerted THEN RAISE Alerted END;
    RETURN state;
  END AwaitFile;

(* --- stacks --- *)

PROCEDURE GetDefaultStackSize(): CARDINAL =
  BEGIN
    RETURN defaultStackSize;
  END GetDefaultStackSize;

PROCEDURE MinDefaultStackSize(min: CARDINAL) =
  BEGIN
    defaultStackSize := MAX(defaultStackSize, min);
  END MinDefaultStackSize;

PROCEDURE IncDefaultStackSize(inc: CARDINAL) =
  BEGIN
    defaultStackSize := MIN(defaultStackSize, LAST(CARDINAL) - inc) + inc;
  END IncDefaultStackSize;

BEGIN
  RTThread.SetMutexMethods(LOOPHOLE(AcquireMutex, ADDRESS), LOOPHOLE(ReleaseMutex, ADDRESS));
END Thread.
