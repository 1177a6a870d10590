(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Check, Fmt, IntList, IntRefTbl, IntSeq, RefList, Text, TextIntTbl, TextList, TextRefTbl,
  TextSeq;

PROCEDURE Lists() =
  VAR l := IntList.FromArray(ARRAY OF INTEGER{1, 2, 3, 4});  t: TextList.T;
      a := NEW(REF INTEGER);
  BEGIN
    Check.Int(IntList.Length(l), 4, "Length");
    Check.Int(IntList.Nth(l, 2), 3, "Nth");
    Check.That(IntList.Member(l, 4) AND NOT IntList.Member(l, 5), "Member");
    l := IntList.Reverse(l);
    Check.Int(l.head, 4, "Reverse");
    l := IntList.ReverseD(l);
    Check.Int(l.head, 1, "ReverseD");
    l := IntList.Append(l, IntList.List2(5, 6));
    Check.Int(IntList.Nth(l, 5), 6, "Append");
    l := IntList.AppendD(l, IntList.List1(7));
    Check.Int(IntList.Length(l), 7, "AppendD");
    Check.Int(IntList.Length(NIL), 0, "Length of NIL");
    t := TextList.List3("a", "b", "c");
    Check.That(TextList.Member(t, Text.FromChar('b')), "Member compares by Equal");
    Check.That(RefList.Member(RefList.List2(NIL, a), a), "Member compares references");
  END Lists;

PROCEDURE Tables() =
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
    Check.That(right, "put of a new key");
    Check.Int(t.size(), 2000, "size");
    Check.Int(n.size(), 2000, "size of another");
    FOR i := 1 TO 2000 DO
      IF NOT t.get(Fmt.Int(i), v) OR v # i THEN right := FALSE END;
      IF NOT n.get(-i * 4096, ref) THEN right := FALSE END;
    END;
    Check.That(right, "get");
    v := 17;
    Check.That(NOT t.get("none", v) AND v = 17, "get of a key that is not there");
    Check.That(t.put("7", 70), "put of an old key");
    WITH i = t.iterate() DO
      WHILE i.next(k, v) DO INC(sum, v) END;
      Check.Int(sum, 2001000 + 63, "iterate");
    END;
    FOR i := 1 TO 2000 DO
      IF i MOD 10 # 0 AND NOT t.delete(Fmt.Int(i), v) THEN right := FALSE END;
    END;
    Check.That(right, "delete");
    Check.That(NOT t.delete("1", v), "delete of a key that is not there");
    Check.Int(t.size(), 200, "size after delete");
    Check.That(t.get("1990", v) AND v = 1990, "get after delete");
    EVAL r.put("x", t);
    Check.That(r.get("x", ref) AND ref = t, "reference");
  END Tables;

PROCEDURE Sequences() =
  VAR s := NEW(IntSeq.T).init();  t: TextSeq.T;  right := TRUE;
  BEGIN
    FOR i := 1 TO 100 DO s.addhi(i); s.addlo(-i) END;
    Check.Int(s.size(), 200, "size of a sequence");
    Check.Int(s.getlo(), -100, "getlo");
    Check.Int(s.gethi(), 100, "gethi");
    FOR i := 0 TO 99 DO
      IF s.get(i) # i - 100 OR s.get(i + 100) # i + 1 THEN right := FALSE END;
    END;
    Check.That(right, "get of a sequence");
    Check.Int(s.remlo(), -100, "remlo");
    Check.Int(s.remhi(), 100, "remhi");
    s.put(0, 42);
    Check.Int(IntSeq.Sub(s, 0, 2).get(1), -98, "Sub");
    Check.Int(IntSeq.Cat(s, s).size(), 396, "Cat");
    t := NEW(TextSeq.T).fromArray(ARRAY OF TEXT{"a", "b"});
    t.addhi("c");
    Check.Text(t.get(2), "c", "fromArray");
  END Sequences;

BEGIN
  Lists();
  Tables();
  Sequences();
  Check.Done();
END Main.
(* expect: 31 checks, 0 failed *)
