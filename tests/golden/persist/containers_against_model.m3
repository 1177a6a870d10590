(* golden: persist, with lib/Store, lib/Check, lib/Dice *)
(* Random operations on containers, each beside a list that is searched from its beginning: in memory, and in a store
   that is committed, aborted, collected and reopened meanwhile. STEPS in the environment is the number of
   operations. *)
MODULE Main;

IMPORT Check, Database, Dice, Env, Fmt, IntIntBPlusTree, IntIntTbl, IntPQ, IntSeq, IntSet, IntSetDef, IntSetList, IO,
  RTCollector, Scan, SortedIntIntTbl, Store, Text, Transaction, Word;

<*FATAL ANY*>

CONST
  Most = 600;

TYPE
  Kind = {Hash, Methods, Treap, Tree};
  SetKind = {Hash, List};

  Item = RECORD key, value: INTEGER END;
  (* The model of a table, set, sequence or queue. *)
  Model = REF RECORD
    count: CARDINAL := 0;
    items: ARRAY [0 .. 2 * Most] OF Item;
  END;

  Root = REF RECORD
    tables: ARRAY Kind OF IntIntTbl.T;
    tableModels: ARRAY Kind OF Model;
    sets: ARRAY SetKind OF IntSet.T;
    setModels: ARRAY SetKind OF Model;
    sequence: IntSeq.T;
    sequenceModel: Model;
    queue: IntPQ.Default;
    queueModel: Model;  (* the values are numbers of elements *)
    elements: ARRAY [0 .. Most - 1] OF Element;
  END;
  Element = IntPQ.Elt OBJECT number: CARDINAL; queued := FALSE END;

  ByMethods = IntIntTbl.Default OBJECT OVERRIDES keyEqual := EqualKeys; keyHash := HashOfKey END;

PROCEDURE EqualKeys(<*UNUSED*> t: ByMethods; READONLY k1, k2: INTEGER): BOOLEAN =
  BEGIN
    RETURN k1 = k2;
  END EqualKeys;

(* Hundreds of keys have the same hash. *)
PROCEDURE HashOfKey(<*UNUSED*> t: ByMethods; READONLY k: INTEGER): Word.T =
  BEGIN
    RETURN k MOD 4;
  END HashOfKey;

PROCEDURE NewTable(kind: Kind): IntIntTbl.T =
  BEGIN
    CASE kind OF
    | Kind.Hash => RETURN NEW(IntIntTbl.Default).init(Dice.Roll(2) * Dice.Roll(200));
    | Kind.Methods => RETURN NEW(ByMethods).init();
    | Kind.Treap => RETURN NEW(SortedIntIntTbl.Default).init();
    | Kind.Tree => RETURN NEW(IntIntBPlusTree.T).init(2 + Dice.Roll(6));
    END;
  END NewTable;

PROCEDURE NewSet(kind: SetKind): IntSet.T =
  BEGIN
    CASE kind OF
    | SetKind.Hash => RETURN NEW(IntSetDef.T).init(Dice.Roll(2) * Dice.Roll(200));
    | SetKind.List => RETURN NEW(IntSetList.T).init();
    END;
  END NewSet;

PROCEDURE NewRoot(): Root =
  VAR root := NEW(Root);
  BEGIN
    FOR kind := FIRST(Kind) TO LAST(Kind) DO
      root.tables[kind] := NewTable(kind);
      root.tableModels[kind] := NEW(Model);
    END;
    FOR kind := FIRST(SetKind) TO LAST(SetKind) DO
      root.sets[kind] := NewSet(kind);
      root.setModels[kind] := NEW(Model);
    END;
    root.sequence := NEW(IntSeq.T).init();
    root.sequenceModel := NEW(Model);
    root.queue := NEW(IntPQ.Default).init();
    root.queueModel := NEW(Model);
    FOR i := 0 TO Most - 1 DO root.elements[i] := NEW(Element, number := i) END;
    RETURN root;
  END NewRoot;

(* --- The model --- *)

PROCEDURE Find(m: Model; key: INTEGER): INTEGER =
  BEGIN
    FOR i := 0 TO m.count - 1 DO IF m.items[i].key = key THEN RETURN i END END;
    RETURN -1;
  END Find;

