(* golden: run, with lib/Check, lib/Dice, stress=500 *)
(* Many threads put into channels and many get, in every way, alone and by Select, while some are alerted and while
   channels are closed. What was put is got once, and from each producer in its order. *)
MODULE Main;

IMPORT Channels, Check, Dice, Fmt, IntChannel, Thread;

FROM Channels IMPORT Outcome;

CONST
  Producers = 8;
  Consumers = 6;
  Elements = 400;        (* of a producer *)
  Scale = 1000 * 1000;   (* an element is its producer * Scale + its number, from 1 *)

TYPE
  Worker = Thread.Closure OBJECT
      id: CARDINAL := 0;
      channels: REF ARRAY OF IntChannel.T;
      count, sum := 0;   (* of what was put or got *)
      thread: Thread.T := NIL;
    METHODS
      work() RAISES {Channels.Closed};
    OVERRIDES
      apply := Apply;
    END;

  Producer = Worker OBJECT
      putting: REF ARRAY OF Channels.Case;
    METHODS
      put(x: INTEGER): BOOLEAN RAISES {Channels.Closed} := Put;  (* FALSE: it was not put *)
    OVERRIDES
      work := Produce;
    END;

  Consumer = Worker OBJECT
      closeAt := 0;  (* closes the channels when it gets this element *)
      getting: REF ARRAY OF Channels.Case;
      last: ARRAY [0 .. Producers - 1] OF INTEGER;
    METHODS
      get(VAR x: INTEGER): BOOLEAN := Get;  (* FALSE: the end *)
    OVERRIDES
      work := Consume;
    END;

PROCEDURE Apply(w: Worker): REFANY =
  BEGIN
    TRY w.work() EXCEPT Channels.Closed => END;
    RETURN NIL;
  END Apply;

PROCEDURE Produce(p: Producer) RAISES {Channels.Closed} =
  VAR x: INTEGER;
  BEGIN
    p.putting := NEW(REF ARRAY OF Channels.Case, NUMBER(p.channels^));
    FOR i := 0 TO LAST(p.channels^) DO p.putting[i] := p.channels[i].putting(0) END;
    FOR i := 1 TO Elements DO
      x := p.id * Scale + i;
      WHILE NOT p.put(x) DO END;
      INC(p.count);
      INC(p.sum, x);
    END;
  END Produce;

PROCEDURE Put(p: Producer; x: INTEGER): BOOLEAN RAISES {Channels.Closed} =
  VAR
    channel := p.channels[Dice.Roll(NUMBER(p.channels^))];
    outcome := Outcome.Done;
    chosen: INTEGER;
  BEGIN
    TRY
      CASE Dice.Roll(6) OF
      | 0 => channel.put(x);
      | 1 => channel.alertPut(x);
      | 2 => outcome := channel.tryPut(x);
      | 3 => outcome := channel.alertTryPut(x, 0.001D0);
      ELSE
        FOR i := 0 TO LAST(p.putting^) DO NARROW(p.putting[i], IntChannel.Putting).value := x END;
        IF Dice.Roll(2) = 0 THEN
          chosen := Channels.Select(p.putting^, 0.001D0);
        ELSE
          chosen := Channels.AlertSelect(p.putting^);
        END;
        IF chosen = Channels.None THEN RETURN FALSE END;
        IF p.putting[chosen].closed THEN RAISE Channels.Closed END;
      END;
    EXCEPT
    | Thread.Alerted => RETURN FALSE;
    END;
    IF outcome = Outcome.Closed THEN RAISE Channels.Closed END;
    RETURN outcome = Outcome.Done;
  END Put;

PROCEDURE Consume(c: Consumer) =
  VAR x: INTEGER;
  BEGIN
    c.getting := NEW(REF ARRAY OF Channels.Case, NUMBER(c.channels^));
    FOR i := 0 TO LAST(c.channels^) DO c.getting[i] := c.channels[i].getting() END;
    WHILE c.get(x) DO
      INC(c.count);
      INC(c.sum, x);
      WITH last = c.last[x DIV Scale] DO
        (* Through several channels the elements of a producer may overtake each other. *)
        IF NUMBER(c.channels^) = 1 THEN
          Check.That(x > last, Dice.With(Fmt.Int(x) & " after " & Fmt.Int(last)));
        END;
        last := x;
      END;
      IF x = c.closeAt THEN CloseAll(c.channels^) END;
    END;
  END Consume;

