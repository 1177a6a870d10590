(* golden: run *)
(* Threads as programs of the 1990s used them: a queue with a limit, workers that are alerted to
   end, a time limit that alerts its caller, a cache whose entries go with their objects. *)
MODULE Main;

IMPORT Fmt, IO, PropertyV, RTCollector, RefSeq, Stdio, Thread, WeakRef, Wr;

<*FATAL Wr.Failure*>

TYPE
  Queue = MUTEX OBJECT
      items: RefSeq.T;
      limit: CARDINAL;
      notEmpty, notFull: Thread.Condition;
    METHODS
      init(limit: CARDINAL): Queue := Init;
      put(r: REFANY) RAISES {Thread.Alerted} := Put;
      get(): REFANY RAISES {Thread.Alerted} := Get;
    END;

PROCEDURE Init(q: Queue; limit: CARDINAL): Queue =
  BEGIN
    q.items := NEW(RefSeq.T).init();
    q.limit := limit;
    q.notEmpty := NEW(Thread.Condition);
    q.notFull := NEW(Thread.Condition);
    RETURN q;
  END Init;

PROCEDURE Put(q: Queue; r: REFANY) RAISES {Thread.Alerted} =
  BEGIN
    LOCK q DO
      WHILE q.items.size() = q.limit DO Thread.AlertWait(q, q.notFull) END;
      q.items.addhi(r);
    END;
    Thread.Signal(q.notEmpty);
  END Put;

PROCEDURE Get(q: Queue): REFANY RAISES {Thread.Alerted} =
  VAR r: REFANY;
  BEGIN
    LOCK q DO
      WHILE q.items.size() = 0 DO Thread.AlertWait(q, q.notEmpty) END;
      r := q.items.remlo();
    END;
    Thread.Signal(q.notFull);
    RETURN r;
  END Get;

TYPE
  Job = REF RECORD n: INTEGER END;
  Worker = Thread.Closure OBJECT in, out: Queue; done := 0 OVERRIDES apply := Work END;

PROCEDURE Work(w: Worker): REFANY =
  VAR job: Job;
  BEGIN
    TRY
      LOOP
        job := w.in.get();
        w.out.put(NEW(Job, n := job.n * job.n));
        INC(w.done);
      END;
    EXCEPT
    | Thread.Alerted => RETURN NEW(Job, n := w.done);
    END;
  END Work;

TYPE
  Feeder = Thread.SizedClosure OBJECT q: Queue; n: CARDINAL OVERRIDES apply := Feed END;

PROCEDURE Feed(f: Feeder): REFANY =
  BEGIN
    TRY FOR i := 1 TO f.n DO f.q.put(NEW(Job, n := i)) END EXCEPT Thread.Alerted => END;
    RETURN NIL;
  END Feed;

PROCEDURE Workers() =
  CONST Jobs = 1000;
  VAR in := NEW(Queue).init(5);  out := NEW(Queue).init(3);  sum, done := 0;
      workers: ARRAY [1..4] OF Thread.T;  feeder: Thread.T;
  <*FATAL Thread.Alerted*>
  BEGIN
    feeder := Thread.Fork(NEW(Feeder, q := in, n := Jobs, stackSize := 20000));
    FOR i := 1 TO 4 DO workers[i] := Thread.Fork(NEW(Worker, in := in, out := out)) END;
    FOR i := 1 TO Jobs DO INC(sum, NARROW(out.get(), Job).n) END;
    EVAL Thread.Join(feeder);
    FOR i := 1 TO 4 DO
      Thread.Alert(workers[i]);
      INC(done, NARROW(Thread.Join(workers[i]), Job).n);
    END;
    IO.Put(Fmt.F("sum %s, jobs %s\n", Fmt.Int(sum), Fmt.Int(done)));
  END Workers;

TYPE
  Timer = Thread.Closure OBJECT caller: Thread.T; limit: LONGREAL OVERRIDES apply := Ring END;

