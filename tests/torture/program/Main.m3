(* Threads that allocate, change objects of others, start and end, use weak references and raise
   exceptions, for as many seconds as the first argument says. Every object carries its own sum,
   which is checked at every visit. *)
MODULE Main;

IMPORT Fmt, IO, Params, Random, RTCollector, Scan, Text, Thread, Time, WeakRef;

CONST
  Workers = 6;
  Slots = 256;
  Locks = 16;

EXCEPTION Trouble(Tree);

TYPE
  (* The sum of a node is its own value plus the sums of its children. *)
  Tree = OBJECT
           value, sum: INTEGER;
           left, right: Tree := NIL;
           name: TEXT;
         METHODS
           check(): INTEGER := CheckTree;
         END;
  Bushy = Tree OBJECT
            children: REF ARRAY OF Tree;
            numbers: REF ARRAY OF INTEGER;
          OVERRIDES
            check := CheckBushy
          END;
  Slot = RECORD tree: Tree; weak: WeakRef.T; hasWeak := FALSE END;
  Worker = Thread.Closure OBJECT id: INTEGER; rounds := 0 OVERRIDES apply := Work END;
  Visitor = Thread.Closure OBJECT tree: Tree; sum := 0 OVERRIDES apply := Visit END;

VAR
  locks: ARRAY [0..Locks - 1] OF MUTEX;
  slots: ARRAY [0..Slots - 1] OF Slot;
  end: Time.T;
  cleaned, registered := 0;
  countLock := NEW(MUTEX);

PROCEDURE Sum(t: Tree): INTEGER =
  BEGIN
    IF t = NIL THEN RETURN 0 ELSE RETURN t.sum END;
  END Sum;

PROCEDURE CheckTree(t: Tree): INTEGER =
  VAR sum := t.value;
  BEGIN
    IF t.left # NIL THEN INC(sum, t.left.check()) END;
    IF t.right # NIL THEN INC(sum, t.right.check()) END;
    <*ASSERT sum = t.sum*>
    <*ASSERT Text.Equal(t.name, "n" & Fmt.Int(t.value))*>
    RETURN sum;
  END CheckTree;

PROCEDURE CheckBushy(b: Bushy): INTEGER =
  VAR sum := b.value;
  BEGIN
    FOR i := 0 TO LAST(b.children^) DO
      IF b.children[i] # NIL THEN INC(sum, b.children[i].check()) END;
    END;
    FOR i := 0 TO LAST(b.numbers^) DO <*ASSERT b.numbers[i] = b.value + i*> END;
    <*ASSERT sum = b.sum*>
    RETURN sum;
  END CheckBushy;

PROCEDURE Make(r: Random.T; depth: INTEGER): Tree =
  VAR
    value := r.integer(0, 1000);
    t: Tree;
    b: Bushy;
  BEGIN
    IF depth = 0 THEN
      RETURN NEW(Tree, value := value, sum := value, name := "n" & Fmt.Int(value));
    ELSIF r.integer(0, 9) < 7 THEN
      t := NEW(Tree, value := value, name := "n" & Fmt.Int(value));
      t.left := Make(r, depth - 1);
      IF r.boolean() THEN t.right := Make(r, depth - 1) END;
      t.sum := value + Sum(t.left) + Sum(t.right);
      RETURN t;
    ELSE
      b := NEW(Bushy, value := value, sum := value, name := "b",
               children := NEW(REF ARRAY OF Tree, r.integer(1, 6)),
               numbers := NEW(REF ARRAY OF INTEGER, NumberCount(r)));
      FOR i := 0 TO LAST(b.numbers^) DO b.numbers[i] := value + i END;
      FOR i := 0 TO LAST(b.children^) DO
        b.children[i] := Make(r, depth - 1 - i MOD 2 * (depth - 1));
        INC(b.sum, b.children[i].sum);
      END;
      RETURN b;
    END;
  END Make;

(* Now and then an array long enough for pages of its own. *)
PROCEDURE NumberCount(r: Random.T): INTEGER =
  BEGIN
    IF r.integer(0, 60) = 0 THEN RETURN r.integer(500, 5000) ELSE RETURN r.integer(0, 20) END;
  END NumberCount;

