MODULE PriorityQueuesAgainstModelTest;

IMPORT Test, Dice, Fmt, IntPQ, IntPQRep, Integer, Text, TextPQ;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

TYPE
  Job = IntPQ.Elt OBJECT number: CARDINAL; queued := FALSE END;

CONST
  Jobs = 200;

VAR
  jobs: ARRAY [0..Jobs - 1] OF Job;

(* Whether no parent has a greater priority than its children, and the first element has the
   least priority. *)
PROCEDURE Valid(q: IntPQ.Default; count: CARDINAL): BOOLEAN =
  VAR least := LAST(INTEGER);  queued: CARDINAL := 0;
  BEGIN
    IF q.size() # count OR q.sz # count THEN RETURN FALSE END;
    FOR i := 2 TO count DO
      IF q.heap[i DIV 2].priority > q.heap[i].priority THEN RETURN FALSE END;
    END;
    FOR i := 0 TO Jobs - 1 DO
      IF jobs[i].queued THEN
        INC(queued);
        least := MIN(least, jobs[i].priority);
      END;
    END;
    TRY
      RETURN queued = count AND q.min().priority = least;
    EXCEPT IntPQ.Empty => RETURN count = 0
    END;
  END Valid;

PROCEDURE Operate() =
  VAR q := NEW(IntPQ.Default).init(Dice.Roll(30));  count: CARDINAL := 0;  right := TRUE;
      job: Job;  error: BOOLEAN;
  BEGIN
    FOR i := 0 TO Jobs - 1 DO
      jobs[i] := NEW(Job, number := i, priority := Dice.Roll(50));
    END;
    FOR step := 1 TO 3000 DO
      job := jobs[Dice.Roll(Jobs)];
      CASE Dice.Roll(5) OF
      | 0, 1 =>
        IF NOT job.queued THEN
          job.priority := Dice.Roll(50);
          q.insert(job);
          job.queued := TRUE;
          INC(count);
        END;
      | 2 =>
        error := FALSE;
        TRY q.delete(job) EXCEPT IntPQ.NotInQueue => error := TRUE END;
        IF error = job.queued THEN right := FALSE END;
        IF job.queued THEN
          job.queued := FALSE;
          DEC(count);
        END;
      | 3 =>
        error := FALSE;
        TRY q.change(job, Dice.Roll(50)) EXCEPT IntPQ.NotInQueue => error := TRUE END;
        IF error = job.queued THEN right := FALSE END;
      ELSE
        TRY
          job := q.deleteMin();
          IF NOT job.queued THEN right := FALSE END;
          job.queued := FALSE;
          DEC(count);
        EXCEPT
        | IntPQ.Empty => IF count # 0 THEN right := FALSE END;
        END;
      END;
      IF step MOD 20 = 0 AND NOT Valid(q, count) THEN right := FALSE END;
    END;
    test.check(right, Dice.With("operations"));
  END Operate;

TYPE
  Greatest = IntPQ.Default OBJECT OVERRIDES pCompare := Backward END;

PROCEDURE Backward(<*UNUSED*> q: Greatest; READONLY p1, p2: INTEGER): [-1..1] =
  BEGIN
    RETURN Integer.Compare(p2, p1);
  END Backward;

PROCEDURE Others() =
  VAR elts: ARRAY [0..99] OF IntPQ.Elt;  right := TRUE;  empty, foreign := FALSE;
      q: IntPQ.Default;  names := NEW(TextPQ.Default).init();  t := "";
  <*FATAL IntPQ.Empty, TextPQ.Empty*>
  BEGIN
    FOR i := 0 TO 99 DO elts[i] := NEW(IntPQ.Elt, priority := i * 37 MOD 100) END;
    q := NEW(IntPQ.Default).fromArray(elts);
    TRY
      NEW(IntPQ.Default).fromArray(elts).delete(NEW(IntPQ.Elt, priority := 1));
    EXCEPT IntPQ.NotInQueue => foreign := TRUE
    END;
    test.check(foreign, "delete of an element of no queue");
    q := NEW(IntPQ.Default).fromArray(elts);
    FOR i := 0 TO 99 DO
      IF q.deleteMin().priority # i THEN right := FALSE END;
    END;
    test.check(right, "fromArray");
    TRY EVAL q.deleteMin() EXCEPT IntPQ.Empty => empty := TRUE END;
    test.check(empty, "deleteMin of nothing");
    empty := FALSE;
    TRY EVAL q.min() EXCEPT IntPQ.Empty => empty := TRUE END;
    test.check(empty, "min of nothing");
    q := NEW(Greatest).fromArray(elts);
    test.equalInt(q.min().priority, 99, "an order of one's own");
    test.equalInt(q.init().size(), 0, "init empties");
    names.insert(NEW(TextPQ.Elt, priority := "pear"));
    names.insert(NEW(TextPQ.Elt, priority := "fig"));
    WHILE names.size() > 0 DO t := t & names.deleteMin().priority END;
    test.equalText(t, "figpear", "texts as priorities");
    test.check(Text.Equal(IntPQ.Brand, "(PQueue Integer)")
               AND Text.Equal(IntPQ.DefaultBrand, "(Default (PQueue Integer))")
               AND Text.Equal(IntPQ.EltBrand, "(PQueueElt Integer)"), "brands");
    q := NEW(IntPQ.Default);
    q.insert(NEW(IntPQ.Elt, priority := 5));
    test.equalText(Fmt.Int(q.min().priority), "5", "without init");
  END Others;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    FOR i := 1 TO 5 DO Operate() END;
    Others();
  END TestAll;

BEGIN
END PriorityQueuesAgainstModelTest.