PROCEDURE Put(m: Model; key, value: INTEGER): BOOLEAN =
  VAR i := Find(m, key);
  BEGIN
    IF i >= 0 THEN m.items[i].value := value; RETURN TRUE END;
    m.items[m.count] := Item{key, value};
    INC(m.count);
    RETURN FALSE;
  END Put;

PROCEDURE Delete(m: Model; i: INTEGER): BOOLEAN =
  BEGIN
    IF i < 0 THEN RETURN FALSE END;
    FOR k := i + 1 TO m.count - 1 DO m.items[k - 1] := m.items[k] END;
    DEC(m.count);
    RETURN TRUE;
  END Delete;

PROCEDURE Copy(m: Model): Model =
  VAR copy := NEW(Model);
  BEGIN
    copy^ := m^;
    RETURN copy;
  END Copy;

(* --- Tables --- *)

(* The last kind has tags with few bits, so that the homes of these keys in hash tables are one slot. *)
PROCEDURE Key(): INTEGER =
  CONST OfTag = 16_F1DE83E19937733D;  (* the inverse of the factor in Table.TagOf *)
  VAR hash: Word.T;
  BEGIN
    CASE Dice.Roll(3) OF
    | 0 => RETURN Dice.Roll(300);
    | 1 => RETURN 4096 * (Dice.Roll(300) - 150);
    ELSE
      hash := Word.Times(Dice.Roll(300), OfTag);
      RETURN Word.Xor(hash, Word.RightShift(hash, 32));  (* Integer.Hash does the same *)
    END;
  END Key;

(* A key of the model, if there is one, or any key. *)
PROCEDURE KeyOf(m: Model): INTEGER =
  BEGIN
    IF m.count > 0 AND Dice.Roll(2) = 0 THEN RETURN m.items[Dice.Roll(m.count)].key END;
    RETURN Key();
  END KeyOf;

PROCEDURE SameTable(t: IntIntTbl.T; m: Model): BOOLEAN =
  VAR it := t.iterate();  k, v, at, n := 0;  met: ARRAY [0 .. 2 * Most] OF BOOLEAN;
  BEGIN
    IF t.size() # m.count THEN RETURN FALSE END;
    FOR i := 0 TO m.count - 1 DO met[i] := FALSE END;
    WHILE it.next(k, v) DO
      at := Find(m, k);
      IF at < 0 OR met[at] OR m.items[at].value # v THEN RETURN FALSE END;
      met[at] := TRUE;
      INC(n);
    END;
    RETURN n = m.count;
  END SameTable;

(* In a hash table entries are deleted, and values change, while the iterator is in use. *)
PROCEDURE Thin(t: IntIntTbl.T; m: Model; hash: BOOLEAN): BOOLEAN =
  VAR before := Copy(m);  it := t.iterate();  k, v, w := 0;  rate := 1 + Dice.Roll(4);  at: INTEGER;
      met: ARRAY [0 .. 2 * Most] OF BOOLEAN;  out: ARRAY [0 .. 2 * Most] OF INTEGER;  outs := 0;
  BEGIN
    FOR i := 0 TO m.count - 1 DO met[i] := FALSE END;
    WHILE it.next(k, v) DO
      at := Find(before, k);
      IF at < 0 OR met[at] OR Find(m, k) < 0 OR m.items[Find(m, k)].value # v THEN RETURN FALSE END;
      met[at] := TRUE;
      IF Dice.Roll(rate) = 0 THEN
        (* Mostly this entry; sometimes another one, which then must not come. *)
        IF hash AND Dice.Roll(8) = 0 THEN
          w := m.items[Dice.Roll(m.count)].key;
          IF NOT t.delete(w, v) OR NOT Delete(m, Find(m, w)) THEN RETURN FALSE END;
        ELSIF hash THEN
          IF NOT t.delete(k, v) OR NOT Delete(m, Find(m, k)) THEN RETURN FALSE END;
        ELSE
          out[outs] := k;
          INC(outs);
        END;
      ELSIF hash AND Dice.Roll(4) = 0 THEN
        IF NOT t.put(k, -v) OR NOT Put(m, k, -v) THEN RETURN FALSE END;
      END;
    END;
    FOR i := 0 TO before.count - 1 DO
      IF NOT met[i] AND Find(m, before.items[i].key) >= 0 THEN RETURN FALSE END;
    END;
    FOR i := 0 TO outs - 1 DO
      IF NOT t.delete(out[i], v) OR NOT Delete(m, Find(m, out[i])) THEN RETURN FALSE END;
    END;
    RETURN SameTable(t, m);
  END Thin;