PROCEDURE CleanUp(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  BEGIN
    EVAL NARROW(r, Tree).check();
    LOCK countLock DO INC(cleaned) END;
  END CleanUp;

(* Old trees get young children: another order of the two, or a fresh one. *)
PROCEDURE Change(t: Tree; r: Random.T) =
  VAR other: Tree;
  BEGIN
    WHILE t.left # NIL AND r.integer(0, 3) > 0 DO
      other := t.left;
      t.left := t.right;
      t.right := other;
      IF t.left = NIL THEN EXIT END;
      t := t.left;
    END;
  END Change;

PROCEDURE Replace(i: INTEGER; r: Random.T) =
  VAR fresh := Make(r, r.integer(1, 5));
  BEGIN
    LOCK locks[i MOD Locks] DO
      WITH s = slots[i] DO
        IF s.hasWeak THEN
          WITH old = WeakRef.ToRef(s.weak) DO
            IF old # NIL THEN EVAL NARROW(old, Tree).check() END;
          END;
        END;
        s.tree := fresh;
        s.hasWeak := r.boolean();
        IF s.hasWeak THEN
          IF r.boolean() THEN
            s.weak := WeakRef.FromRef(fresh, CleanUp);
            LOCK countLock DO INC(registered) END;
          ELSE
            s.weak := WeakRef.FromRef(fresh);
          END;
        END;
      END;
    END;
  END Replace;

(* Joins the trees of two slots below a new node. *)
PROCEDURE Join(i, j: INTEGER; r: Random.T) =
  VAR t: Tree;  value := r.integer(0, 1000);
  BEGIN
    IF i MOD Locks = j MOD Locks THEN RETURN END;
    WITH a = locks[MIN(i MOD Locks, j MOD Locks)], b = locks[MAX(i MOD Locks, j MOD Locks)] DO
      LOCK a DO LOCK b DO
        IF slots[i].tree # NIL AND slots[j].tree # NIL AND slots[i].tree # slots[j].tree THEN
          t := NEW(Tree, value := value, name := "n" & Fmt.Int(value), left := slots[i].tree,
                   right := slots[j].tree);
          t.sum := value + t.left.sum + t.right.sum;
          slots[i].tree := t;
          slots[j].tree := NIL;
          (* The new node's tree is now under the lock of slot i. *)
          slots[j].hasWeak := FALSE;
          IF t.sum > 100000 THEN slots[i].tree := Make(r, 2) END;
        END;
      END END;
    END;
  END Join;

PROCEDURE Deep(n: INTEGER; r: Random.T) RAISES {Trouble} =
  VAR t := Make(r, 1);
  BEGIN
    TRY
      IF n = 0 THEN RAISE Trouble(Make(r, 3)) END;
      Deep(n - 1, r);
    FINALLY
      EVAL t.check();
      EVAL Make(r, 1);
    END;
  END Deep;

PROCEDURE Visit(v: Visitor): REFANY =
  BEGIN
    v.sum := v.tree.check();
    RETURN v;
  END Visit;

PROCEDURE Work(w: Worker): REFANY =
  VAR
    r := NEW(Random.Default).init();
    i: INTEGER;
    visitor: Visitor;
  BEGIN
    WHILE Time.Now() < end DO
      INC(w.rounds);
      i := r.integer(0, Slots - 1);
      CASE r.integer(0, 11) OF
      | 0..4 => Replace(i, r);
      | 5..6 => Join(i, r.integer(0, Slots - 1), r);
      | 7 =>
        LOCK locks[i MOD Locks] DO
          IF slots[i].tree # NIL THEN Change(slots[i].tree, r) END;
        END;
      | 8..9 =>
        LOCK locks[i MOD Locks] DO
          IF slots[i].tree # NIL THEN EVAL slots[i].tree.check() END;
        END;
      | 10 =>
        TRY Deep(r.integer(1, 30), r) EXCEPT Trouble (t) => EVAL t.check() END;
      ELSE
        visitor := NEW(Visitor, tree := Make(r, 4));
        IF r.boolean() THEN
          <*ASSERT NARROW(Thread.Join(Thread.Fork(visitor)), Visitor).sum = visitor.tree.sum*>
        ELSE
          EVAL Thread.Fork(visitor);
        END;
      END;
    END;
    RETURN w;
  END Work;

VAR
  threads: ARRAY [1..Workers] OF Thread.T;
  rounds := 0;
  seconds := 2;
<*FATAL ANY*>
BEGIN
  IF Params.Count > 1 THEN seconds := Scan.Int(Params.Get(1)) END;
  end := Time.Now() + FLOAT(seconds, LONGREAL);
  FOR i := 0 TO Locks - 1 DO locks[i] := NEW(MUTEX) END;
  FOR i := 1 TO Workers DO threads[i] := Thread.Fork(NEW(Worker, id := i)) END;
  FOR i := 1 TO Workers DO INC(rounds, NARROW(Thread.Join(threads[i]), Worker).rounds) END;
  FOR i := 0 TO Slots - 1 DO
    IF slots[i].tree # NIL THEN EVAL slots[i].tree.check() END;
  END;
  RTCollector.Collect();
  FOR i := 0 TO Slots - 1 DO
    IF slots[i].tree # NIL THEN EVAL slots[i].tree.check() END;
    slots[i].tree := NIL;
  END;
  RTCollector.Collect();
  Thread.Pause(0.2d0);
  LOCK countLock DO
    <*ASSERT cleaned <= registered*>
    <*ASSERT rounds > 0*>
    IF registered > 100 THEN <*ASSERT cleaned > registered DIV 2*> END;
  END;
  IO.Put("whole\n");
END Main.
