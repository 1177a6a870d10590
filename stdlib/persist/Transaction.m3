UNSAFE MODULE Transaction;

IMPORT RTDatabase, Thread, ThreadAlert;

REVEAL
  T = Public BRANDED "Transaction.T" OBJECT
      handle: ADDRESS := NIL;  (* the run time's; NIL before the first begin *)
    OVERRIDES
      begin := Begin;
      alertBegin := AlertBegin;
      beginReadOnly := BeginReadOnly;
      commit := Commit;
      commitLater := CommitLater;
      chain := Chain;
      checkpoint := Checkpoint;
      abort := Abort;
      isOpen := IsOpen;
      lock := Lock;
      join := Join;
    END;

  Ticket = PublicTicket BRANDED "Transaction.Ticket" OBJECT
      number: INTEGER;  (* the run time's *)
    OVERRIDES
      wait := Wait;
      isDurable := IsDurable;
    END;

TYPE
  Sleeper = ThreadAlert.Sleeper OBJECT
      t: T;
      status: INTEGER;
    OVERRIDES
      sleep := SleepToBegin;
    END;

  Beginning = {Plain, Alertable, ReadOnly};

PROCEDURE Begin(t: T) RAISES {TransactionInProgress} =
  BEGIN
    CheckBegin(RTDatabase.Begin(t.handle));
  END Begin;

PROCEDURE BeginReadOnly(t: T) RAISES {TransactionInProgress} =
  BEGIN
    CheckBegin(RTDatabase.BeginReadOnly(t.handle));
  END BeginReadOnly;

PROCEDURE CheckBegin(status: INTEGER) RAISES {TransactionInProgress} =
  BEGIN
    IF status = RTDatabase.TransactionInProgress THEN RAISE TransactionInProgress END;
    Check(status);
  END CheckBegin;

PROCEDURE AlertBegin(t: T) RAISES {TransactionInProgress, Thread.Alerted} =
  VAR b := NEW(Sleeper, t := t);
  BEGIN
    ThreadAlert.AlertableSleep(b);
    IF b.status = RTDatabase.TransactionInProgress THEN RAISE TransactionInProgress END;
    Check(b.status);
  END AlertBegin;

PROCEDURE SleepToBegin(b: Sleeper; VAR permit: INTEGER; VAR alerted: BOOLEAN): BOOLEAN =
  BEGIN
    b.status := RTDatabase.AlertBegin(b.t.handle, permit, alerted);
    RETURN b.status # RTDatabase.Alerted;
  END SleepToBegin;

PROCEDURE Commit(t: T) =
  BEGIN
    Check(RTDatabase.Commit(t.handle));
  END Commit;

PROCEDURE CommitLater(t: T): Ticket =
  VAR ticket := NEW(Ticket);
  BEGIN
    Check(RTDatabase.CommitLater(t.handle, ticket.number));
    RETURN ticket;
  END CommitLater;

PROCEDURE Wait(ticket: Ticket) =
  BEGIN
    Check(RTDatabase.WaitFor(ticket.number));
  END Wait;

PROCEDURE IsDurable(ticket: Ticket): BOOLEAN =
  BEGIN
    RETURN RTDatabase.IsDurable(ticket.number);
  END IsDurable;

(* The first wait is for the newest commit: when that one is durable, so are all others. *)
PROCEDURE WaitAll(READONLY tickets: ARRAY OF Ticket) =
  VAR newest: Ticket := NIL;
  BEGIN
    FOR i := FIRST(tickets) TO LAST(tickets) DO
      IF newest = NIL OR tickets[i] # NIL AND tickets[i].number > newest.number THEN
        newest := tickets[i];
      END;
    END;
    IF newest # NIL THEN EVAL RTDatabase.WaitFor(newest.number) END;
    FOR i := FIRST(tickets) TO LAST(tickets) DO
      IF tickets[i] # NIL THEN tickets[i].wait() END;
    END;
  END WaitAll;

PROCEDURE Chain(t: T) =
  BEGIN
    Check(RTDatabase.Chain(t.handle));
  END Chain;

PROCEDURE Checkpoint(t: T) =
  BEGIN
    Check(RTDatabase.Checkpoint(t.handle));
  END Checkpoint;

PROCEDURE Abort(t: T) =
  BEGIN
    Check(RTDatabase.Abort(t.handle));
  END Abort;

PROCEDURE IsOpen(t: T): BOOLEAN =
  BEGIN
    RETURN t.handle # NIL AND RTDatabase.IsOpen(t.handle);
  END IsOpen;

PROCEDURE Lock(t: T; object: REFANY; mode: LockMode) =
  BEGIN
    Check(RTDatabase.Lock(t.handle, object, mode = LockMode.WRITE));
  END Lock;

PROCEDURE Join(t: T) RAISES {TransactionInProgress} =
  BEGIN
    CheckBegin(RTDatabase.Join(t.handle));
  END Join;

PROCEDURE Check(status: INTEGER) =
  BEGIN
    IF status # RTDatabase.Ok THEN RTDatabase.Raise(status) END;
  END Check;

PROCEDURE Run(c: Closure) RAISES ANY =
  BEGIN
    Repeat(c, Beginning.Plain);
  END Run;

PROCEDURE AlertRun(c: Closure) RAISES ANY =
  BEGIN
    Repeat(c, Beginning.Alertable);
  END AlertRun;

PROCEDURE RunReadOnly(c: Closure) RAISES ANY =
  BEGIN
    Repeat(c, Beginning.ReadOnly);
  END RunReadOnly;

PROCEDURE Repeat(c: Closure; how: Beginning) RAISES ANY =
  VAR t := NEW(T);  child := RTDatabase.Depth() > 0;
  BEGIN
    LOOP
      TRY
        CASE how OF
        | Beginning.Plain => t.begin();
        | Beginning.Alertable => t.alertBegin();
        | Beginning.ReadOnly => t.beginReadOnly();
        END;
        TRY
          c.apply();
          (* It has handled Aborted. *)
          IF NOT t.isOpen() THEN RAISE Aborted END;
          t.commit();
          RETURN;
        FINALLY
          IF t.isOpen() THEN t.abort() END;
        END;
      EXCEPT
      | Aborted => IF child THEN RAISE Aborted END;
      END;
    END;
  END Repeat;

BEGIN
END Transaction.
