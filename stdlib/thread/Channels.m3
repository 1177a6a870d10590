MODULE Channels EXPORTS Channels, ChannelRep;

IMPORT Thread, ThreadWait, Word;

FROM ThreadWait IMPORT Ending;

REVEAL
  T = Rep BRANDED "Channels.T" OBJECT OVERRIDES
    close := Close;
    isClosed := IsClosed;
    size := Size;
    capacity := Capacity;
  END;

  Case = CaseRep BRANDED "Channels.Case" OBJECT END;

VAR
  mu := NEW(MUTEX);       (* for what follows *)
  made: CARDINAL := 0;    (* channels *)
  dice: Word.T := 1;

PROCEDURE Init(t: T; capacity: CARDINAL) =
  BEGIN
    <*ASSERT t.mu = NIL WITH "Channel.init: the channel has been initialised"*>
    t.mu := NEW(MUTEX);
    t.most := capacity;
    LOCK mu DO
      INC(made);
      t.number := made;
    END;
  END Init;

PROCEDURE IsClosed(t: T): BOOLEAN =
  BEGIN
    LOCK t.mu DO RETURN t.isShut END;
  END IsClosed;

PROCEDURE Size(t: T): CARDINAL =
  BEGIN
    LOCK t.mu DO RETURN t.count END;
  END Size;

PROCEDURE Capacity(t: T): CARDINAL =
  BEGIN
    RETURN t.most;
  END Capacity;

PROCEDURE Close(t: T) =
  BEGIN
    LOCK t.mu DO
      IF NOT t.isShut THEN
        t.isShut := TRUE;
        Refuse(t.getters);
        Refuse(t.putters);
      END;
    END;
  END Close;

PROCEDURE Refuse(VAR q: Queue) =
  VAR c: Case;
  BEGIN
    LOOP
      c := First(q);
      IF c = NIL THEN EXIT END;
      c.closed := TRUE;
      Serve(c);
    END;
  END Refuse;

