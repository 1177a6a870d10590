(* Random operations on tables and on arrays that give the expected results. *)
MODULE TablesAgainstModelTest;

IMPORT Atom, AtomIntTbl, Test, Dice, Fmt, IntIntTbl, IntTextTbl, Integer, Random, RefIntTbl,
  RuntimeError, SortedAtomRefTbl, SortedIntIntTbl, SortedTextTextTbl, Text, TextAtomTbl, Word;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

CONST
  Keys = 200;
  Steps = 4000;

TYPE
  (* The expected value of each key. *)
  Model = ARRAY [0..Keys - 1] OF RECORD present := FALSE; value := 0 END;

(* Keys are spread, so that bad hashing becomes visible. *)
PROCEDURE KeyOf(i: INTEGER): INTEGER =
  BEGIN
    RETURN (i - Keys DIV 2) * 4096;
  END KeyOf;

PROCEDURE Operate(t: IntIntTbl.T; sorted: SortedIntIntTbl.T; what: TEXT) =
  VAR model: Model;  size, n, v, k := 0;  right := TRUE;  i: CARDINAL;
  BEGIN
    FOR step := 1 TO Steps DO
      n := Dice.Roll(Keys);
      v := -1;
      CASE Dice.Roll(5) OF
      | 0, 1 =>
        IF t.put(KeyOf(n), step) # model[n].present THEN right := FALSE END;
        IF NOT model[n].present THEN INC(size) END;
        model[n].present := TRUE;
        model[n].value := step;
      | 2, 3 =>
        (* More deletions in every other thousand steps, so that tables also shrink. *)
        IF step DIV 1000 MOD 2 = 1 OR Dice.Roll(3) = 0 THEN
          IF t.delete(KeyOf(n), v) # model[n].present THEN right := FALSE END;
          IF model[n].present THEN
            DEC(size);
            IF v # model[n].value THEN right := FALSE END;
          ELSIF v # -1 THEN
            right := FALSE;
          END;
          model[n].present := FALSE;
        END;
      ELSE
        IF t.get(KeyOf(n), v) # model[n].present THEN right := FALSE END;
        IF model[n].present AND v # model[n].value OR NOT model[n].present AND v # -1 THEN
          right := FALSE;
        END;
      END;
      IF t.size() # size THEN right := FALSE END;
      IF step MOD 500 = 0 THEN
        Iterate(t.iterate(), model, size, what);
        IF sorted # NIL THEN Ordered(sorted, model, what) END;
      END;
    END;
    test.check(right, Dice.With(what));
    i := 0;
    WHILE i < Keys DO
      EVAL t.delete(KeyOf(i), v);
      INC(i);
    END;
    test.equalInt(t.size(), 0, Dice.With(what & ": size at the end"));
    test.check(NOT t.iterate().next(k, v), Dice.With(what & ": nothing left"));
  END Operate;

PROCEDURE Iterate(it: IntIntTbl.Iterator; READONLY model: Model; size: INTEGER; what: TEXT) =
  VAR k, v, count := 0;  right := TRUE;  error := FALSE;
  BEGIN
    FOR round := 1 TO 2 DO
      count := 0;
      WHILE it.next(k, v) DO
        WITH m = model[k DIV 4096 + Keys DIV 2] DO
          IF NOT m.present OR m.value # v THEN right := FALSE END;
        END;
        INC(count);
      END;
      IF count # size THEN right := FALSE END;
      TRY EVAL it.next(k, v) EXCEPT RuntimeError.E => error := TRUE END;
      it := it.init();
    END;
    test.check(right, Dice.With(what & ": iterate"));
    test.check(error, Dice.With(what & ": next after the end"));
  END Iterate;

PROCEDURE Ordered(t: SortedIntIntTbl.T; READONLY model: Model; what: TEXT) =
  VAR k, v := 0;  it: SortedIntIntTbl.Iterator;  right := TRUE;  n: INTEGER;
  BEGIN
    it := t.iterateOrdered();
    FOR i := 0 TO Keys - 1 DO
      IF model[i].present AND NOT (it.next(k, v) AND k = KeyOf(i) AND v = model[i].value) THEN
        right := FALSE;
      END;
    END;
    IF it.next(k, v) THEN right := FALSE END;
    it := t.iterateOrdered(FALSE);
    FOR i := Keys - 1 TO 0 BY -1 DO
      IF model[i].present AND NOT (it.next(k, v) AND k = KeyOf(i) AND v = model[i].value) THEN
        right := FALSE;
      END;
    END;
    IF it.next(k, v) THEN right := FALSE END;
    test.check(right, Dice.With(what & ": order"));

    right := TRUE;
    FOR trial := 1 TO 20 DO
      n := Dice.Roll(Keys + 2) - 1;
      it := t.iterateOrdered(TRUE);
      it.seek(KeyOf(n) - Dice.Roll(2));  (* between two keys as well *)
      n := MAX(n, 0);
      WHILE n < Keys AND NOT model[n].present DO INC(n) END;
      IF it.next(k, v) # (n < Keys) OR n < Keys AND k # KeyOf(n) THEN right := FALSE END;
      n := Dice.Roll(Keys + 2) - 1;
      it := t.iterateOrdered(FALSE);
      WHILE it.next(k, v) DO END;
      it.seek(KeyOf(n) + Dice.Roll(2));  (* back from the end *)
      n := MIN(n, Keys - 1);
      WHILE n >= 0 AND NOT model[n].present DO DEC(n) END;
      IF it.next(k, v) # (n >= 0) OR n >= 0 AND k # KeyOf(n) THEN right := FALSE END;
    END;
    test.check(right, Dice.With(what & ": seek"));
  END Ordered;

