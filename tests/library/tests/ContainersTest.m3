MODULE ContainersTest;

IMPORT Test, Fmt, IntList, IntRefTbl, IntSeq, RefList, Text, TextIntTbl, TextList, TextRefTbl,
  TextSeq;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

PROCEDURE TestLists(<*UNUSED*> running: Test.T) =
  VAR l := IntList.FromArray(ARRAY OF INTEGER{1, 2, 3, 4});  t: TextList.T;
      a := NEW(REF INTEGER);
  BEGIN
    test.equalInt(IntList.Length(l), 4, "Length");
    test.equalInt(IntList.Nth(l, 2), 3, "Nth");
    test.check(IntList.Member(l, 4) AND NOT IntList.Member(l, 5), "Member");
    l := IntList.Reverse(l);
    test.equalInt(l.head, 4, "Reverse");
    l := IntList.ReverseD(l);
    test.equalInt(l.head, 1, "ReverseD");
    l := IntList.Append(l, IntList.List2(5, 6));
    test.equalInt(IntList.Nth(l, 5), 6, "Append");
    l := IntList.AppendD(l, IntList.List1(7));
    test.equalInt(IntList.Length(l), 7, "AppendD");
    test.equalInt(IntList.Length(NIL), 0, "Length of NIL");
    t := TextList.List3("a", "b", "c");
    test.check(TextList.Member(t, Text.FromChar('b')), "Member compares by Equal");
    test.check(RefList.Member(RefList.List2(NIL, a), a), "Member compares references");
  END TestLists;

PROCEDURE TestTables(<*UNUSED*> running: Test.T) =
  VAR
    t := NEW(TextIntTbl.Default).init();
    r: TextRefTbl.T := NEW(TextRefTbl.Default).init(100);
    n := NEW(IntRefTbl.Default).init();
    v, sum := 0;
    k: TEXT;
    ref: REFANY;
    right := TRUE;
  BEGIN
    FOR i := 1 TO 2000 DO
      IF t.put(Fmt.Int(i), i) THEN right := FALSE END;
      EVAL n.put(-i * 4096, NIL);
    END;
    test.check(right, "put of a new key");
    test.equalInt(t.size(), 2000, "size");
    test.equalInt(n.size(), 2000, "size of another");
    FOR i := 1 TO 2000 DO
      IF NOT t.get(Fmt.Int(i), v) OR v # i THEN right := FALSE END;
      IF NOT n.get(-i * 4096, ref) THEN right := FALSE END;
    END;
    test.check(right, "get");
    v := 17;
    test.check(NOT t.get("none", v) AND v = 17, "get of a key that is not there");
    test.check(t.put("7", 70), "put of an old key");
    WITH i = t.iterate() DO
      WHILE i.next(k, v) DO INC(sum, v) END;
      test.equalInt(sum, 2001000 + 63, "iterate");
    END;
    FOR i := 1 TO 2000 DO
      IF i MOD 10 # 0 AND NOT t.delete(Fmt.Int(i), v) THEN right := FALSE END;
    END;
    test.check(right, "delete");
    test.check(NOT t.delete("1", v), "delete of a key that is not there");
    test.equalInt(t.size(), 200, "size after delete");
    test.check(t.get("1990", v) AND v = 1990, "get after delete");
    EVAL r.put("x", t);
    test.check(r.get("x", ref) AND ref = t, "reference");
  END TestTables;

PROCEDURE TestSequences(<*UNUSED*> running: Test.T) =
  VAR s := NEW(IntSeq.T).init();  t: TextSeq.T;  right := TRUE;
  BEGIN
    FOR i := 1 TO 100 DO s.addhi(i); s.addlo(-i) END;
    test.equalInt(s.size(), 200, "size of a sequence");
    test.equalInt(s.getlo(), -100, "getlo");
    test.equalInt(s.gethi(), 100, "gethi");
    FOR i := 0 TO 99 DO
      IF s.get(i) # i - 100 OR s.get(i + 100) # i + 1 THEN right := FALSE END;
    END;
    test.check(right, "get of a sequence");
    test.equalInt(s.remlo(), -100, "remlo");
    test.equalInt(s.remhi(), 100, "remhi");
    s.put(0, 42);
    test.equalInt(IntSeq.Sub(s, 0, 2).get(1), -98, "Sub");
    test.equalInt(IntSeq.Cat(s, s).size(), 396, "Cat");
    t := NEW(TextSeq.T).fromArray(ARRAY OF TEXT{"a", "b"});
    t.addhi("c");
    test.equalText(t.get(2), "c", "fromArray");
  END TestSequences;

BEGIN
END ContainersTest.