PROCEDURE Ring(t: Timer): REFANY =
  BEGIN
    TRY
      Thread.AlertPause(t.limit);
      Thread.Alert(t.caller);
    EXCEPT
    | Thread.Alerted => (* it was in time *)
    END;
    RETURN NIL;
  END Ring;

PROCEDURE Limited(q: Queue; limit: LONGREAL): TEXT =
  VAR timer := Thread.Fork(NEW(Timer, caller := Thread.Self(), limit := limit));
  BEGIN
    TRY
      TRY
        EVAL q.get();
        RETURN "in time";
      FINALLY
        Thread.Alert(timer);
        EVAL Thread.Join(timer);
        EVAL Thread.TestAlert();
      END;
    EXCEPT
    | Thread.Alerted => RETURN "too late";
    END;
  END Limited;

PROCEDURE TimeLimits() =
  VAR q := NEW(Queue).init(2);
  <*FATAL Thread.Alerted*>
  BEGIN
    IO.Put(Limited(q, 0.02d0) & "\n");
    q.put(NIL);
    IO.Put(Limited(q, 60.0d0) & "\n");
    IO.Put("alerted: " & Fmt.Bool(Thread.TestAlert()) & "\n");
  END TimeLimits;

(* --- --- *)

TYPE
  Document = OBJECT name: TEXT; properties: PropertyV.Set := NIL END;
  Title = REF RECORD t: TEXT END;
  Author = OBJECT t: TEXT END;

VAR
  mu := NEW(MUTEX);
  gone := NEW(Thread.Condition);
  cleaned := 0;

PROCEDURE Forget(<*UNUSED*> READONLY w: WeakRef.T; <*UNUSED*> r: REFANY) =
  BEGIN
    LOCK mu DO INC(cleaned) END;
    Thread.Signal(gone);
  END Forget;

PROCEDURE Make(n: CARDINAL; VAR refs: ARRAY OF WeakRef.T): Document =
  VAR d, kept: Document;
  BEGIN
    FOR i := 0 TO n - 1 DO
      d := NEW(Document, name := Fmt.Int(i));
      PropertyV.Put(d.properties, NEW(Title, t := "title " & d.name));
      PropertyV.Put(d.properties, NEW(Author, t := "author"));
      refs[i] := WeakRef.FromRef(d, Forget);
      IF i = 7 THEN kept := d END;
    END;
    RETURN kept;
  END Make;

PROCEDURE Cache() =
  CONST Many = 200;
  VAR refs: ARRAY [0..Many - 1] OF WeakRef.T;  kept := Make(Many, refs);  there := 0;
  BEGIN
    LOCK mu DO
      (* A few may be kept by stack words that look like references. *)
      WHILE cleaned < Many - 20 DO
        Thread.Release(mu);
        RTCollector.Collect();
        Thread.Pause(0.001d0);
        Thread.Acquire(mu);
      END;
    END;
    FOR i := 0 TO LAST(refs) DO IF WeakRef.ToRef(refs[i]) # NIL THEN INC(there) END END;
    IO.Put(Fmt.F("most are gone: %s, kept: %s, %s\n", Fmt.Bool(there <= 20),
                 Fmt.Bool(WeakRef.ToRef(refs[7]) = kept),
                 NARROW(PropertyV.Get(kept.properties, TYPECODE(Title)), Title).t));
    PropertyV.Remove(kept.properties, TYPECODE(Title));
    IO.Put(Fmt.Bool(PropertyV.Get(kept.properties, TYPECODE(Title)) = NIL) & "\n");
  END Cache;

BEGIN
  Workers();
  TimeLimits();
  Cache();
  TRY Wr.Flush(Stdio.stdout) EXCEPT Thread.Alerted => END;
END Main.
(* expect: sum 333833500, jobs 1000 *)
(* expect: too late *)
(* expect: in time *)
(* expect: alerted: FALSE *)
(* expect: most are gone: TRUE, kept: TRUE, title 7 *)
(* expect: TRUE *)
