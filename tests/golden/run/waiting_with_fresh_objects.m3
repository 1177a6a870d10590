(* golden: run, -w *)
(* A waiting thread keeps what it refers to alive and in its place, also what another thread has
   just made, whose page of fresh objects no collection touches while that thread is interrupted.
   (language.md 28) *)
MODULE Main;

IMPORT Fmt, IO, Thread;

CONST
  Waiting = 40;   (* threads that wait with an item *)
  Rounds = 60;

TYPE
  Item = REF RECORD a, b, c: INTEGER; name: TEXT END;
  Keeper = Thread.Closure OBJECT bad := 0 OVERRIDES apply := Keep END;
  Maker = Thread.Closure OBJECT OVERRIDES apply := Make END;
  Collector = Thread.Closure OBJECT OVERRIDES apply := Allocate END;

VAR
  mutex := NEW(MUTEX);
  item: Item := NIL;
  made := NEW(Thread.Condition);
  done: INTEGER := 0;
  number := 0;

(* Makes items, each in place of the last. *)
PROCEDURE Make(<*UNUSED*> self: Maker): REFANY =
  VAR fresh: Item; stop := FALSE;
  BEGIN
    WHILE NOT stop DO
      fresh := NEW(Item);
      LOCK mutex DO
        INC(number);
        fresh.a := number;
        fresh.b := -number;
        fresh.c := 3 * number;
        fresh.name := Fmt.Int(number);
        item := fresh;
        stop := done = Waiting;
      END;
      Thread.Signal(made);
      FOR i := 1 TO 200 DO fresh.c := fresh.c + i - i END;
    END;
    RETURN NIL;
  END Make;

(* Takes the newest item, waits with it, and looks whether it is as it was. *)
PROCEDURE Keep(self: Keeper): REFANY =
  VAR mine: Item;
  BEGIN
    FOR i := 1 TO Rounds DO
      LOCK mutex DO
        WHILE item = NIL DO Thread.Wait(mutex, made) END;
        mine := item;
        item := NIL;
      END;
      WITH a = mine.a DO
        Thread.Pause(0.01D0);
        IF mine.a # a OR mine.b # -a OR mine.c # 3 * a THEN INC(self.bad) END;
      END;
    END;
    LOCK mutex DO INC(done) END;
    RETURN NIL;
  END Keep;

(* Makes the collector run. *)
PROCEDURE Allocate(<*UNUSED*> self: Collector): REFANY =
  VAR list: REF ARRAY OF REFANY; stop := FALSE;
  BEGIN
    WHILE NOT stop DO
      FOR i := 1 TO 1000 DO list := NEW(REF ARRAY OF REFANY, 100); list[i MOD 100] := list END;
      LOCK mutex DO stop := done = Waiting END;
    END;
    RETURN NIL;
  END Allocate;

VAR
  keepers: ARRAY [1 .. Waiting] OF Keeper;
  threads: ARRAY [1 .. Waiting] OF Thread.T;
  others: ARRAY [1 .. 3] OF Thread.T;
  bad := 0;
BEGIN
  others[1] := Thread.Fork(NEW(Maker));
  FOR i := 2 TO 3 DO others[i] := Thread.Fork(NEW(Collector)) END;
  FOR i := 1 TO Waiting DO
    keepers[i] := NEW(Keeper);
    threads[i] := Thread.Fork(keepers[i]);
  END;
  FOR i := 1 TO Waiting DO EVAL Thread.Join(threads[i]); INC(bad, keepers[i].bad) END;
  FOR i := 1 TO 3 DO EVAL Thread.Join(others[i]) END;
  IO.Put(Fmt.Int(bad) & " items changed\n");
END Main.
(* expect: 0 items changed *)