PROCEDURE Take(t: IntIntTbl.T; m: Model): BOOLEAN =
  VAR k, v, w: INTEGER;
  BEGIN
    FOR i := 1 TO Dice.Roll(m.count + 1) DO
      IF NOT t.iterate().next(k, v) OR NOT t.delete(k, w) OR v # w OR m.items[Find(m, k)].value # v THEN
        RETURN FALSE;
      END;
      EVAL Delete(m, Find(m, k));
    END;
    RETURN TRUE;
  END Take;

PROCEDURE CopyTable(root: Root; kind: Kind): BOOLEAN =
  VAR to := NewTable(kind);  it := root.tables[kind].iterate();  k, v: INTEGER;
  BEGIN
    WHILE it.next(k, v) DO IF to.put(k, v) THEN RETURN FALSE END END;
    root.tables[kind] := to;
    RETURN SameTable(to, root.tableModels[kind]);
  END CopyTable;

PROCEDURE Merge(root: Root; from, to: Kind): BOOLEAN =
  VAR it := root.tables[from].iterate();  k, v: INTEGER;
  BEGIN
    IF from = to THEN RETURN TRUE END;
    WHILE it.next(k, v) DO
      IF root.tables[to].put(k, v) # Put(root.tableModels[to], k, v) THEN RETURN FALSE END;
    END;
    RETURN SameTable(root.tables[to], root.tableModels[to]);
  END Merge;

(* In order, and by seek. *)
PROCEDURE Ordered(t: SortedIntIntTbl.T; m: Model): BOOLEAN =
  VAR up := Dice.Roll(2) = 0;  it := t.iterateOrdered(up);  from := Key();  k, v, last, n, expected := 0;
  BEGIN
    FOR i := 0 TO m.count - 1 DO
      IF up AND m.items[i].key >= from OR NOT up AND m.items[i].key <= from THEN INC(expected) END;
    END;
    it.seek(from);
    WHILE it.next(k, v) DO
      IF n > 0 AND (up AND k <= last OR NOT up AND k >= last) OR Find(m, k) < 0 THEN RETURN FALSE END;
      last := k;
      INC(n);
    END;
    RETURN n = expected;
  END Ordered;

PROCEDURE OnTable(root: Root; VAR what: TEXT): BOOLEAN =
  VAR kind := VAL(Dice.Roll(NUMBER(Kind)), Kind);  t := root.tables[kind];  m := root.tableModels[kind];
      key := KeyOf(m);  at := Find(m, key);  v := -1;  step: INTEGER := Dice.Roll(1000000);  right := TRUE;
  BEGIN
    what := "table " & Fmt.Int(ORD(kind)) & " operation ";
    WITH operation = Dice.Roll(24) DO
      what := what & Fmt.Int(operation);
      IF m.count > Most - 100 AND operation < 10 THEN RETURN Thin(t, m, kind <= Kind.Methods) END;
      CASE operation OF
      | 0 .. 4 => RETURN t.put(key, step) = Put(m, key, step);
      | 5 .. 6 =>
        FOR i := 1 TO 80 DO
          key := KeyOf(m);
          IF t.put(key, i) # Put(m, key, i) THEN right := FALSE END;
        END;
        RETURN right;
      | 7 => RETURN Merge(root, VAL(Dice.Roll(NUMBER(Kind)), Kind), kind);
      | 8 .. 13 => RETURN t.get(key, v) = (at >= 0) AND (at < 0 AND v = -1 OR at >= 0 AND v = m.items[at].value);
      | 14 .. 18 =>
        IF at >= 0 AND NOT t.get(key, step) THEN RETURN FALSE END;
        IF t.delete(key, v) # (at >= 0) OR at < 0 AND v # -1 OR at >= 0 AND v # step THEN RETURN FALSE END;
        EVAL Delete(m, at);
        RETURN TRUE;
      | 19 => RETURN Thin(t, m, kind <= Kind.Methods);
      | 20 => RETURN Take(t, m);
      | 21 => RETURN CopyTable(root, kind);
      | 22 =>
        IF kind = Kind.Tree THEN IntIntBPlusTree.Validate(t) END;
        RETURN kind < Kind.Treap OR Ordered(t, m);
      ELSE
        IF Dice.Roll(10) = 0 THEN
          root.tables[kind] := NewTable(kind);
          root.tableModels[kind] := NEW(Model);
        END;
        RETURN SameTable(root.tables[kind], root.tableModels[kind]);
      END;
    END;
  END OnTable;

