MODULE ChannelsTest;

IMPORT ChannelRep, Channels, Fmt, IntChannel, RefChannel, RuntimeError, Test, TextChannel, Thread, ThreadWait, Tick,
       Word;

FROM Channels IMPORT Outcome;

TYPE
  (* Does one thing in a thread of its own. *)
  Actor = Thread.Closure OBJECT
      channel: IntChannel.T;
      value := 0;
      said := "nothing";
      thread: Thread.T;
    METHODS
      act() RAISES ANY;
      start(channel: IntChannel.T; value := 0): Actor := Start;
      end(): TEXT := End;
    OVERRIDES
      apply := Apply;
    END;

PROCEDURE Start(a: Actor; channel: IntChannel.T; value: INTEGER): Actor =
  BEGIN
    a.channel := channel;
    a.value := value;
    a.thread := Thread.Fork(a);
    RETURN a;
  END Start;

PROCEDURE End(a: Actor): TEXT =
  BEGIN
    EVAL Thread.Join(a.thread);
    RETURN a.said;
  END End;

PROCEDURE Apply(a: Actor): REFANY =
  BEGIN
    TRY
      a.act();
    EXCEPT
    | Channels.Closed => a.said := "Closed";
    | Thread.Alerted => a.said := "Alerted";
    ELSE a.said := "another exception";
    END;
    RETURN NIL;
  END Apply;

TYPE
  Putter = Actor OBJECT OVERRIDES act := ActPut END;
  AlertPutter = Actor OBJECT OVERRIDES act := ActAlertPut END;
  Getter = Actor OBJECT OVERRIDES act := ActGet END;
  AlertGetter = Actor OBJECT OVERRIDES act := ActAlertGet END;

PROCEDURE ActPut(a: Actor) RAISES ANY =
  BEGIN
    a.channel.put(a.value);
    a.said := "put";
  END ActPut;

PROCEDURE ActAlertPut(a: Actor) RAISES ANY =
  BEGIN
    a.channel.alertPut(a.value);
    a.said := "put";
  END ActAlertPut;

PROCEDURE ActGet(a: Actor) RAISES ANY =
  VAR x := -1;
  BEGIN
    IF a.channel.get(x) THEN a.said := Fmt.Int(x) ELSE a.said := "end " & Fmt.Int(x) END;
  END ActGet;

PROCEDURE ActAlertGet(a: Actor) RAISES ANY =
  VAR x := -1;
  BEGIN
    IF a.channel.alertGet(x) THEN a.said := Fmt.Int(x) ELSE a.said := "end" END;
  END ActAlertGet;

PROCEDURE Since(begun: Tick.T): LONGREAL =
  BEGIN
    RETURN Tick.ToSeconds(Word.Minus(Tick.Now(), begun));
  END Since;

PROCEDURE New(capacity: CARDINAL): IntChannel.T =
  BEGIN
    RETURN NEW(IntChannel.T).init(capacity);
  END New;

PROCEDURE Is(t: Test.T; got, expected: Outcome) =
  BEGIN
    t.equalInt(ORD(got), ORD(expected));
  END Is;

(* Waits until so many offers wait in the channel. *)
PROCEDURE AwaitWaiting(channel: IntChannel.T; count: CARDINAL) =
  VAR waiting: CARDINAL;

  PROCEDURE Add(READONLY queue: ChannelRep.Queue) =
    VAR c := queue.first;
    BEGIN
      WHILE c # NIL DO
        INC(waiting);
        c := c.next;
      END;
    END Add;

  BEGIN
    REPEAT
      Thread.Pause(0.001D0);
      waiting := 0;
      LOCK channel.mu DO
        Add(channel.getters);
        Add(channel.putters);
      END;
    UNTIL waiting = count;
  END AwaitWaiting;

