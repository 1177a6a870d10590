(* golden: run, -w *)
(* WITH aliases in nested procedures, open arrays of several dimensions, procedure types, LONGINT indices, CASE ranges. *)
MODULE Main;
IMPORT IO, Fmt, Text, Word, Thread, Real, LongReal, Extended;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
(* WITH aliases in module bodies used by nested procedures *)
TYPE Vec = ARRAY [0..2] OF REAL; Mat = ARRAY [0..2] OF Vec;
  Node = REF RECORD l, r: Node; k: CHAR; s: SET OF CHAR END;
  Cls = OBJECT arr: ARRAY [0..3] OF RECORD x: BITS 4 FOR [0..15]; y: BITS 4 FOR [-8..7] END; METHODS get(i: INTEGER): INTEGER := Get END;
  LS = SET OF [0L..20L]; LArr = ARRAY [5L..7L] OF CHAR;
  EnumArr = ARRAY BOOLEAN OF ARRAY CHAR OF INTEGER;
  Shape = {circle, square, tri};
  Fn = PROCEDURE (VAR x: INTEGER; READONLY a: ARRAY OF INTEGER; s := Shape.square): REF ARRAY OF INTEGER RAISES ANY;
PROCEDURE Get(c: Cls; i: INTEGER): INTEGER = BEGIN RETURN c.arr[i].x * 10 + c.arr[i].y END Get;
PROCEDURE FnImpl(VAR x: INTEGER; READONLY a: ARRAY OF INTEGER; s: Shape): REF ARRAY OF INTEGER = 
  VAR r := NEW(REF ARRAY OF INTEGER, NUMBER(a)); BEGIN INC(x, ORD(s)); r^ := a; RETURN r END FnImpl;
VAR m: Mat; v := Vec {1.0, ..}; n: Node; c := NEW(Cls); ea: EnumArr; fn: Fn := FnImpl; ls: LS; la: LArr;
  cnt := 0; e := Shape.tri; mu := NEW(MUTEX);
PROCEDURE Side(): INTEGER = BEGIN INC(cnt); RETURN cnt END Side;
PROCEDURE Mixed(VAR a: ARRAY OF ARRAY OF INTEGER; b: ARRAY OF ARRAY OF INTEGER) = BEGIN FOR i := 0 TO LAST(a) DO a[i] := b[LAST(b) - i] END; b[0,0] := 999 END Mixed;
PROCEDURE ConstIdx(): TEXT = CONST names = ARRAY Shape OF TEXT {"c", "s", "t"}; BEGIN RETURN names[e] & names[FIRST(Shape)] END ConstIdx;
PROCEDURE Swap(VAR a, b: INTEGER) = VAR t := a; BEGIN a := b; b := t END Swap;
PROCEDURE Locks(): INTEGER = BEGIN LOCK mu DO LOOP LOCK NEW(MUTEX) DO EXIT END END; RETURN 5 END END Locks;
PROCEDURE LongFor(): LONGINT = VAR s := 0L; BEGIN FOR i := 3L TO 1L BY -1L DO s := s * 10L + i END; RETURN s END LongFor;
PROCEDURE SetLoop(): INTEGER = VAR s := SET OF CHAR {'a'..'c', 'z'}; n := 0; BEGIN FOR c := FIRST(CHAR) TO LAST(CHAR) DO IF c IN s THEN INC(n) END END; RETURN n END SetLoop;
PROCEDURE RangeCase(i: INTEGER): INTEGER = BEGIN
  CASE i OF FIRST(INTEGER)..-100 => RETURN 0 | -99 .. -1 => RETURN 1 | 0 => RETURN 2 | 1, 3, 5, 7..9 => RETURN 3 | 1000000000000 => RETURN 4 | 5_4 + 10 => RETURN 6 ELSE RETURN 5 END END RangeCase;
PROCEDURE Opn(READONLY a: ARRAY OF CHAR): ARRAY [0..1] OF CHAR = VAR r: ARRAY [0..1] OF CHAR; BEGIN r := SUBARRAY(a, 1, 2); RETURN r END Opn;
PROCEDURE Chg(VAR t: RECORD a, b: INTEGER END) = BEGIN t.a := t.b END Chg;
TYPE RAB = RECORD a, b: INTEGER END;
PROCEDURE NestedWith(): INTEGER =
  VAR a := ARRAY [0..2] OF INTEGER {1,2,3}; s := 0;
  BEGIN
    WITH x = a[1], y = a[2] DO
      VAR z := 10; PROCEDURE Inner() = BEGIN INC(x, z); INC(y); s := x + y; FOR k := 0 TO 2 DO PROCEDURE_(k) END END Inner;
        PROCEDURE PROCEDURE_(k: INTEGER) = BEGIN INC(s, a[k]) END PROCEDURE_;
      BEGIN Inner() END
    END; RETURN s
  END NestedWith;