(* --- Sets --- *)

PROCEDURE SameSet(s: IntSet.T; m: Model): BOOLEAN =
  VAR it := s.iterate();  e, n := 0;  met: ARRAY [0 .. 2 * Most] OF BOOLEAN;
  BEGIN
    IF s.size() # m.count OR s.isEmpty() # (m.count = 0) THEN RETURN FALSE END;
    FOR i := 0 TO m.count - 1 DO met[i] := FALSE END;
    WHILE it.next(e) DO
      WITH at = Find(m, e) DO
        IF at < 0 OR met[at] THEN RETURN FALSE END;
        met[at] := TRUE;
        INC(n);
      END;
    END;
    RETURN n = m.count;
  END SameSet;

(* The elements of a that are in b, or not; and those of b if `both`. *)
PROCEDURE Select(a, b: Model; in, notIn, both: BOOLEAN): Model =
  VAR result := NEW(Model);
  BEGIN
    FOR i := 0 TO a.count - 1 DO
      WITH key = a.items[i].key, isIn = Find(b, key) >= 0 DO
        IF isIn AND in OR NOT isIn AND notIn THEN EVAL Put(result, key, 0) END;
      END;
    END;
    IF both THEN
      FOR i := 0 TO b.count - 1 DO EVAL Put(result, b.items[i].key, 0) END;
    END;
    RETURN result;
  END Select;