PROCEDURE TestBufferKeepsTheOrderAndItsCapacity(t: Test.T) =
  CONST Capacity = 100;
  VAR
    channel := New(Capacity);
    put, got := 0;
    x: INTEGER;
  BEGIN
    t.equalInt(channel.capacity(), Capacity);
    FOR round := 1 TO 40 DO
      FOR i := 1 TO (round * 37) MOD (Capacity + 20) DO
        IF put - got < Capacity THEN
          Is(t, channel.tryPut(put), Outcome.Done);
          INC(put);
        ELSE
          Is(t, channel.tryPut(-1), Outcome.Late);
        END;
      END;
      t.equalInt(channel.size(), put - got);
      FOR i := 1 TO (round * 23) MOD (Capacity + 20) DO
        IF got < put THEN
          Is(t, channel.tryGet(x), Outcome.Done);
          t.equalInt(x, got);
          INC(got);
        ELSE
          x := -7;
          Is(t, channel.tryGet(x), Outcome.Late);
          t.equalInt(x, -7);
        END;
      END;
    END;
    t.check(put > 10 * Capacity);
  END TestBufferKeepsTheOrderAndItsCapacity;

PROCEDURE TestHandOver(t: Test.T) =
  VAR
    channel := New(0);
    putter: Actor;
    getter: Actor;
    x := 0;
  BEGIN
    Is(t, channel.tryPut(1), Outcome.Late);
    Is(t, channel.tryGet(x), Outcome.Late);
    putter := NEW(Putter).start(channel, 5);
    AwaitWaiting(channel, 1);
    t.equalText(putter.said, "nothing", "a put waits for a get");
    t.equalInt(channel.size(), 0);
    t.check(channel.get(x));
    t.equalInt(x, 5);
    t.equalText(putter.end(), "put");
    getter := NEW(Getter).start(channel);
    Is(t, channel.tryPut(6, 10.0D0), Outcome.Done);
    t.equalText(getter.end(), "6");
  END TestHandOver;

PROCEDURE TestWaitingPutsFollowInOrder(t: Test.T) RAISES {Channels.Closed} =
  VAR
    channel := New(1);
    putters: ARRAY [1 .. 5] OF Actor;
    x: INTEGER;
  BEGIN
    channel.put(0);
    FOR i := FIRST(putters) TO LAST(putters) DO
      putters[i] := NEW(Putter).start(channel, i);
      AwaitWaiting(channel, i);
    END;
    FOR i := 0 TO LAST(putters) DO
      t.check(channel.get(x));
      t.equalInt(x, i);
    END;
    FOR i := FIRST(putters) TO LAST(putters) DO t.equalText(putters[i].end(), "put") END;
    Is(t, channel.tryGet(x), Outcome.Late);
  END TestWaitingPutsFollowInOrder;

PROCEDURE TestLimits(t: Test.T) =
  VAR
    channel := New(0);
    begun := Tick.Now();
    x: INTEGER;
  BEGIN
    Is(t, channel.tryGet(x, 0.03D0), Outcome.Late);
    Is(t, channel.tryPut(1, 0.03D0), Outcome.Late);
    TRY
      Is(t, channel.alertTryGet(x, 0.03D0), Outcome.Late);
      Is(t, channel.alertTryPut(1, 0.03D0), Outcome.Late);
    EXCEPT
    | Thread.Alerted => t.fail("alerted");
    END;
    t.check(Since(begun) >= 0.12D0);
    Is(t, channel.tryGet(x), Outcome.Late);  (* the puts that came too late have left nothing *)
  END TestLimits;

PROCEDURE TestClose(t: Test.T) RAISES {Channels.Closed} =
  VAR
    channel := New(2);
    x := -1;

  PROCEDURE PutOne() RAISES ANY =
    BEGIN
      channel.put(1);
    END PutOne;

  BEGIN
    channel.put(1);
    channel.put(2);
    WITH putter = NEW(Putter).start(channel, 3) DO
      AwaitWaiting(channel, 1);
      t.check(NOT channel.isClosed());
      channel.close();
      t.equalText(putter.end(), "Closed");
    END;
    channel.close();
    t.check(channel.isClosed());
    EVAL t.raises(PutOne, "Channels.Closed");
    Is(t, channel.tryPut(1), Outcome.Closed);
    t.check(channel.get(x) AND x = 1);
    Is(t, channel.tryGet(x), Outcome.Done);
    t.equalInt(x, 2);
    x := -1;
    t.check(NOT channel.get(x) AND x = -1);
    Is(t, channel.tryGet(x, 10.0D0), Outcome.Closed);
  END TestClose;