(* Tables with another equality, hash and order: by the last digit. *)
TYPE
  ByDigit = IntTextTbl.Default OBJECT
    OVERRIDES
      keyEqual := DigitEqual;
      keyHash := DigitHash;
    END;
  Backwards = SortedIntIntTbl.Default OBJECT OVERRIDES keyCompare := Backward END;
  ByNumber = RefIntTbl.Default OBJECT
    OVERRIDES
      keyEqual := RefEqual;
      keyHash := RefHash;
    END;
  ByText = SortedAtomRefTbl.Default OBJECT OVERRIDES keyCompare := AtomCompare END;

PROCEDURE DigitEqual(<*UNUSED*> t: ByDigit; READONLY k1, k2: INTEGER): BOOLEAN =
  BEGIN
    RETURN k1 MOD 10 = k2 MOD 10;
  END DigitEqual;

PROCEDURE DigitHash(<*UNUSED*> t: ByDigit; READONLY k: INTEGER): Word.T =
  BEGIN
    RETURN k MOD 10;
  END DigitHash;

PROCEDURE Backward(<*UNUSED*> t: Backwards; READONLY k1, k2: INTEGER): [-1..1] =
  BEGIN
    RETURN Integer.Compare(k2, k1);
  END Backward;

PROCEDURE RefEqual(<*UNUSED*> t: ByNumber; READONLY k1, k2: REFANY): BOOLEAN =
  BEGIN
    RETURN NARROW(k1, REF INTEGER)^ = NARROW(k2, REF INTEGER)^;
  END RefEqual;

PROCEDURE RefHash(<*UNUSED*> t: ByNumber; READONLY k: REFANY): Word.T =
  BEGIN
    RETURN NARROW(k, REF INTEGER)^;
  END RefHash;

PROCEDURE AtomCompare(<*UNUSED*> t: ByText; READONLY k1, k2: Atom.T): [-1..1] =
  BEGIN
    RETURN Text.Compare(Atom.ToText(k1), Atom.ToText(k2));
  END AtomCompare;

PROCEDURE Box(i: INTEGER): REF INTEGER =
  VAR box := NEW(REF INTEGER);
  BEGIN
    box^ := i;
    RETURN box;
  END Box;

PROCEDURE Overridden() =
  VAR
    digits := NEW(ByDigit).init(3);
    back := NEW(Backwards).init();
    boxes := NEW(ByNumber).init();
    atoms := NEW(ByText).init();
    it: SortedIntIntTbl.Iterator;
    names: SortedAtomRefTbl.Iterator;
    t: TEXT := NIL;
    k, v := 0;
    a: Atom.T;
    r: REFANY;
    error := FALSE;
  BEGIN
    test.check(NOT digits.put(17, "a") AND digits.put(27, "b"), "an equality of one's own");
    test.check(digits.get(-3, t), "a hash of one's own");
    test.equalText(t, "b", "its value");
    FOR i := 1 TO 5 DO EVAL back.put(i, i) END;
    it := back.iterateOrdered();
    test.check(it.next(k, v) AND k = 5, "an order of one's own");
    it.seek(3);
    test.check(it.next(k, v) AND k = 3 AND it.next(k, v) AND k = 2, "seek in it");
    it := back.iterate().init();
    test.check(it.next(k, v) AND k = 5, "iterate of a sorted table");
    EVAL boxes.put(Box(3), 33);
    test.check(boxes.get(Box(3), v) AND v = 33, "references by what they refer to");
    TRY
      EVAL NEW(RefIntTbl.Default).init().put(Box(1), 1);
    EXCEPT RuntimeError.E(e) => error := e = RuntimeError.T.AssertFailed
    END;
    test.check(error, "references have no hash");
    EVAL atoms.put(Atom.FromText("pear"), NIL);
    EVAL atoms.put(Atom.FromText("fig"), NIL);
    names := atoms.iterateOrdered();
    test.check(names.next(a, r), "atoms in order");
    test.equalText(Atom.ToText(a), "fig", "first atom");
    error := FALSE;
    WITH plain = NEW(SortedAtomRefTbl.Default).init() DO
      EVAL plain.put(a, NIL);
      TRY EVAL plain.put(a, NIL) EXCEPT RuntimeError.E => error := TRUE END;
    END;
    test.check(error, "atoms have no order");
  END Overridden;