PROCEDURE OnSet(root: Root; VAR what: TEXT): BOOLEAN =
  VAR kind := VAL(Dice.Roll(NUMBER(SetKind)), SetKind);  s := root.sets[kind];  m := root.setModels[kind];
      kind2 := VAL(Dice.Roll(NUMBER(SetKind)), SetKind);  s2 := root.sets[kind2];  m2 := root.setModels[kind2];
      e := KeyOf(m);  at := Find(m, e);  operation := Dice.Roll(24);
      common := Select(m, m2, TRUE, FALSE, FALSE).count;
  BEGIN
    what := "set " & Fmt.Int(ORD(kind)) & " operation " & Fmt.Int(operation);
    IF m.count > Most - 300 AND operation < 8 THEN operation := 20 END;
    CASE operation OF
    | 0 .. 5 => RETURN s.insert(e) = Put(m, e, 0);
    | 6 .. 8 => RETURN s.delete(e) = Delete(m, at);
    | 9 .. 11 => RETURN s.member(e) = (at >= 0);
    | 12 => RETURN SameSet(s.union(s2), Select(m, m2, TRUE, TRUE, TRUE));
    | 13 => RETURN SameSet(s.intersection(s2), Select(m, m2, TRUE, FALSE, FALSE));
    | 14 => RETURN SameSet(s.diff(s2), Select(m, m2, FALSE, TRUE, FALSE));
    | 15 =>
      RETURN s.subset(s2) = (common = m.count) AND s.intersect(s2) = (common > 0)
             AND s.equal(s2) = (common = m.count AND common = m2.count);
    | 16 => root.sets[kind] := s.copy(); RETURN SameSet(root.sets[kind], m);
    | 17 =>
      IF m.count + m2.count < Most - 100 THEN
        root.setModels[kind] := Select(m, m2, TRUE, TRUE, TRUE);
        RETURN s.unionD(s2) = s AND SameSet(s, root.setModels[kind]);
      END;
    | 18 =>
      root.setModels[kind] := Select(m, m2, TRUE, FALSE, FALSE);
      RETURN s.intersectionD(s2) = s AND SameSet(s, root.setModels[kind]);
    | 19 =>
      root.setModels[kind] := Select(m, m2, FALSE, TRUE, FALSE);
      RETURN s.diffD(s2) = s AND SameSet(s, root.setModels[kind]);
    | 20 =>
      FOR i := 1 TO Dice.Roll(m.count + 1) DO
        IF NOT s.iterate().next(e) OR NOT s.delete(e) OR NOT Delete(m, Find(m, e)) THEN RETURN FALSE END;
      END;
    ELSE
      (* Some of a table's keys. *)
      FOR i := 0 TO MIN(root.tableModels[Kind.Hash].count, 60) - 1 DO
        WITH key = root.tableModels[Kind.Hash].items[i].key DO
          IF s.insert(key) # Put(m, key, 0) THEN RETURN FALSE END;
        END;
      END;
    END;
    RETURN SameSet(s, root.setModels[kind]);
  END OnSet;

(* --- Sequences --- *)

PROCEDURE OnSequence(root: Root; VAR what: TEXT): BOOLEAN =
  VAR s := root.sequence;  m := root.sequenceModel;  x := Dice.Roll(1000000);  operation := Dice.Roll(16);  i, n: CARDINAL;
  BEGIN
    what := "sequence operation " & Fmt.Int(operation);
    IF m.count = 0 AND operation > 5 OR m.count > Most AND operation < 6 THEN operation := 15 END;
    CASE operation OF
    | 0 .. 2 => s.addhi(x); m.items[m.count].key := x; INC(m.count);
    | 3 .. 5 =>
      s.addlo(x);
      FOR i := m.count - 1 TO 0 BY -1 DO m.items[i + 1] := m.items[i] END;
      m.items[0].key := x;
      INC(m.count);
    | 6 .. 7 => RETURN s.gethi() = m.items[m.count - 1].key AND s.remhi() = m.items[m.count - 1].key AND Delete(m, m.count - 1);
    | 8 .. 9 => RETURN s.getlo() = m.items[0].key AND s.remlo() = m.items[0].key AND Delete(m, 0);
    | 10 => i := Dice.Roll(m.count); s.put(i, x); m.items[i].key := x;
    | 11 =>
      i := Dice.Roll(m.count);
      root.sequence := IntSeq.Cat(IntSeq.Sub(s, 0, i), IntSeq.Sub(s, i));
    | 12 =>
      i := Dice.Roll(m.count);
      n := Dice.Roll(m.count);
      root.sequence := IntSeq.Sub(s, i, n);
      FOR k := 1 TO i DO EVAL Delete(m, 0) END;
      m.count := MIN(m.count, n);
    | 13 .. 14 => i := Dice.Roll(m.count); RETURN s.get(i) = m.items[i].key;
    ELSE
      IF Dice.Roll(10) = 0 THEN root.sequence := NEW(IntSeq.T).init(Dice.Roll(10)); m.count := 0 END;
    END;
    s := root.sequence;
    IF s.size() # m.count THEN RETURN FALSE END;
    FOR i := 0 TO m.count - 1 DO IF s.get(i) # m.items[i].key THEN RETURN FALSE END END;
    RETURN TRUE;
  END OnSequence;

(* --- Priority queues --- *)

PROCEDURE Least(m: Model): INTEGER =
  VAR least := LAST(INTEGER);
  BEGIN
    FOR i := 0 TO m.count - 1 DO least := MIN(least, m.items[i].value) END;
    RETURN least;
  END Least;

(* An element's key in the model is its number, its value the priority. *)
PROCEDURE OnQueue(root: Root; VAR what: TEXT): BOOLEAN =
  VAR q := root.queue;  m := root.queueModel;  element := root.elements[Dice.Roll(Most)];  p := Dice.Roll(100);
      operation := Dice.Roll(12);  all: REF ARRAY OF IntPQ.Elt;
  BEGIN
    what := "queue operation " & Fmt.Int(operation);
    CASE operation OF
    | 0 .. 5 =>
      IF NOT element.queued THEN
        element.priority := p;
        element.queued := TRUE;
        q.insert(element);
        EVAL Put(m, element.number, p);
      END;
    | 6 .. 7 =>
      TRY
        q.delete(element);
        IF NOT element.queued OR NOT Delete(m, Find(m, element.number)) THEN RETURN FALSE END;
        element.queued := FALSE;
      EXCEPT IntPQ.NotInQueue => RETURN NOT element.queued
      END;
    | 8 .. 9 =>
      TRY
        q.change(element, p);
        IF NOT element.queued OR NOT Put(m, element.number, p) THEN RETURN FALSE END;
      EXCEPT IntPQ.NotInQueue => RETURN NOT element.queued
      END;
    | 10 =>
      FOR i := 1 TO Dice.Roll(m.count + 1) DO
        IF q.min().priority # Least(m) THEN RETURN FALSE END;
        element := q.deleteMin();
        IF element.priority # Least(m) OR NOT Delete(m, Find(m, element.number)) THEN RETURN FALSE END;
        element.queued := FALSE;
      END;
    ELSE
      all := NEW(REF ARRAY OF IntPQ.Elt, m.count);
      FOR i := 0 TO m.count - 1 DO all[i] := root.elements[m.items[i].key] END;
      root.queue := NEW(IntPQ.Default).fromArray(all^);
    END;
    TRY
      RETURN root.queue.size() = m.count AND root.queue.min().priority = Least(m);
    EXCEPT IntPQ.Empty => RETURN m.count = 0
    END;
  END OnQueue;

(* --- Everything --- *)

PROCEDURE Same(root: Root): BOOLEAN =
  BEGIN
    FOR kind := FIRST(Kind) TO LAST(Kind) DO
      IF NOT SameTable(root.tables[kind], root.tableModels[kind]) THEN RETURN FALSE END;
    END;
    FOR kind := FIRST(SetKind) TO LAST(SetKind) DO
      IF NOT SameSet(root.sets[kind], root.setModels[kind]) THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Same;

PROCEDURE Operate(root: Root) =
  VAR right: BOOLEAN;  what := "";
  BEGIN
    CASE Dice.Roll(8) OF
    | 0 .. 3 => right := OnTable(root, what);
    | 4 .. 5 => right := OnSet(root, what);
    | 6 => right := OnSequence(root, what);
    ELSE right := OnQueue(root, what);
    END;
    Check.That(right, Dice.With(what));
  END Operate;

PROCEDURE InMemory(steps: CARDINAL) =
  VAR root := NewRoot();
  BEGIN
    FOR step := 1 TO steps DO
      Operate(root);
      IF step MOD 500 = 0 THEN RTCollector.Collect() END;
    END;
    Check.That(Same(root), Dice.With("in memory"));
  END InMemory;

PROCEDURE InStore(steps: CARDINAL) =
  VAR db := Store.Open();  tr := NEW(Transaction.T);  root: Root;
  BEGIN
    tr.begin();
    root := db.getRoot();
    IF root = NIL THEN
      root := NewRoot();
      db.setRoot(root);
    END;
    Check.That(Same(root), Dice.With("reopened"));
    FOR step := 1 TO steps DO
      Operate(root);
      CASE Dice.Roll(200) OF
      | 0 => tr.chain();
      | 1 => tr.commit(); tr.begin(); Check.That(Same(root), Dice.With("committed"));
      | 2 =>
        tr.abort();
        tr.begin();
        root := db.getRoot();
        IF root = NIL THEN root := NewRoot(); db.setRoot(root) END;
      | 3 => RTCollector.Collect();
      | 4 =>
        tr.commit();
        db.close();
        db := Database.Open("store");
        tr.begin();
        root := db.getRoot();
      ELSE
      END;
    END;
    Check.That(Same(root), Dice.With("in a store"));
    tr.commit();
  END InStore;

VAR
  steps := 500;

BEGIN
  IF Env.Get("STEPS") # NIL AND NOT Text.Empty(Env.Get("STEPS")) THEN steps := Scan.Int(Env.Get("STEPS")) END;
  InMemory(steps);
  InStore(steps);
  IO.Put("done\n");
END Main.
(* expect: done *)
(* restart *)
(* expect: done *)
(* restart *)
(* expect: done *)