(* --- queues, with the channel's mutex --- *)

PROCEDURE Enqueue(VAR q: Queue; c: Case) =
  BEGIN
    c.isQueued := TRUE;
    c.previous := q.last;
    c.next := NIL;
    IF q.last = NIL THEN q.first := c ELSE q.last.next := c END;
    q.last := c;
  END Enqueue;

PROCEDURE Dequeue(VAR q: Queue; c: Case) =
  BEGIN
    IF c.previous = NIL THEN q.first := c.next ELSE c.previous.next := c.next END;
    IF c.next = NIL THEN q.last := c.previous ELSE c.next.previous := c.previous END;
    c.next := NIL;
    c.previous := NIL;
    c.isQueued := FALSE;
  END Dequeue;

PROCEDURE First(VAR q: Queue): Case =
  VAR c: Case;
  BEGIN
    LOOP
      c := q.first;
      IF c = NIL THEN RETURN NIL END;
      Dequeue(q, c);
      Thread.Acquire(c.waiter);
      IF NOT c.waiter.isOver THEN RETURN c END;
      Thread.Release(c.waiter);
    END;
  END First;

PROCEDURE Serve(c: Case) =
  VAR waiter := c.waiter;
  BEGIN
    waiter.isOver := TRUE;
    waiter.served := c;
    Thread.Release(waiter);
    Thread.Signal(waiter.woken);
  END Serve;

PROCEDURE Refill(t: T) =
  VAR putter := First(t.putters);
  BEGIN
    IF putter # NIL THEN
      t.append(putter);
      Serve(putter);
    END;
  END Refill;

(* Whether the case happened. *)
PROCEDURE Happens(c: Case): BOOLEAN =
  VAR
    t := c.channel;
    other: Case;
  BEGIN
    c.closed := FALSE;
    IF c.puts THEN
      IF t.isShut THEN
        c.closed := TRUE;
        RETURN TRUE;
      END;
      other := First(t.getters);
      IF other # NIL THEN
        t.hand(c, other);
        Serve(other);
        RETURN TRUE;
      END;
      IF t.count < t.most THEN
        t.append(c);
        RETURN TRUE;
      END;
      RETURN FALSE;
    END;
    IF t.count > 0 THEN
      t.remove(c);
      Refill(t);
      RETURN TRUE;
    END;
    other := First(t.putters);
    IF other # NIL THEN
      t.hand(other, c);
      Serve(other);
      RETURN TRUE;
    END;
    c.closed := t.isShut;
    RETURN t.isShut;
  END Happens;

(* --- the choice --- *)

TYPE
  Cases = REF ARRAY OF Case;

(* Those that are not NIL, by the numbers of their channels. *)
PROCEDURE Sorted(READONLY cases: ARRAY OF Case): Cases =
  VAR
    n := 0;
    at: CARDINAL;
    sorted: Cases;
  BEGIN
    FOR i := 0 TO LAST(cases) DO
      IF cases[i] # NIL THEN INC(n) END;
    END;
    sorted := NEW(Cases, n);
    n := 0;
    FOR i := 0 TO LAST(cases) DO
      IF cases[i] # NIL THEN
        <*ASSERT cases[i].waiter = NIL WITH "Channels.Select: a case is in use by another thread"*>
        at := n;
        WHILE at > 0 AND sorted[at - 1].channel.number > cases[i].channel.number DO
          sorted[at] := sorted[at - 1];
          DEC(at);
        END;
        sorted[at] := cases[i];
        INC(n);
        WHILE at > 0 AND sorted[at - 1].channel = cases[i].channel DO
          DEC(at);
          <*ASSERT sorted[at] # cases[i] WITH "Channels.Select: a case is given twice"*>
        END;
      END;
    END;
    RETURN sorted;
  END Sorted;

PROCEDURE LockAll(READONLY sorted: ARRAY OF Case) =
  BEGIN
    FOR i := 0 TO LAST(sorted) DO
      IF i = 0 OR sorted[i].channel # sorted[i - 1].channel THEN Thread.Acquire(sorted[i].channel.mu) END;
    END;
  END LockAll;

PROCEDURE UnlockAll(READONLY sorted: ARRAY OF Case) =
  BEGIN
    FOR i := 0 TO LAST(sorted) DO
      IF i = 0 OR sorted[i].channel # sorted[i - 1].channel THEN Thread.Release(sorted[i].channel.mu) END;
    END;
  END UnlockAll;

PROCEDURE Roll(): Word.T =
  BEGIN
    LOCK mu DO
      dice := Word.Plus(Word.Times(dice, 6364136223846793005), 1442695040888963407);
      RETURN Word.RightShift(dice, 33);
    END;
  END Roll;

(* With the mutexes: the case that happened; NIL: none can. Puts them into another order. *)
PROCEDURE AnyThatHappens(VAR cases: ARRAY OF Case): Case =
  VAR
    random: Word.T := 0;
    left: CARDINAL;
    c: Case;
  BEGIN
    IF NUMBER(cases) > 1 THEN random := Roll() END;
    FOR i := 0 TO LAST(cases) DO
      left := NUMBER(cases) - i;
      WITH chosen = cases[i + Word.Mod(random, left)] DO
        c := chosen;
        chosen := cases[i];
      END;
      IF Happens(c) THEN RETURN c END;
      random := Word.Divide(random, left);
    END;
    RETURN NIL;
  END AnyThatHappens;

(* With the mutexes. *)
PROCEDURE EnqueueAll(waiter: Waiter; READONLY cases: ARRAY OF Case) =
  BEGIN
    FOR i := 0 TO LAST(cases) DO
      WITH c = cases[i] DO
        c.waiter := waiter;
        IF c.puts THEN Enqueue(c.channel.putters, c) ELSE Enqueue(c.channel.getters, c) END;
      END;
    END;
  END EnqueueAll;

PROCEDURE DequeueAll(READONLY cases: ARRAY OF Case) =
  BEGIN
    FOR i := 0 TO LAST(cases) DO
      WITH c = cases[i], t = c.channel DO
        LOCK t.mu DO
          IF c.isQueued THEN
            IF c.puts THEN Dequeue(t.putters, c) ELSE Dequeue(t.getters, c) END;
          END;
          c.waiter := NIL;
        END;
      END;
    END;
  END DequeueAll;

(* Waits until a case is served; NIL: none was, and none will be. *)
PROCEDURE Served(waiter: Waiter; deadline: ThreadWait.Deadline; alertable: BOOLEAN; VAR alerted: BOOLEAN): Case =
  VAR ending := Ending.Woken;
  BEGIN
    LOCK waiter DO
      WHILE NOT waiter.isOver AND ending = Ending.Woken DO
        ending := ThreadWait.Until(waiter, waiter.woken, deadline, alertable);
      END;
      (* An alert that came behind is for the next wait. *)
      IF waiter.isOver AND ending = Ending.Alerted THEN Thread.Alert(Thread.Self()) END;
      alerted := NOT waiter.isOver AND ending = Ending.Alerted;
      waiter.isOver := TRUE;
      RETURN waiter.served;
    END;
  END Served;

(* The case that happened; NIL: none. *)
PROCEDURE Choose(READONLY cases: ARRAY OF Case; seconds: LONGREAL; alertable: BOOLEAN): Case RAISES {Thread.Alerted} =
  VAR
    sorted, shuffled: Cases;
    c: Case;
    waiter: Waiter;
    alerted: BOOLEAN;
    deadline := ThreadWait.In(seconds);
  BEGIN
    IF alertable AND ThreadWait.IsAlerted() AND Thread.TestAlert() THEN RAISE Thread.Alerted END;
    sorted := Sorted(cases);
    shuffled := NEW(Cases, NUMBER(sorted^));
    shuffled^ := sorted^;
    LockAll(sorted^);
    c := AnyThatHappens(shuffled^);
    IF c = NIL AND seconds # 0.0D0 THEN
      waiter := NEW(Waiter, woken := NEW(Thread.Condition));
      EnqueueAll(waiter, sorted^);
    END;
    UnlockAll(sorted^);
    IF waiter # NIL THEN
      c := Served(waiter, deadline, alertable, alerted);
      DequeueAll(sorted^);
      IF alerted THEN RAISE Thread.Alerted END;
    END;
    RETURN c;
  END Choose;

PROCEDURE Index(READONLY cases: ARRAY OF Case; c: Case): INTEGER =
  BEGIN
    IF c # NIL THEN
      FOR i := 0 TO LAST(cases) DO
        IF cases[i] = c THEN RETURN i END;
      END;
    END;
    RETURN None;
  END Index;

PROCEDURE Select(READONLY cases: ARRAY OF Case; seconds: LONGREAL): INTEGER =
  <*FATAL Thread.Alerted*>
  BEGIN
    RETURN Index(cases, Choose(cases, seconds, FALSE));
  END Select;

PROCEDURE AlertSelect(READONLY cases: ARRAY OF Case; seconds: LONGREAL): INTEGER RAISES {Thread.Alerted} =
  BEGIN
    RETURN Index(cases, Choose(cases, seconds, TRUE));
  END AlertSelect;

PROCEDURE Await(c: Case; seconds: LONGREAL; alertable: BOOLEAN): Outcome RAISES {Thread.Alerted} =
  BEGIN
    IF Choose(ARRAY OF Case{c}, seconds, alertable) = NIL THEN RETURN Outcome.Late END;
    IF c.closed THEN RETURN Outcome.Closed END;
    RETURN Outcome.Done;
  END Await;

BEGIN
END Channels.
