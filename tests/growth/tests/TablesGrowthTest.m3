(* The costs of hash tables and of sets that are hash tables. *)
MODULE TablesGrowthTest;

IMPORT Cost, Database, Fmt, IntIntTbl, IntSet, IntSetDef, IntTextTbl, Random, Test, TextIntTbl, Transaction, Word;

VAR
  from, to, other: IntIntTbl.T;
  texts: TextIntTbl.T;
  set, set2: IntSet.T;
  dice := NEW(Random.Default);
  sink: INTEGER;

(* Keys in ascending order, and random ones. *)

PROCEDURE Ascending(n: CARDINAL) =
  BEGIN
    to := NEW(IntIntTbl.Default).init();
    FOR i := 1 TO n DO EVAL to.put(i, i) END;
  END Ascending;

PROCEDURE AtRandom(n: CARDINAL) =
  BEGIN
    to := NEW(IntIntTbl.Default).init();
    EVAL dice.init(TRUE);
    FOR i := 1 TO n DO EVAL to.put(dice.integer(), i) END;
  END AtRandom;

PROCEDURE GetAll(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO EVAL to.get(i, sink) END;
  END GetAll;

PROCEDURE GetOthers(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO EVAL to.get(-i, sink) END;
  END GetOthers;

PROCEDURE DeleteAll(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO EVAL to.delete(i, sink) END;
  END DeleteAll;

PROCEDURE Iterate(<*UNUSED*> n: CARDINAL) =
  VAR it := to.iterate();  k, v: INTEGER;
  BEGIN
    WHILE it.next(k, v) DO END;
  END Iterate;

PROCEDURE Texts(n: CARDINAL) =
  BEGIN
    texts := NEW(TextIntTbl.Default).init();
    FOR i := 1 TO n DO EVAL texts.put(Fmt.Int(i), i) END;
  END Texts;

PROCEDURE TestPutGetDelete(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "put, keys in order", 140, Ascending);
    Cost.Check(t, "put, random keys", 180, AtRandom);
    Cost.Check(t, "get", 55, GetAll, Ascending);
    Cost.Check(t, "get, random", 75, GetOthers, AtRandom);
    Cost.Check(t, "get, absent keys", 65, GetOthers, Ascending);
    Cost.Check(t, "delete", 95, DeleteAll, Ascending);
    Cost.Check(t, "iterate", 35, Iterate, Ascending);
    Cost.Check(t, "put, texts", 200, Texts);
  END TestPutGetDelete;

(* Entries come from an iterator, whose order is that of the other table's slots. *)

PROCEDURE Fill(n: CARDINAL) =
  BEGIN
    Ascending(n);
    from := to;
    to := NEW(IntIntTbl.Default).init();
  END Fill;

PROCEDURE FillTwo(n: CARDINAL) =
  BEGIN
    Fill(n);
    other := NEW(IntIntTbl.Default).init();
    FOR i := 1 TO n DO EVAL other.put(n DIV 2 + i, i) END;
  END FillTwo;

PROCEDURE PutAll(from: IntIntTbl.T) =
  VAR it := from.iterate();  k, v: INTEGER;
  BEGIN
    WHILE it.next(k, v) DO EVAL to.put(k, v) END;
  END PutAll;

PROCEDURE Copy(<*UNUSED*> n: CARDINAL) =
  BEGIN
    PutAll(from);
  END Copy;

PROCEDURE FillCopied(n: CARDINAL) =
  BEGIN
    Fill(n);
    PutAll(from);
    from := to;
    to := NEW(IntIntTbl.Default).init();
  END FillCopied;

(* A table of which the first half has been copied, and the copy; both are copied into a third. *)
PROCEDURE FillOverlapping(n: CARDINAL) =
  VAR it: IntIntTbl.Iterator;  k, v: INTEGER;
  BEGIN
    Fill(n);
    other := NEW(IntIntTbl.Default).init();
    it := from.iterate();
    FOR i := 1 TO n DIV 2 DO EVAL it.next(k, v); EVAL other.put(k, v) END;
  END FillOverlapping;

PROCEDURE CopyBoth(<*UNUSED*> n: CARDINAL) =
  BEGIN
    PutAll(other);
    PutAll(from);
  END CopyBoth;

PROCEDURE Filter(<*UNUSED*> n: CARDINAL) =
  VAR it := from.iterate();  k, v: INTEGER;
  BEGIN
    WHILE it.next(k, v) DO
      IF k MOD 3 = 0 THEN EVAL to.put(k, v) END;
    END;
  END Filter;

PROCEDURE FillSmallHint(n: CARDINAL) =
  BEGIN
    Fill(n);
    to := NEW(IntIntTbl.Default).init(n DIV 8);
  END FillSmallHint;

(* The other way round: the key is in the value. *)
PROCEDURE Invert(<*UNUSED*> n: CARDINAL) =
  VAR it := from.iterate();  k, v: INTEGER;
  BEGIN
    WHILE it.next(k, v) DO EVAL to.put(v, k) END;
  END Invert;

PROCEDURE TestCopies(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "copy", 180, Copy, Fill);
    Cost.Check(t, "copy of a copy", 180, Copy, FillCopied);
    Cost.Check(t, "copy, hint of n DIV 8", 200, Copy, FillSmallHint);
    Cost.Check(t, "filter", 85, Filter, Fill);
    Cost.Check(t, "merge two", 280, CopyBoth, FillTwo);
    Cost.Check(t, "merge a table and its first half", 240, CopyBoth, FillOverlapping);
    Cost.Check(t, "swap keys and values", 180, Invert, Fill);
  END TestCopies;

(* Emptying. *)

PROCEDURE EmptyByOne(<*UNUSED*> n: CARDINAL) =
  VAR it := to.iterate();  k, v: INTEGER;
  BEGIN
    WHILE it.next(k, v) DO EVAL to.delete(k, v) END;
    <*ASSERT to.size() = 0*>
  END EmptyByOne;

PROCEDURE TakeOne() =
  VAR k, v: INTEGER;
  BEGIN
    <*ASSERT to.iterate().next(k, v) AND to.delete(k, v)*>
  END TakeOne;

PROCEDURE EmptyByMany(<*UNUSED*> n: CARDINAL) =
  BEGIN
    WHILE to.size() > 0 DO TakeOne() END;
  END EmptyByMany;

(* The first three quarters by one iterator, the rest one by one. *)
PROCEDURE EmptyByBoth(n: CARDINAL) =
  VAR it := to.iterate();  k, v: INTEGER;
  BEGIN
    FOR i := 1 TO 3 * n DIV 4 DO <*ASSERT it.next(k, v) AND to.delete(k, v)*> END;
    EmptyByMany(n);
  END EmptyByBoth;

(* A list of work: one entry is taken out, another one comes. *)
PROCEDURE Work(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO
      TakeOne();
      EVAL to.put(n + i, i);
    END;
  END Work;

PROCEDURE GrowAndShrink(n: CARDINAL) =
  VAR k: INTEGER := 0;
  BEGIN
    to := NEW(IntIntTbl.Default).init();
    FOR round := 1 TO 4 DO
      FOR i := 1 TO n DO INC(k); EVAL to.put(k, i) END;
      FOR i := 0 TO n - 1 DO EVAL to.delete(k - i, sink) END;
    END;
  END GrowAndShrink;

(* A table that has lost nearly all of its entries is iterated over n times. *)
PROCEDURE FillAndThin(n: CARDINAL) =
  BEGIN
    Ascending(n);
    FOR i := 11 TO n DO EVAL to.delete(i, sink) END;
  END FillAndThin;

PROCEDURE IterateOften(n: CARDINAL) =
  BEGIN
    FOR i := 1 TO n DO Iterate(n) END;
  END IterateOften;

PROCEDURE TestEmptying(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "empty by one iterator", 160, EmptyByOne, Ascending);
    Cost.Check(t, "empty, an iterator for each entry", 220, EmptyByMany, Ascending);
    Cost.Check(t, "empty, the first part by one iterator", 180, EmptyByBoth, Ascending);
    Cost.Check(t, "take an entry out, put another", 220, Work, Ascending);
    Cost.Check(t, "fill and empty four times", 920, GrowAndShrink);
    Cost.Check(t, "iterate n times over what is left", 700, IterateOften, FillAndThin);
  END TestEmptying;

(* An adversary's keys: n tags of which all homes are the first slot, by the factor 1, and also by the
   second factor of Table.mg, of whose lattice these are the shortest vectors (tag, tag * factor). *)

(* The key with this tag. *)
PROCEDURE KeyOf(tag: Word.T): INTEGER =
  CONST Inverse = 16_F1DE83E19937733D;  (* of the factor in Table.TagOf *)
  VAR hash := Word.Times(tag, Inverse);
  BEGIN
    RETURN Word.Xor(hash, Word.RightShift(hash, 32));  (* Integer.Hash does the same *)
  END KeyOf;

PROCEDURE PutHostile(n: CARDINAL; step1, step2: INTEGER) =
  BEGIN
    FOR i := 1 TO n DO EVAL to.put(KeyOf(i MOD 256 * step1 + i DIV 256 * step2), i) END;
  END PutHostile;

PROCEDURE Hostile(n: CARDINAL) =
  BEGIN
    PutHostile(n, 1, 256);
  END Hostile;

PROCEDURE Hostile2(n: CARDINAL) =
  BEGIN
    PutHostile(n, 5172507839 - 813875584, 5172507839);
  END Hostile2;

PROCEDURE Empty(<*UNUSED*> n: CARDINAL) =
  BEGIN
    to := NEW(IntIntTbl.Default).init();
  END Empty;

(* Full runs without a gap, all entries in their homes; then keys are looked for that are not there. *)
PROCEDURE FillRun(n: CARDINAL) =
  VAR slots := 4;  shift := 62;
  BEGIN
    to := NEW(IntIntTbl.Default).init(n);
    WHILE slots < 2 * n DO slots := 2 * slots; DEC(shift) END;
    FOR i := 1 TO n DO EVAL to.put(KeyOf(Word.LeftShift(i, shift)), i) END;
  END FillRun;

PROCEDURE GetFromRun(n: CARDINAL) =
  VAR slots := 4;  shift := 62;
  BEGIN
    WHILE slots < 2 * n DO slots := 2 * slots; DEC(shift) END;
    FOR i := 1 TO n DO
      EVAL to.get(KeyOf(Word.LeftShift(1, shift) + i + 2), sink);
    END;
  END GetFromRun;

PROCEDURE TestHostileKeys(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "put, all homes are one slot", 300, Hostile, Empty, 4000);
    Cost.Check(t, "put, also by the second factor", 1200, Hostile2, Empty, 4000);
    Cost.Check(t, "get, absent keys before a run", 2100, GetFromRun, FillRun);
  END TestHostileKeys;

(* A subtype with its own equality. *)
TYPE
  ByHundred = IntTextTbl.Default OBJECT OVERRIDES keyEqual := SameHundred; keyHash := HashHundred END;

PROCEDURE SameHundred(<*UNUSED*> t: ByHundred; READONLY k1, k2: INTEGER): BOOLEAN =
  BEGIN
    RETURN k1 DIV 100 = k2 DIV 100;
  END SameHundred;

PROCEDURE HashHundred(<*UNUSED*> t: ByHundred; READONLY k: INTEGER): Word.T =
  BEGIN
    RETURN k DIV 100;
  END HashHundred;

PROCEDURE CopyHundreds(n: CARDINAL) =
  VAR a: IntTextTbl.T := NEW(ByHundred).init();  b: IntTextTbl.T := NEW(ByHundred).init();
      it: IntTextTbl.Iterator;  k: INTEGER;  v: TEXT;
  BEGIN
    FOR i := 1 TO n DO EVAL a.put(100 * i, "") END;
    it := a.iterate();
    WHILE it.next(k, v) DO EVAL b.put(k, v) END;
    WHILE b.size() > 0 DO <*ASSERT b.iterate().next(k, v) AND b.delete(k, v)*> END;
  END CopyHundreds;

(* Twenty keys with each hash. *)
TYPE
  FewHashes = IntTextTbl.Default OBJECT OVERRIDES keyEqual := Same; keyHash := HashTwenty END;

PROCEDURE Same(<*UNUSED*> t: FewHashes; READONLY k1, k2: INTEGER): BOOLEAN =
  BEGIN
    RETURN k1 = k2;
  END Same;

PROCEDURE HashTwenty(<*UNUSED*> t: FewHashes; READONLY k: INTEGER): Word.T =
  BEGIN
    RETURN k DIV 20;
  END HashTwenty;

PROCEDURE PutTwenties(n: CARDINAL) =
  VAR a: IntTextTbl.T := NEW(FewHashes).init();
  BEGIN
    FOR i := 1 TO n DO EVAL a.put(i, "") END;
  END PutTwenties;

PROCEDURE TestKeyEqualOfASubtype(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "put, copy and empty by methods", 640, CopyHundreds);
    Cost.Check(t, "put, twenty keys with each hash", 1200, PutTwenties);
  END TestKeyEqualOfASubtype;

(* Sets. *)

PROCEDURE FillSets(n: CARDINAL) =
  BEGIN
    set := NEW(IntSetDef.T).init();
    set2 := NEW(IntSetDef.T).init();
    FOR i := 1 TO n DO
      EVAL set.insert(i);
      EVAL set2.insert(n DIV 2 + i);
    END;
  END FillSets;

PROCEDURE Union(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL set.union(set2);
  END Union;

PROCEDURE UnionOfEmpty(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL NEW(IntSetDef.T).init().unionD(set).unionD(set2);
  END UnionOfEmpty;

PROCEDURE Intersection(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL set.intersection(set2);
  END Intersection;

PROCEDURE Diff(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL set.diff(set2);
  END Diff;

PROCEDURE CopyOfSet(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL set.copy();
  END CopyOfSet;

PROCEDURE Questions(<*UNUSED*> n: CARDINAL) =
  BEGIN
    EVAL set.equal(set.copy());
    EVAL set.subset(set2);
    EVAL set.intersect(set2);
  END Questions;

PROCEDURE Elements(<*UNUSED*> n: CARDINAL) =
  VAR s: IntSet.T := NEW(IntSetDef.T).init();  it := set.iterate();  e: INTEGER;
  BEGIN
    WHILE it.next(e) DO EVAL s.insert(e) END;
    WHILE NOT s.isEmpty() DO <*ASSERT s.iterate().next(e) AND s.delete(e)*> END;
  END Elements;

PROCEDURE FromArray(n: CARDINAL) =
  VAR a := NEW(REF ARRAY OF INTEGER, n);
  BEGIN
    FOR i := 0 TO n - 1 DO a[i] := i END;
    EVAL NEW(IntSetDef.T).fromArray(a^);
  END FromArray;

PROCEDURE TestSets(t: Test.T) RAISES ANY =
  BEGIN
    Cost.Check(t, "set: union", 240, Union, FillSets);
    Cost.Check(t, "set: unionD of an empty set", 300, UnionOfEmpty, FillSets);
    Cost.Check(t, "set: intersection", 260, Intersection, FillSets);
    Cost.Check(t, "set: diff", 260, Diff, FillSets);
    Cost.Check(t, "set: copy", 120, CopyOfSet, FillSets);
    Cost.Check(t, "set: fromArray", 90, FromArray, FillSets);
    Cost.Check(t, "set: equal, subset, intersect", 220, Questions, FillSets);
    Cost.Check(t, "set: by iterate and insert, emptied", 420, Elements, FillSets);
  END TestSets;

(* In a store. *)

VAR
  db: Database.T;
  tr := NEW(Transaction.T);

PROCEDURE FillStored(n: CARDINAL) RAISES ANY =
  BEGIN
    Ascending(n);
    db.setRoot(to);
    tr.chain();
    from := db.getRoot();
    to := NEW(IntIntTbl.Default).init();
  END FillStored;

PROCEDURE EmptyStored(n: CARDINAL) RAISES ANY =
  BEGIN
    FillStored(n);
    to := from;
  END EmptyStored;

(* The copy is stored half-way, and read again. *)
PROCEDURE CopyInTwoSteps(n: CARDINAL) RAISES ANY =
  VAR it := from.iterate();  k, v: INTEGER;
  BEGIN
    FOR i := 1 TO n DIV 2 DO EVAL it.next(k, v); EVAL to.put(k, v) END;
    db.setRoot(to);
    tr.chain();
    to := db.getRoot();
    WHILE it.next(k, v) DO EVAL to.put(k, v) END;
    tr.chain();
  END CopyInTwoSteps;

PROCEDURE TestTablesInAStore(t: Test.T) RAISES ANY =
  BEGIN
    db := t.database();
    tr.begin();
    Cost.Check(t, "store: copy", 180, Copy, FillStored);
    Cost.Check(t, "store: copy into a stored table", 180, CopyInTwoSteps, FillStored);
    Cost.Check(t, "store: empty, an iterator for each entry", 220, EmptyByMany, EmptyStored);
    Cost.Check(t, "store: put, all homes are one slot", 300, Hostile, EmptyStored, 4000);
    tr.abort();
  END TestTablesInAStore;

BEGIN
END TablesGrowthTest.
