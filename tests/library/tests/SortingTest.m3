MODULE SortingTest;

IMPORT Atom, AtomList, AtomListSort, Test, Dice, Fmt, IntArraySort, IntList, IntListSort, Integer,
  RefList, RefListSort, Text, TextArraySort, TextList, TextListSort;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

TYPE
  Numbers = ARRAY OF INTEGER;

VAR
  calls: CARDINAL;

PROCEDURE Backward(a, b: INTEGER): [-1..1] =
  BEGIN
    INC(calls);
    RETURN Integer.Compare(b, a);
  END Backward;

(* A sum that does not depend on the order, to check that no element is lost. *)
PROCEDURE Sum(READONLY a: Numbers): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO INC(sum, (a[i] + 7) * (a[i] + 7)) END;
    RETURN sum;
  END Sum;

PROCEDURE Ascending(READONLY a: Numbers): BOOLEAN =
  BEGIN
    FOR i := 1 TO LAST(a) DO
      IF a[i - 1] > a[i] THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Ascending;

PROCEDURE SortArray(READONLY given: Numbers; what: TEXT) =
  VAR a := NEW(REF Numbers, NUMBER(given));  sum := Sum(given);  n := NUMBER(given);
  BEGIN
    a^ := given;
    IntArraySort.Sort(a^);
    test.check(Ascending(a^) AND Sum(a^) = sum, Dice.With(what));
    a^ := given;
    calls := 0;
    IntArraySort.Sort(a^, Backward);
    FOR i := 0 TO n DIV 2 - 1 DO
      WITH t = a[i] DO VAR u := t; BEGIN t := a[n - 1 - i]; a[n - 1 - i] := u END END;
    END;
    test.check(Ascending(a^) AND Sum(a^) = sum, Dice.With(what & ", backward"));
    test.check(calls <= 60 * MAX(n, 1), Dice.With(what & ": calls " & Fmt.Int(calls)));
  END SortArray;

PROCEDURE TestArrays(<*UNUSED*> running: Test.T) =
  VAR a: ARRAY [0..2999] OF INTEGER;
      t := ARRAY [0..4] OF TEXT{"pear", "fig", "apple", "fig", ""};
  BEGIN
    FOR n := 0 TO 40 DO
      FOR i := 0 TO n - 1 DO a[i] := Dice.Roll(20) END;
      SortArray(SUBARRAY(a, 0, n), Fmt.Int(n) & " numbers");
    END;
    FOR i := 0 TO LAST(a) DO a[i] := Dice.Roll(1000000) END;
    SortArray(a, "random");
    FOR i := 0 TO LAST(a) DO a[i] := i END;
    SortArray(a, "sorted before");
    FOR i := 0 TO LAST(a) DO a[i] := -i END;
    SortArray(a, "backward before");
    FOR i := 0 TO LAST(a) DO a[i] := 5 END;
    SortArray(a, "all equal");
    FOR i := 0 TO LAST(a) DO a[i] := MIN(i, LAST(a) - i) END;
    SortArray(a, "organ pipes");
    FOR i := 0 TO LAST(a) DO a[i] := i MOD 2 * (i - 1500) END;
    SortArray(a, "comb");
    FOR i := 0 TO LAST(a) DO a[i] := Dice.Roll(2) END;
    SortArray(a, "two values");
    FOR i := 0 TO LAST(a) DO a[i] := Dice.Roll(50) END;
    SortArray(a, "fifty values");
    FOR i := 0 TO LAST(a) DO a[i] := i END;
    a[LAST(a)] := -1;
    SortArray(a, "sorted but for one");
    TextArraySort.Sort(t);
    test.equalText(t[0] & t[1] & t[2] & t[3] & t[4], "applefigfigpear", "texts");
  END TestArrays;

PROCEDURE TextSum(READONLY a: ARRAY OF TEXT): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO INC(sum, Text.Hash(a[i]) MOD 1000000007) END;
    RETURN sum;
  END TextSum;

PROCEDURE TextsBackward(a, b: TEXT): [-1..1] =
  BEGIN
    RETURN Text.Compare(b, a);
  END TextsBackward;

PROCEDURE SortTexts(VAR a: ARRAY OF TEXT; what: TEXT) =
  VAR sum := TextSum(a);  ascending, descending := TRUE;
  BEGIN
    TextArraySort.Sort(a);
    FOR i := 1 TO LAST(a) DO
      ascending := ascending AND Text.Compare(a[i - 1], a[i]) <= 0;
    END;
    test.check(ascending AND TextSum(a) = sum, Dice.With(what));
    TextArraySort.Sort(a, TextsBackward);
    FOR i := 1 TO LAST(a) DO
      descending := descending AND Text.Compare(a[i - 1], a[i]) >= 0;
    END;
    test.check(descending AND TextSum(a) = sum, Dice.With(what & ", backward"));
  END SortTexts;

