GENERIC MODULE Channel(Elem);

IMPORT ChannelRep, Channels, Thread, ThreadWait;

FROM Channels IMPORT NoLimit, Outcome;

VAR
  blank: Elem.T;  (* the contents of unused places, so that they keep nothing alive *)

REVEAL
  T = Public BRANDED Brand OBJECT
      buffer: REF ARRAY OF Elem.T := NIL;  (* a ring that grows up to the capacity *)
      start: CARDINAL := 0;
    OVERRIDES
      init := Init;
      put := Put;
      get := Get;
      tryPut := TryPut;
      tryGet := TryGet;
      alertPut := AlertPut;
      alertGet := AlertGet;
      alertTryPut := AlertTryPut;
      alertTryGet := AlertTryGet;
      getting := NewGetting;
      putting := NewPutting;
      append := Append;
      remove := Remove;
      hand := Hand;
    END;

CONST
  FirstRoom = 16;

PROCEDURE Init(t: T; capacity: CARDINAL): T =
  BEGIN
    ChannelRep.Init(t, capacity);
    t.buffer := NEW(REF ARRAY OF Elem.T, MIN(capacity, FirstRoom));
    RETURN t;
  END Init;

PROCEDURE NewGetting(t: T): Getting =
  BEGIN
    RETURN NEW(Getting, channel := t, puts := FALSE);
  END NewGetting;

PROCEDURE NewPutting(t: T; READONLY x: Elem.T): Putting =
  BEGIN
    RETURN NEW(Putting, channel := t, puts := TRUE, value := x);
  END NewPutting;