PROCEDURE TestCloseEndsWaitingGets(t: Test.T) =
  VAR
    channel := New(0);
    first := NEW(Getter).start(channel);
    second := NEW(Getter).start(channel);
  BEGIN
    AwaitWaiting(channel, 2);
    channel.close();
    t.equalText(first.end(), "end -1");
    t.equalText(second.end(), "end -1");
  END TestCloseEndsWaitingGets;

PROCEDURE TestAlertsEndWaits(t: Test.T) =
  VAR
    channel := New(0);
    x: INTEGER;
  BEGIN
    FOR i := 0 TO 1 DO  (* before the wait, or in it *)
      WITH putter = NEW(AlertPutter).start(channel, 1) DO
        IF i = 1 THEN AwaitWaiting(channel, 1) END;
        Thread.Alert(putter.thread);
        t.equalText(putter.end(), "Alerted");
      END;
      WITH getter = NEW(AlertGetter).start(channel) DO
        IF i = 1 THEN AwaitWaiting(channel, 1) END;
        Thread.Alert(getter.thread);
        t.equalText(getter.end(), "Alerted");
      END;
    END;
    Is(t, channel.tryGet(x), Outcome.Late);
    Is(t, channel.tryPut(1), Outcome.Late);
  END TestAlertsEndWaits;

PROCEDURE TestPendingAlert(t: Test.T) RAISES {Channels.Closed, Thread.Alerted} =
  VAR
    channel := New(2);
    x: INTEGER;

  PROCEDURE GetOne() RAISES ANY =
    BEGIN
      EVAL channel.alertGet(x);
    END GetOne;

  PROCEDURE PutOne() RAISES ANY =
    BEGIN
      channel.alertPut(2);
    END PutOne;

  PROCEDURE SelectOne() RAISES ANY =
    BEGIN
      EVAL Channels.AlertSelect(ARRAY OF Channels.Case {channel.getting()});
    END SelectOne;

  BEGIN
    channel.put(1);
    Thread.Alert(Thread.Self());
    EVAL t.raises(GetOne, "Thread.Alerted", "though there is something to get");
    Thread.Alert(Thread.Self());
    EVAL t.raises(PutOne, "Thread.Alerted", "though there is room");
    Thread.Alert(Thread.Self());
    EVAL t.raises(SelectOne, "Thread.Alerted");
    t.equalInt(channel.size(), 1, "nothing was got or put");
    Thread.Alert(Thread.Self());
    t.check(channel.get(x) AND x = 1);
    Is(t, channel.tryGet(x, 0.01D0), Outcome.Late);
    t.check(Thread.TestAlert(), "other waits leave the alert");
    channel.alertPut(3);
    t.check(channel.alertGet(x) AND x = 3);
  END TestPendingAlert;

PROCEDURE TestSelectTakesWhatIsReady(t: Test.T) RAISES {Channels.Closed} =
  VAR
    full, empty := New(1);
    words := NEW(TextChannel.T).init(1);
    things := NEW(RefChannel.T).init(1);
    word := words.putting("hello");
    thing := things.getting();
    text: TEXT;
  BEGIN
    full.put(1);
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {full.putting(2), empty.getting(), thing}, 0.0D0),
               Channels.None);
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {full.putting(2), NIL, thing, word}), 3);
    t.check(words.get(text));
    t.equalText(text, "hello");
    things.put(word);
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {empty.getting(), thing, full.putting(2)}), 1);
    t.check(thing.value = word AND NOT thing.closed);
    word.value := "again";
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {word}), 0);
    t.check(words.get(text));
    t.equalText(text, "again");
  END TestSelectTakesWhatIsReady;