(* A few different characters, including the least, the greatest and wide ones. *)
PROCEDURE RandomText(wide: BOOLEAN): TEXT =
  CONST Narrow = ARRAY [0..5] OF CHAR{'\000', 'a', 'b', '\377', '\376', 'a'};
  VAR t := "";
  BEGIN
    FOR i := 1 TO Dice.Roll(12) DO
      IF wide AND Dice.Roll(4) = 0 THEN
        t := t & Text.FromWideChar(VAL(255 + Dice.Roll(3), WIDECHAR));
      ELSE
        t := t & Text.FromChar(Narrow[Dice.Roll(NUMBER(Narrow))]);
      END;
    END;
    RETURN t;
  END RandomText;

PROCEDURE TestTexts(<*UNUSED*> running: Test.T) =
  VAR a: ARRAY [0..299] OF TEXT;
  BEGIN
    FOR i := 0 TO LAST(a) DO a[i] := Fmt.Int(Dice.Roll(1000000)) END;
    SortTexts(a, "numbers as texts");
    FOR i := 0 TO LAST(a) DO a[i] := "the same beginning " & Fmt.Int(Dice.Roll(500)) END;
    SortTexts(a, "long texts");
    FOR i := 0 TO LAST(a) DO a[i] := RandomText(FALSE) END;
    SortTexts(a, "narrow texts");
    FOR i := 0 TO LAST(a) DO a[i] := RandomText(TRUE) END;
    SortTexts(a, "wide texts");
    FOR i := 0 TO LAST(a) DO a[i] := "x" END;
    SortTexts(a, "equal texts");
  END TestTexts;

TYPE
  Pair = REF RECORD key, number: INTEGER END;

PROCEDURE ByKey(a, b: REFANY): [-1..1] =
  BEGIN
    RETURN Integer.Compare(NARROW(a, Pair).key, NARROW(b, Pair).key);
  END ByKey;

PROCEDURE ByName(a, b: Atom.T): [-1..1] =
  BEGIN
    RETURN Text.Compare(Atom.ToText(a), Atom.ToText(b));
  END ByName;

PROCEDURE Stable(l: RefList.T; n: INTEGER): BOOLEAN =
  VAR count := 0;  previous: Pair := NIL;
  BEGIN
    WHILE l # NIL DO
      WITH pair = NARROW(l.head, Pair) DO
        IF previous # NIL AND (previous.key > pair.key
                               OR previous.key = pair.key AND previous.number > pair.number) THEN
          RETURN FALSE;
        END;
        previous := pair;
      END;
      INC(count);
      l := l.tail;
    END;
    RETURN count = n;
  END Stable;

PROCEDURE TestLists(<*UNUSED*> running: Test.T) =
  VAR l, before: RefList.T;  n: CARDINAL;  numbers: IntList.T;  atoms: AtomList.T;
  BEGIN
    FOR trial := 1 TO 30 DO
      n := Dice.Roll(200);
      l := NIL;
      FOR i := n TO 1 BY -1 DO
        l := RefList.Cons(NEW(Pair, key := Dice.Roll(10), number := i), l);
      END;
      before := RefList.Append(l, NIL);
      test.check(Stable(RefListSort.Sort(l, ByKey), n), Dice.With("Sort"));
      WHILE before # NIL AND l.head = before.head DO
        l := l.tail;
        before := before.tail;
      END;
      test.check(l = NIL AND before = NIL, Dice.With("Sort leaves its argument"));
      FOR i := n TO 1 BY -1 DO
        l := RefList.Cons(NEW(Pair, key := Dice.Roll(10), number := i), l);
      END;
      test.check(Stable(RefListSort.SortD(l, ByKey), n), Dice.With("SortD"));
    END;
    numbers := IntListSort.Sort(IntList.List3(3, 1, 2));
    test.check(numbers.head = 1 AND numbers.tail.head = 2 AND numbers.tail.tail.head = 3
               AND numbers.tail.tail.tail = NIL, "numbers");
    test.equalText(TextListSort.SortD(TextList.List2("b", "a")).head, "a", "texts");
    atoms := AtomListSort.Sort(AtomList.List2(Atom.FromText("b"), Atom.FromText("a")), ByName);
    test.equalText(Atom.ToText(atoms.head), "a", "atoms");
    test.equalText(IntListSort.Brand, "(ListSort Integer)", "Brand");
  END TestLists;

BEGIN
END SortingTest.