PROCEDURE OtherKinds() =
  VAR
    t := NEW(TextAtomTbl.Default).init();
    n := NEW(AtomIntTbl.Default).init(1000);
    s := NEW(SortedTextTextTbl.Default).init();
    it: SortedTextTextTbl.Iterator;
    a: Atom.T := NIL;
    k, v, previous: TEXT;
    i, count := 0;
  BEGIN
    FOR j := 1 TO 100 DO
      a := Atom.FromText(Fmt.Int(j * j));
      EVAL t.put(Fmt.Int(j), a);
      EVAL n.put(a, j);
      EVAL s.put(Fmt.Int(j), Fmt.Int(-j));
    END;
    test.check(t.get("9", a) AND a = Atom.FromText("81"), "atoms as values");
    test.check(n.get(a, i) AND i = 9, "atoms as keys");
    it := s.iterateOrdered();
    previous := "";
    WHILE it.next(k, v) DO
      IF Text.Compare(previous, k) < 0 AND Text.Equal("-" & k, v) THEN INC(count) END;
      previous := k;
    END;
    test.equalInt(count, 100, "texts in order");
    test.equalInt(s.init().size(), 0, "init empties a sorted table");
    test.equalInt(t.init().size(), 0, "init empties a table");
    test.equalText(IntIntTbl.Brand, "(Table Integer Integer)", "Brand");
    test.equalText(IntIntTbl.DefaultBrand, "(Default (Table Integer Integer))", "DefaultBrand");
    test.equalText(SortedIntIntTbl.Brand, "(Sorted (Table Integer Integer))", "Brand of a sorted one");
    test.equalText(SortedIntIntTbl.DefaultBrand, "(Default (Sorted (Table Integer Integer)))",
               "DefaultBrand of a sorted one");
  END OtherKinds;

TYPE
  Counting = SortedIntIntTbl.Default OBJECT
      calls: CARDINAL := 0;
    OVERRIDES
      keyCompare := CountingCompare;
    END;

PROCEDURE CountingCompare(t: Counting; READONLY k1, k2: INTEGER): [-1..1] =
  BEGIN
    INC(t.calls);
    RETURN Integer.Compare(k1, k2);
  END CountingCompare;

(* Keys in the order in which Random gives them must not make the tree a list. *)
PROCEDURE RandomKeys() =
  VAR r := NEW(Random.Default).init(TRUE);  t := NEW(Counting).init();  v: INTEGER;
  BEGIN
    FOR i := 1 TO 1000 DO EVAL t.put(r.integer(), i) END;
    NARROW(t, Counting).calls := 0;
    r := NEW(Random.Default).init(TRUE);
    FOR i := 1 TO 1000 DO EVAL t.get(r.integer(), v) END;
    test.check(NARROW(t, Counting).calls < 40 * 1000, "keys from Random");
  END RandomKeys;

VAR
  sorted := NEW(SortedIntIntTbl.Default).init();

(* Entries are deleted, and values change, while an iterator is in use; and many keys come and go
   in a table that stays small, so that deleted slots are reused. *)
PROCEDURE ChangedMeanwhile() =
  CONST N = 3000;
  VAR
    t := NEW(IntIntTbl.Default).init(N);
    it := t.iterate();
    met: ARRAY [0..N - 1] OF [0..2];
    k, v: INTEGER;
    right := TRUE;
  BEGIN
    FOR i := 0 TO N - 1 DO EVAL t.put(i, i); met[i] := 0 END;
    it := t.iterate();
    WHILE it.next(k, v) DO
      INC(met[k]);
      IF k MOD 3 = 0 THEN EVAL t.delete(k, v) ELSE EVAL t.put(k, -k) END;
    END;
    FOR i := 0 TO N - 1 DO
      IF met[i] # 1 OR t.get(i, v) # (i MOD 3 # 0) OR i MOD 3 # 0 AND v # -i THEN right := FALSE END;
    END;
    test.check(right, "changed while iterating");
    it := t.iterate();
    WHILE it.next(k, v) DO EVAL t.delete(k, v) END;
    test.equalInt(t.size(), 0, "all deleted while iterating");
    right := TRUE;
    FOR i := 1 TO 20 * N DO
      EVAL t.put(i * 7919, i);
      IF i > 10 AND NOT (t.delete((i - 10) * 7919, v) AND v = i - 10) THEN right := FALSE END;
      IF t.get((i - 10) * 7919, v) THEN right := FALSE END;
    END;
    test.check(right, "keys come and go");
    test.equalInt(t.size(), 10, "the last ones");
  END ChangedMeanwhile;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    ChangedMeanwhile();
    Operate(NEW(IntIntTbl.Default).init(), NIL, "hash table");
    Operate(sorted, sorted, "sorted table");
    Overridden();
    OtherKinds();
    RandomKeys();
  END TestAll;

BEGIN
END TablesAgainstModelTest.