PROCEDURE TestSelectIsFair(t: Test.T) RAISES {Channels.Closed} =
  VAR
    channels: ARRAY [0 .. 2] OF IntChannel.T;
    cases: ARRAY [0 .. 3] OF Channels.Case;
    count := ARRAY [0 .. 3] OF INTEGER {0, ..};
  BEGIN
    cases[3] := New(0).getting();
    FOR i := 0 TO LAST(channels) DO
      channels[i] := New(1);
      channels[i].put(i);
      cases[i] := channels[i].getting();
    END;
    FOR round := 1 TO 3000 DO
      WITH i = Channels.Select(cases) DO
        INC(count[i]);
        channels[i].put(0);
      END;
    END;
    FOR i := 0 TO LAST(channels) DO t.check(ABS(count[i] - 1000) < 200) END;
  END TestSelectIsFair;

PROCEDURE TestSelectWaits(t: Test.T) =
  VAR
    a, b := New(0);
    got := b.getting();
    begun := Tick.Now();
    putter: Actor;
    x: INTEGER;
  BEGIN
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {a.putting(1), got}, 0.03D0), Channels.None);
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {}, 0.03D0), Channels.None);
    t.check(Since(begun) >= 0.06D0);
    putter := NEW(Putter).start(b, 8);
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {a.putting(1), got}), 1);
    t.equalInt(got.value, 8);
    t.equalText(putter.end(), "put");
    Is(t, a.tryGet(x), Outcome.Late);  (* the other offer is withdrawn *)
  END TestSelectWaits;

TYPE
  Chooser = Thread.Closure OBJECT
      cases: REF ARRAY OF Channels.Case;
      chosen := -2;
    OVERRIDES
      apply := ChooseOne;
    END;

PROCEDURE ChooseOne(c: Chooser): REFANY =
  BEGIN
    TRY
      c.chosen := Channels.AlertSelect(c.cases^, 10.0D0);
    EXCEPT
    | Thread.Alerted => c.chosen := -3;
    END;
    RETURN NIL;
  END ChooseOne;

PROCEDURE NewChooser(a, b: Channels.Case): Chooser =
  VAR cases := NEW(REF ARRAY OF Channels.Case, 2);
  BEGIN
    cases[0] := a;
    cases[1] := b;
    RETURN NEW(Chooser, cases := cases);
  END NewChooser;

PROCEDURE TestSelectsMeetEachOther(t: Test.T) =
  VAR
    a, b := New(0);
    mine := a.getting();
    others := b.getting();
    chooser: Chooser;
    thread: Thread.T;
  BEGIN
    FOR i := 1 TO 50 DO
      chooser := NewChooser(others, a.putting(i));
      thread := Thread.Fork(chooser);
      WITH chosen = Channels.Select(ARRAY OF Channels.Case {b.putting(-i), mine}, 10.0D0) DO
        EVAL Thread.Join(thread);
        t.equalInt(chosen, chooser.chosen);
        IF chosen = 0 THEN t.equalInt(others.value, -i) ELSE t.equalInt(mine.value, i) END;
      END;
    END;
  END TestSelectsMeetEachOther;

PROCEDURE TestSelectDoesNotMeetItself(t: Test.T) =
  VAR channel := New(0);
  BEGIN
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {channel.getting(), channel.putting(1)}, 0.03D0), Channels.None);
  END TestSelectDoesNotMeetItself;

PROCEDURE TestSelectOfClosed(t: Test.T) =
  VAR
    a, b := New(0);
    got := a.getting();
    put := b.putting(1);
    waiting := NewChooser(New(0).getting(), a.getting());
    thread := Thread.Fork(waiting);
  BEGIN
    AwaitWaiting(a, 1);
    a.close();
    EVAL Thread.Join(thread);
    t.check(waiting.chosen = 1 AND waiting.cases[1].closed AND NOT waiting.cases[0].closed);
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {got, put}, 1.0D0), 0);
    t.check(got.closed AND NOT put.closed);
    b.close();
    t.equalInt(Channels.Select(ARRAY OF Channels.Case {NIL, put}), 1);
    t.check(put.closed);
  END TestSelectOfClosed;