(* The end is that of all channels, each of which is closed. *)
PROCEDURE Get(c: Consumer; VAR x: INTEGER): BOOLEAN =
  VAR
    chosen: INTEGER;
    outcome: Outcome;
  BEGIN
    LOOP
      TRY
        IF NUMBER(c.channels^) = 1 THEN
          CASE Dice.Roll(6) OF
          | 0 => RETURN c.channels[0].get(x);
          | 1 => RETURN c.channels[0].alertGet(x);
          | 2 =>
              outcome := c.channels[0].tryGet(x);
              IF outcome # Outcome.Late THEN RETURN outcome = Outcome.Done END;
          | 3 =>
              outcome := c.channels[0].alertTryGet(x, 0.001D0);
              IF outcome # Outcome.Late THEN RETURN outcome = Outcome.Done END;
          ELSE
          END;
        END;
        IF Dice.Roll(2) = 0 THEN
          chosen := Channels.Select(c.getting^, 0.001D0);
        ELSE
          chosen := Channels.AlertSelect(c.getting^);
        END;
        IF chosen # Channels.None THEN
          IF NOT c.getting[chosen].closed THEN
            x := NARROW(c.getting[chosen], IntChannel.Getting).value;
            RETURN TRUE;
          END;
          c.getting[chosen] := NIL;
          FOR i := 0 TO LAST(c.getting^) DO
            IF c.getting[i] # NIL THEN chosen := Channels.None END;
          END;
          IF chosen # Channels.None THEN RETURN FALSE END;
        END;
      EXCEPT
      | Thread.Alerted =>
      END;
    END;
  END Get;

PROCEDURE CloseAll(READONLY channels: ARRAY OF IntChannel.T) =
  BEGIN
    FOR i := 0 TO LAST(channels) DO channels[i].close() END;
  END CloseAll;

PROCEDURE Start(w: Worker; id: CARDINAL; channels: REF ARRAY OF IntChannel.T): Worker =
  BEGIN
    w.id := id;
    w.channels := channels;
    w.thread := Thread.Fork(w);
    RETURN w;
  END Start;

(* With `close` the channels are closed in the middle. *)
PROCEDURE Storm(channelCount, capacity: CARDINAL; close: BOOLEAN) =
  VAR
    channels := NEW(REF ARRAY OF IntChannel.T, channelCount);
    producers: ARRAY [0 .. Producers - 1] OF Worker;
    consumers: ARRAY [0 .. Consumers - 1] OF Worker;
    put, got, putSum, gotSum := 0;
    closeAt := 0;
    what := Dice.With(Fmt.F("%s channels of %s", Fmt.Int(channelCount), Fmt.Int(capacity)));
  BEGIN
    IF close THEN closeAt := 3 * Scale + Elements DIV 2 END;
    FOR i := 0 TO LAST(channels^) DO channels[i] := NEW(IntChannel.T).init(capacity) END;
    FOR i := 0 TO LAST(producers) DO producers[i] := Start(NEW(Producer), i, channels) END;
    FOR i := 0 TO LAST(consumers) DO
      consumers[i] := Start(NEW(Consumer, closeAt := closeAt, last := ARRAY [0 .. Producers - 1] OF INTEGER {0, ..}), i,
                            channels);
    END;
    FOR i := 1 TO 200 DO
      Thread.Alert(producers[Dice.Roll(Producers)].thread);
      Thread.Alert(consumers[Dice.Roll(Consumers)].thread);
      IF i MOD 10 = 0 THEN Thread.Pause(0.0002D0) END;
    END;
    FOR i := 0 TO LAST(producers) DO
      EVAL Thread.Join(producers[i].thread);
      INC(put, producers[i].count);
      INC(putSum, producers[i].sum);
    END;
    CloseAll(channels^);
    FOR i := 0 TO LAST(consumers) DO
      EVAL Thread.Join(consumers[i].thread);
      INC(got, consumers[i].count);
      INC(gotSum, consumers[i].sum);
    END;
    Check.Int(got, put, what);
    Check.Int(gotSum, putSum, what & ", their sum");
    IF close THEN
      Check.That(put >= Elements DIV 2 AND put < Producers * Elements, what & ", some");
    ELSE
      Check.Int(put, Producers * Elements, what & ", all");
    END;
    FOR i := 0 TO LAST(channels^) DO Check.Int(channels[i].size(), 0, what & ", what is left") END;
  END Storm;

BEGIN
  FOR close := FALSE TO TRUE DO
    FOR capacity := 0 TO 2 DO
      Storm(1, capacity * 5, close);
      Storm(3, capacity, close);
    END;
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