(* --- with the channel's mutex --- *)

PROCEDURE Add(t: T; READONLY x: Elem.T) =
  VAR
    old := t.buffer;
    at: CARDINAL;
    first: CARDINAL;
  BEGIN
    IF t.count = NUMBER(old^) THEN
      t.buffer := NEW(REF ARRAY OF Elem.T, MIN(2 * NUMBER(old^), t.most));
      first := NUMBER(old^) - t.start;
      SUBARRAY(t.buffer^, 0, first) := SUBARRAY(old^, t.start, first);
      SUBARRAY(t.buffer^, first, t.start) := SUBARRAY(old^, 0, t.start);
      t.start := 0;
    END;
    at := t.start + t.count;
    IF at >= NUMBER(t.buffer^) THEN DEC(at, NUMBER(t.buffer^)) END;
    t.buffer[at] := x;
    INC(t.count);
  END Add;

PROCEDURE Take(t: T; VAR x: Elem.T) =
  BEGIN
    x := t.buffer[t.start];
    t.buffer[t.start] := blank;
    INC(t.start);
    IF t.start = NUMBER(t.buffer^) THEN t.start := 0 END;
    DEC(t.count);
  END Take;

PROCEDURE Append(t: T; putter: Channels.Case) =
  BEGIN
    Add(t, NARROW(putter, Putting).value);
  END Append;

PROCEDURE Remove(t: T; getter: Channels.Case) =
  BEGIN
    Take(t, NARROW(getter, Getting).value);
  END Remove;

PROCEDURE Hand(<*UNUSED*> t: T; putter, getter: Channels.Case) =
  BEGIN
    NARROW(getter, Getting).value := NARROW(putter, Putting).value;
  END Hand;

(* --- without waiting --- *)

PROCEDURE PutNow(t: T; READONLY x: Elem.T): Outcome =
  VAR getter: Channels.Case;
  BEGIN
    LOCK t.mu DO
      IF t.isShut THEN RETURN Outcome.Closed END;
      getter := ChannelRep.First(t.getters);
      IF getter # NIL THEN
        NARROW(getter, Getting).value := x;
        ChannelRep.Serve(getter);
        RETURN Outcome.Done;
      ELSIF t.count < t.most THEN
        Add(t, x);
        RETURN Outcome.Done;
      END;
    END;
    RETURN Outcome.Late;
  END PutNow;

PROCEDURE GetNow(t: T; VAR x: Elem.T): Outcome =
  VAR putter: Channels.Case;
  BEGIN
    LOCK t.mu DO
      IF t.count > 0 THEN
        Take(t, x);
        ChannelRep.Refill(t);
        RETURN Outcome.Done;
      END;
      putter := ChannelRep.First(t.putters);
      IF putter # NIL THEN
        x := NARROW(putter, Putting).value;
        ChannelRep.Serve(putter);
        RETURN Outcome.Done;
      ELSIF t.isShut THEN
        RETURN Outcome.Closed;
      END;
    END;
    RETURN Outcome.Late;
  END GetNow;

(* --- with waiting --- *)

(* What a caller reads x from, or assigns it to, may be in a database, and raise: so not while something is locked. *)

PROCEDURE PutWithin(t: T; x: Elem.T; seconds: LONGREAL; alertable: BOOLEAN): Outcome RAISES {Thread.Alerted} =
  VAR outcome: Outcome;
  BEGIN
    IF alertable AND ThreadWait.IsAlerted() AND Thread.TestAlert() THEN RAISE Thread.Alerted END;
    outcome := PutNow(t, x);
    IF outcome # Outcome.Late OR seconds = 0.0D0 THEN RETURN outcome END;
    RETURN ChannelRep.Await(NewPutting(t, x), seconds, alertable);
  END PutWithin;

PROCEDURE GetWithin(t: T; VAR x: Elem.T; seconds: LONGREAL; alertable: BOOLEAN): Outcome RAISES {Thread.Alerted} =
  VAR
    outcome: Outcome;
    value: Elem.T;
    getting: Getting;
  BEGIN
    IF alertable AND ThreadWait.IsAlerted() AND Thread.TestAlert() THEN RAISE Thread.Alerted END;
    outcome := GetNow(t, value);
    IF outcome = Outcome.Late AND seconds # 0.0D0 THEN
      getting := NewGetting(t);
      outcome := ChannelRep.Await(getting, seconds, alertable);
      value := getting.value;
    END;
    IF outcome = Outcome.Done THEN x := value END;
    RETURN outcome;
  END GetWithin;

PROCEDURE Put(t: T; READONLY x: Elem.T) RAISES {Channels.Closed} =
  <*FATAL Thread.Alerted*>
  BEGIN
    IF PutWithin(t, x, NoLimit, FALSE) = Outcome.Closed THEN RAISE Channels.Closed END;
  END Put;

PROCEDURE Get(t: T; VAR x: Elem.T): BOOLEAN =
  <*FATAL Thread.Alerted*>
  BEGIN
    RETURN GetWithin(t, x, NoLimit, FALSE) = Outcome.Done;
  END Get;

PROCEDURE TryPut(t: T; READONLY x: Elem.T; seconds: LONGREAL): Outcome =
  <*FATAL Thread.Alerted*>
  BEGIN
    RETURN PutWithin(t, x, seconds, FALSE);
  END TryPut;

PROCEDURE TryGet(t: T; VAR x: Elem.T; seconds: LONGREAL): Outcome =
  <*FATAL Thread.Alerted*>
  BEGIN
    RETURN GetWithin(t, x, seconds, FALSE);
  END TryGet;

PROCEDURE AlertPut(t: T; READONLY x: Elem.T) RAISES {Channels.Closed, Thread.Alerted} =
  BEGIN
    IF PutWithin(t, x, NoLimit, TRUE) = Outcome.Closed THEN RAISE Channels.Closed END;
  END AlertPut;

PROCEDURE AlertGet(t: T; VAR x: Elem.T): BOOLEAN RAISES {Thread.Alerted} =
  BEGIN
    RETURN GetWithin(t, x, NoLimit, TRUE) = Outcome.Done;
  END AlertGet;

PROCEDURE AlertTryPut(t: T; READONLY x: Elem.T; seconds: LONGREAL): Outcome RAISES {Thread.Alerted} =
  BEGIN
    RETURN PutWithin(t, x, seconds, TRUE);
  END AlertTryPut;

PROCEDURE AlertTryGet(t: T; VAR x: Elem.T; seconds: LONGREAL): Outcome RAISES {Thread.Alerted} =
  BEGIN
    RETURN GetWithin(t, x, seconds, TRUE);
  END AlertTryGet;

BEGIN
END Channel.