PROCEDURE TestSelectIsAlerted(t: Test.T) =
  VAR
    a := New(0);
    chooser := NewChooser(a.getting(), NIL);
    thread := Thread.Fork(chooser);
  BEGIN
    AwaitWaiting(a, 1);
    Thread.Alert(thread);
    EVAL Thread.Join(thread);
    t.equalInt(chooser.chosen, -3);
    Is(t, a.tryPut(1), Outcome.Late);
  END TestSelectIsAlerted;

PROCEDURE TestCasesAreForOneSelect(t: Test.T) =
  VAR
    a := New(0);
    got := a.getting();
    chooser := NewChooser(got, NIL);
    thread := Thread.Fork(chooser);

  PROCEDURE InUse() RAISES ANY =
    BEGIN
      EVAL Channels.Select(ARRAY OF Channels.Case {got}, 0.0D0);
    END InUse;

  PROCEDURE Twice() RAISES ANY =
    BEGIN
      EVAL Channels.Select(ARRAY OF Channels.Case {got, a.putting(1), got}, 0.0D0);
    END Twice;

  BEGIN
    AwaitWaiting(a, 1);
    EVAL t.fails(InUse, RuntimeError.T.AssertFailed);
    Is(t, a.tryPut(4, 10.0D0), Outcome.Done);
    EVAL Thread.Join(thread);
    t.equalInt(got.value, 4);
    EVAL t.fails(Twice, RuntimeError.T.AssertFailed);
    Is(t, a.tryPut(1), Outcome.Late);  (* and the channel can be used *)
  END TestCasesAreForOneSelect;

(* --- ThreadWait --- *)

PROCEDURE TestWaitsWithLimits(t: Test.T) =
  VAR
    mu := NEW(MUTEX);
    condition := NEW(Thread.Condition);
    begun := Tick.Now();
  BEGIN
    LOCK mu DO
      FOR alertable := FALSE TO TRUE DO
        t.check(ThreadWait.Until(mu, condition, ThreadWait.In(0.03D0), alertable) = ThreadWait.Ending.Late);
      END;
      t.check(Since(begun) >= 0.06D0);
      t.check(ThreadWait.Until(mu, condition, ThreadWait.In(0.0D0), FALSE) = ThreadWait.Ending.Late);
      Thread.Alert(Thread.Self());
      t.check(ThreadWait.IsAlerted());
      t.check(ThreadWait.Until(mu, condition, ThreadWait.In(0.0D0), FALSE) = ThreadWait.Ending.Late);
      t.check(ThreadWait.IsAlerted());
      t.check(ThreadWait.Until(mu, condition, ThreadWait.Never, TRUE) = ThreadWait.Ending.Alerted);
      t.check(NOT ThreadWait.IsAlerted());
    END;
    t.check(ThreadWait.In(-1.0D0) = ThreadWait.Never);
    t.check(ThreadWait.In(1.0D30) = ThreadWait.Never);
  END TestWaitsWithLimits;

TYPE
  Waker = Thread.Closure OBJECT mu: MUTEX; condition: Thread.Condition OVERRIDES apply := Wake END;

PROCEDURE Wake(w: Waker): REFANY =
  BEGIN
    LOCK w.mu DO Thread.Signal(w.condition) END;
    RETURN NIL;
  END Wake;

PROCEDURE TestSignalsEndWaitsWithLimits(t: Test.T) =
  VAR
    waker := NEW(Waker, mu := NEW(MUTEX), condition := NEW(Thread.Condition));
    thread: Thread.T;
  BEGIN
    FOR alertable := FALSE TO TRUE DO
      LOCK waker.mu DO
        thread := Thread.Fork(waker);
        t.check(ThreadWait.Until(waker.mu, waker.condition, ThreadWait.In(20.0D0), alertable)
                  = ThreadWait.Ending.Woken);
      END;
      EVAL Thread.Join(thread);
    END;
  END TestSignalsEndWaitsWithLimits;

BEGIN
END ChannelsTest.
