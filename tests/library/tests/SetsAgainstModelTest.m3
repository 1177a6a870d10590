(* Sets of both kinds, also mixed, against SET OF. *)
MODULE SetsAgainstModelTest;

IMPORT Atom, AtomSet, AtomSetDef, AtomSetList, Test, Dice, Fmt, IntSet, IntSetDef, IntSetList,
  RefSet, RefSetList, RuntimeError, TextSet, TextSetDef, TextSetList;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

CONST
  Max = 40;

TYPE
  Bits = SET OF [0..Max - 1];

PROCEDURE Roll(): Bits =
  VAR bits := Bits{};  n := Dice.Roll(4);
  BEGIN
    FOR i := 0 TO Max - 1 DO
      IF Dice.Roll(4) < n THEN bits := bits + Bits{i} END;
    END;
    RETURN bits;
  END Roll;

PROCEDURE New(bits: Bits): IntSet.T =
  VAR s: IntSet.T;
  BEGIN
    IF Dice.Roll(2) = 0 THEN
      s := NEW(IntSetDef.T).init(Dice.Roll(100));
    ELSE
      s := NEW(IntSetList.T).init();
    END;
    FOR i := 0 TO Max - 1 DO
      IF i IN bits AND s.insert(i) THEN RETURN NIL END;
    END;
    RETURN s;
  END New;

PROCEDURE Same(s: IntSet.T; bits: Bits): BOOLEAN =
  VAR count: CARDINAL := 0;  e: INTEGER;  it := s.iterate();
  BEGIN
    FOR i := 0 TO Max - 1 DO
      IF s.member(i) # (i IN bits) THEN RETURN FALSE END;
      IF i IN bits THEN INC(count) END;
    END;
    IF s.size() # count OR s.isEmpty() # (bits = Bits{}) THEN RETURN FALSE END;
    WHILE it.next(e) DO
      IF NOT e IN bits THEN RETURN FALSE END;
      bits := bits - Bits{e};
    END;
    RETURN bits = Bits{};
  END Same;

PROCEDURE Trial() =
  VAR a := Roll();  b := Roll();  s, t, copy: IntSet.T;  i: INTEGER;  right := TRUE;
  BEGIN
    IF Dice.Roll(4) = 0 THEN b := a + b END;
    s := New(a);
    t := New(b);
    IF NOT Same(s, a) OR NOT Same(t, b) THEN right := FALSE END;
    IF s.subset(t) # (a <= b) OR s.equal(t) # (a = b) OR IntSet.Equal(t, s) # (a = b)
       OR s.intersect(t) # (a * b # Bits{}) THEN
      right := FALSE;
    END;
    IF NOT Same(s.union(t), a + b) OR NOT Same(s.intersection(t), a * b)
       OR NOT Same(s.diff(t), a - b) OR NOT Same(s, a) OR NOT Same(t, b) THEN
      right := FALSE;
    END;
    copy := s.copy();
    IF copy.unionD(t) # copy OR NOT Same(copy, a + b) THEN right := FALSE END;
    copy := s.copy();
    IF copy.intersectionD(t) # copy OR NOT Same(copy, a * b) THEN right := FALSE END;
    copy := s.copy();
    IF copy.diffD(t) # copy OR NOT Same(copy, a - b) THEN right := FALSE END;
    IF NOT Same(s.copy().diffD(s), a - a) AND a = Bits{} THEN right := FALSE END;
    copy := s.copy();
    IF NOT Same(copy.unionD(copy), a) OR NOT Same(copy.intersectionD(copy), a)
       OR NOT Same(copy.diffD(copy), Bits{}) THEN
      right := FALSE;
    END;
    i := Dice.Roll(Max);
    IF s.delete(i) # (i IN a) OR NOT Same(s, a - Bits{i}) THEN right := FALSE END;
    IF t.insert(i) # (i IN b) OR NOT Same(t, b + Bits{i}) THEN right := FALSE END;
    test.check(right, Dice.With("sets"));
  END Trial;

PROCEDURE Others() =
  VAR
    t: TextSet.T := NEW(TextSetDef.T).fromArray(ARRAY OF TEXT{"a", "b", "a"});
    l: TextSet.T := NEW(TextSetList.T).fromArray(ARRAY OF TEXT{"b", "a", "b"});
    atoms: AtomSet.T := NEW(AtomSetDef.T).init();
    more: AtomSet.T := NEW(AtomSetList.T).init();
    refs: RefSet.T := NEW(RefSetList.T).init();
    it: IntSet.Iterator;
    e: INTEGER;
    error := FALSE;
  BEGIN
    test.equalInt(t.size(), 2, "fromArray");
    test.check(t.equal(l) AND l.equal(t), "two kinds");
    test.check(t.member("a" & ""), "Equal of texts");
    EVAL atoms.insert(Atom.FromText("x"));
    EVAL more.insert(Atom.FromText("x"));
    test.check(atoms.equal(more), "atoms");
    test.check(NOT refs.insert(t) AND refs.insert(t) AND refs.member(t), "references");
    it := NEW(IntSetList.T).init().iterate();
    EVAL it.next(e);
    TRY EVAL it.next(e) EXCEPT RuntimeError.E => error := TRUE END;
    test.check(error, "next after the end");
    test.check(NOT NEW(IntSetDef.T).init().iterate().next(e), "nothing in an empty set");
    test.equalText(IntSet.Brand & Fmt.Bool(l.isEmpty()), "(Set Integer)FALSE", "Brand");
  END Others;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    FOR i := 1 TO 100 DO Trial() END;
    Others();
  END TestAll;

BEGIN
END SetsAgainstModelTest.