TYPE T1 = RECORD x: INTEGER; next: REF T1 END; T2 = RECORD x: INTEGER; next: REF T2 END;
VAR t1: T1; t2: T2; r1: REF T1; r2: REF T2;
TYPE F1 = PROCEDURE (x: INTEGER); F2 = PROCEDURE (y: INTEGER); VAR f1: F1; f2: F2;
BEGIN
  WITH row = m[1] DO
    VAR PROCEDURE Set(x: REAL) = BEGIN row[2] := x; n := NEW(Node, k := 'q') END Set; BEGIN Set(4.0) END;
    Ck(m[1,2] = 4.0 AND n.k = 'q', 1);
  END;
  WITH z = m[0], o = n.s DO
    VAR PROCEDURE P() = PROCEDURE Q() = BEGIN z := v; o := o + SET OF CHAR {'x'} END Q; BEGIN Q() END P; BEGIN P() END;
  END;
  Ck(m[0] = v AND 'x' IN n.s, 2);
  c.arr[2].x := 15; c.arr[2].y := -8; Ck(c.get(2) = 142 AND c.get(1) = 0, 3);
  ea[TRUE]['c'] := 8; Ck(ea[NOT FALSE, 'c'] = 8, 4);
  VAR k := 5; arr := ARRAY [10..12] OF INTEGER {7, 8, 9}; BEGIN
    WITH r = fn(k, arr) DO Ck(k = 6 AND NUMBER(r^) = 3 AND r[2] = 9, 5) END;
    EVAL fn(k, SUBARRAY(arr, 1, 2), Shape.tri); Ck(k = 8, 6);
    Swap(arr[10], arr[12]); Ck(arr[10] = 9 AND arr[12] = 7, 7);
    INC(arr[9 + Side()], 100); Ck(cnt = 1 AND arr[10] = 109, 8);
  END;
  ls := LS {1L, 5L..9L}; Ck(5L IN ls AND NOT 4L IN ls, 9);
  la[6L] := 'x'; Ck(la[6L] = 'x' AND NUMBER(la) = 3 AND FIRST(la) = 5L, 10);
  VAR a := ARRAY [0..1], [0..2] OF INTEGER {ARRAY [0..2] OF INTEGER {1, 2, 3}, ARRAY [0..2] OF INTEGER {4,5,6}}; b := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 3);
  BEGIN Mixed(a, a); Ck(a[0,0] = 4 AND a[1,2] = 3, 11); b^ := a; Ck(b[1,2] = 3 AND b^ = a, 12); b[0] := ARRAY [1..3] OF INTEGER {9,9,9}; a := b^; Ck(a[0,1] = 9, 13); SUBARRAY(b^, 0, 1) := SUBARRAY(b^, 1, 1); Ck(b[0] = b[1], 14) END;
  Ck(Text.Equal(ConstIdx(), "tc"), 15); Ck(Locks() = 5, 16); Ck(LongFor() = 321L AND SetLoop() = 4, 17);
  Ck(RangeCase(-100) = 0 AND RangeCase(-5) = 1 AND RangeCase(8) = 3 AND RangeCase(1000000000000) = 4 AND RangeCase(2) = 5 AND RangeCase(14) = 6, 18);
  Ck(Opn(ARRAY OF CHAR {'a','b','c'})[1] = 'c', 19);
  VAR r := RAB{1, 2}; BEGIN Chg(r); Ck(r.a = 2, 20); r := RAB{r.b + 1, r.a - 1}; Ck(r.a = 3 AND r.b = 1, 21) END;
  Ck(NestedWith() = 12 + 4 + 1 + 12 + 4, 22);
  r1 := r2; t1 := t2; f1 := f2; f2 := f1; Ck(r1 = r2 AND f1 = f2, 23);
  Ck(Real.MaxFinite > 3.0e38 AND LongReal.MaxFinite > 1.0d308 AND Extended.MinPos > 0.0x0, 24);
  VAR x := 0.0; BEGIN Ck(NOT (x / x = x / x) AND x = -x AND 1.0 / x > Real.MaxFinite, 25) END;
  REPEAT INC(cnt) UNTIL cnt >= 5; WHILE cnt > 0 DO DEC(cnt) END; Ck(cnt = 0, 26);
  Ck(VAL(ORD('a') + 1, CHAR) = 'b' AND VAL(66, CHAR) = 'B' AND ORD(TRUE) = 1 AND '\x41' = 'A' AND '\101' = 'A', 27);
  Ck(NUMBER(CHAR) = 256 AND LAST(CARDINAL) = LAST(INTEGER) AND FIRST(LONGCARD) = 0L AND BITSIZE(WIDECHAR) >= 16, 28);
  VAR a, b: REF ARRAY OF CHAR; BEGIN a := NEW(REF ARRAY OF CHAR, 0); b := NEW(REF ARRAY OF CHAR, 0); Ck(a^ = b^ AND LAST(a^) = -1, 29); FOR i := FIRST(a^) TO LAST(a^) DO Ck(FALSE, 30) END END;
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
