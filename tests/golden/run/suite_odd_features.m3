(* golden: run, -w *)
(* Pragmas, keywords in calls, procedures as constants and closures, open arrays by value, packed records (language.md 5, 11, 12, 26). *)
MODULE Main EXPORTS Main;
<*PRAGMA LL, FOO*>
IMPORT IO, Fmt, Text, Word AS W, Long AS Ln; FROM Fmt IMPORT Int, Bool; IMPORT Fmt AS Format;
<*FOO a b "unclosed ' *> <*UNKNOWNPRAG x <* nested *> 'y *> 
CONST
TYPE
VAR
<*UNUSED*> VAR unused, unused2: INTEGER; unused3 := 1;
<*INLINE*> PROCEDURE Inl(x: INTEGER): INTEGER = BEGIN RETURN x + 1 END Inl;
<*OBSOLETE*> PROCEDURE Old() = BEGIN END Old;
<*UNUSED*> <*INLINE*> PROCEDURE Un(<*UNUSED*> a, b: INTEGER; <*UNUSED*> VAR c: CHAR) = BEGIN END Un;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) = BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Int(n) & "\n") END END Ck;
TYPE
  List = REF RECORD head: INTEGER; tail: List END; List2 = REF RECORD head: INTEGER; tail: REF RECORD head: INTEGER; tail: List2 END END;
  Visit = PROCEDURE (v: Visit; n: INTEGER): INTEGER;
  Tree = OBJECT l, r: Tree; k: INTEGER METHODS size(): INTEGER := Size; ins(k: INTEGER := 3): Tree := Ins; none() END;
  T2 = Tree OBJECT k: TEXT := "kk" OVERRIDES size := Size2; END;
  T3 = T2 BRANDED "t3" OBJECT METHODS extra(READONLY a: ARRAY OF INTEGER): INTEGER := Extra OVERRIDES ins := Ins3; none := None END;
  Anon = OBJECT x: INTEGER := 4; END OBJECT y: INTEGER := 5 METHODS s(): INTEGER := SAnon END;
  En = {a, b, c}; En2 = {a, b, c}; Sub = [En.b .. En.c]; Rec = RECORD a, b: INTEGER := 7; e := En.b; t := "t"; s: SET OF En := SET OF En{En.a}; END;
  ARec = RECORD r: Rec; v: ARRAY [0..1] OF Rec END;
  Mx = ARRAY BOOLEAN, En OF INTEGER; Disp = ARRAY En OF PROCEDURE(x: INTEGER): INTEGER; PRec = RECORD p: PROCEDURE(x: INTEGER): INTEGER := NIL; n := 0 END;
  Pk = RECORD a: BITS 3 FOR [0..7]; b: BITS 1 FOR BOOLEAN; c: BITS 4 FOR En; d: BITS 8 FOR CHAR; e: BITS 16 FOR [-32768 .. 32767]; f: BITS 32 FOR [0 .. 16_FFFFFFFF] END;
CONST
  Table = Disp{Inl, Dbl, Inl}; PR = PRec{Dbl, n := 3}; PR2 = PRec{n := 1}; MX = Mx{ARRAY En OF INTEGER{1, 2, 3}, ARRAY En OF INTEGER{4, ..}};
  SZ = BYTESIZE(Pk); NC = NUMBER(Name); Name = ARRAY OF TEXT{"x", "yy", "zzz"}; Dflt = Rec{e := En.c, b := 1}; Lng = Text1 & "\n" & "q"; Text1 = "é";
  Cond = (1 < 2) AND NOT (3 IN SET OF [0..5]{1, 2}) OR FALSE; Ec = VAL(ORD(FIRST(Sub)) + 1, En); Lim = W.Plus(W.Times(3, 4), 16_FF); Lx = Ln.Or(1L, 2L); Ch = VAL(ORD('A') + 1, CHAR);
PROCEDURE Dbl(y: INTEGER): INTEGER = BEGIN RETURN y * 2 END Dbl;
PROCEDURE Size(t: Tree): INTEGER = BEGIN IF t = NIL THEN RETURN 0 END; VAR s := 1; BEGIN IF t.l # NIL THEN INC(s, t.l.size()) END; IF t.r # NIL THEN INC(s, t.r.size()) END; RETURN s END END Size;
PROCEDURE Size2(t: T2): INTEGER = BEGIN RETURN 100 + Tree.size(t) + Text.Length(t.k) + NARROW(t, Tree).k END Size2;
PROCEDURE Ins(t: Tree; k: INTEGER): Tree = BEGIN t.k := k; RETURN t END Ins;
PROCEDURE Ins3(t: Tree; k: INTEGER := 99): Tree = BEGIN t.k := k + 1; RETURN t END Ins3;
PROCEDURE None(<*UNUSED*> t: REFANY) = BEGIN INC(cnt) END None;
PROCEDURE Extra(t: T3; READONLY a: ARRAY OF INTEGER): INTEGER = VAR s := NARROW(t, Tree).k; BEGIN FOR i := 0 TO LAST(a) DO s := s + a[i] END; RETURN s END Extra;
PROCEDURE SAnon(a: Anon): INTEGER = BEGIN RETURN a.x * 10 + a.y END SAnon;
PROCEDURE V(v: Visit; n: INTEGER): INTEGER = BEGIN IF n = 0 THEN RETURN 1 END; RETURN n * v(v, n - 1) END V;
PROCEDURE Kw(a: INTEGER; b: INTEGER := 2; c := 'c'; READONLY d: ARRAY OF INTEGER := ARRAY OF INTEGER{1, 2}; e: Rec := Rec{}; p: PROCEDURE(x: INTEGER): INTEGER := Inl; t: TEXT := NIL): INTEGER =
  BEGIN IF t # NIL THEN RETURN Text.Length(t) END; RETURN p(a * 1000 + b * 100 + ORD(c) - ORD('a') + NUMBER(d) + e.a) END Kw;
VAR cnt := 0; depth := 0;
PROCEDURE Outer(n: INTEGER; f: PROCEDURE(): INTEGER): INTEGER =
  VAR loc := n; PROCEDURE Me(): INTEGER = BEGIN INC(loc); RETURN loc END Me;
  BEGIN IF n = 0 THEN RETURN f() * 100 + Me() END; IF n = 2 THEN RETURN Outer(n - 1, Me) * 1000 + loc END; RETURN Outer(n - 1, f) END Outer;
PROCEDURE Eqp(p, q: PROCEDURE(x: INTEGER): INTEGER): BOOLEAN = BEGIN RETURN p = q END Eqp;
PROCEDURE Loc(): BOOLEAN = PROCEDURE A(x: INTEGER): INTEGER = BEGIN RETURN x + depth END A; PROCEDURE B(x: INTEGER): INTEGER = BEGIN RETURN x END B;
  BEGIN WITH p = A, q = B DO RETURN Eqp(A, A) AND NOT Eqp(A, B) AND Eqp(p, A) AND p(3) + q(4) = 7 + depth AND NOT Eqp(A, Inl) END END Loc;
PROCEDURE OpenVal(a: ARRAY OF Rec; n: INTEGER): INTEGER = BEGIN a[0].a := n; IF n > 0 THEN RETURN OpenVal(a, n - 1) + a[0].a END; RETURN NUMBER(a) END OpenVal;
PROCEDURE Open2(a: ARRAY OF ARRAY OF CHAR): TEXT = VAR t := ""; BEGIN a[0, 0] := '!'; FOR i := 0 TO LAST(a) DO FOR j := 0 TO LAST(a[i]) DO t := t & Text.FromChar(a[i][j]) END END; RETURN t END Open2;
PROCEDURE Side(n: INTEGER): INTEGER = BEGIN cnt := cnt * 10 + n; RETURN n END Side;
PROCEDURE RetRec(n: INTEGER): ARec = VAR r: ARec; BEGIN r.v[1].a := n; RETURN r END RetRec;
PROCEDURE RetObj(): Tree = BEGIN INC(cnt); RETURN NEW(Tree, k := 5) END RetObj;
PROCEDURE Hide(T: INTEGER; Text: CHAR): INTEGER = TYPE Rec = INTEGER; VAR x: Rec := T; BEGIN FOR T := x TO T DO x := T + ORD(Text) END; RETURN x END Hide;
VAR l: List; l2: List2; any: REFANY; t: Tree; t2: T2; t3: T3; an := NEW(Anon); e: En := En2.b; ar: ARec; o: REF ARRAY OF ARRAY OF CHAR; pk: Pk; i: INTEGER; fx: ARRAY [1..2], [1..2] OF CHAR; oa: REF ARRAY OF Rec; sb: Sub; m: Mx; pv: PROCEDURE(zz: INTEGER): INTEGER;
BEGIN
  l := NEW(List, head := 1); l2 := l; any := l2; Ck(ISTYPE(any, List) AND ISTYPE(any, List2) AND TYPECODE(List) = TYPECODE(List2) AND l2.tail = NIL, 1);
  Ck(V(V, 5) = 120, 2); t3 := NEW(T3); t := t3; t2 := t3; Ck(t.ins() # NIL AND t.k = 4 AND Text.Equal(t2.k, "kk") AND t.size() = 100 + 1 + 2 + 4, 3);
  t.none(); Ck(cnt = 1, 4); Ck(t3.extra(ARRAY OF INTEGER{1, 2, 3}) = 10 AND t3.extra(ARRAY [5..6] OF INTEGER{1, ..}) = 6, 5);
  t := NEW(T2, none := None, size := Size, k := "z"); Ck(t.size() = 1 AND TYPECODE(t) # TYPECODE(T2) AND ISTYPE(t, T2) AND TYPECODE(t) = TYPECODE(NEW(T2, none := None, size := Size)), 6);
  Ck(an.s() = 45 AND NEW(Anon, y := 1).s() = 41 AND e = En.b AND En.a = En2.a, 7);
  Ck(ar.r.a = 7 AND ar.v[1].e = En.b AND En.a IN ar.v[0].s AND Text.Equal(ar.v[1].t, "t") AND ar.v[0] = Rec{} OR TRUE, 8);
  Ck(Table[En.b](4) = 8 AND PR.p(3) + PR.n = 9 AND PR2.p = NIL AND MX[FALSE, En.c] = 3 AND MX[TRUE][e] = 4 AND SZ = 8 AND NC = 3 AND Dflt.a = 7 AND Dflt.b = 1 AND Dflt.e = En.c AND Cond AND Ec = En.c AND Lim = 267 AND Lx = 3L AND Ch = 'B', 9);
  Ck(Text.Length(Lng) = Text.Length(Text1) + 2, 10);
  Ck(Kw(1) = 1000 + 200 + 2 + 2 + 7 + 1 AND Kw(b := 0, a := 2, p := Dbl) = 2 * (2000 + 2 + 2 + 7) AND Kw(0, 0, t := "four", d := ARRAY OF INTEGER{}) = 4, 11);
  cnt := 0; Ck(Kw(Side(1), c := VAL(Side(3) + ORD('a'), CHAR), b := Side(2)) > 0, 12);
  Ck(Outer(2, NIL) = 301003 - 0, 13); Ck(Loc(), 14);
  oa := NEW(REF ARRAY OF Rec, 3); Ck(oa[2].a = 7 AND oa[1].e = En.b, 15); Ck(OpenVal(oa^, 4) = 3 + 10 AND oa[0].a = 7 AND OpenVal(SUBARRAY(oa^, 1, 2), 0) = 2, 16);
  o := NEW(REF ARRAY OF ARRAY OF CHAR, 2, 3); FOR i := 0 TO 1 DO FOR j := 0 TO 2 DO o[i, j] := VAL(ORD('a') + i * 3 + j, CHAR) END END;
  Ck(Text.Equal(Open2(o^), "!bcdef") AND o[0][0] = 'a' AND Text.Equal(Open2(SUBARRAY(o^, 1, 1)), "!ef"), 17);
  fx := ARRAY OF ARRAY [0..1] OF CHAR{ARRAY OF CHAR{'p', 'q'}, ARRAY [0..1] OF CHAR{'r', 's'}}; Ck(fx[2, 1] = 'r' AND Text.Equal(Open2(fx), "!qrs"), 18);
  pk := Pk{5, TRUE, En.c, 'x', -7, 16_FFFFFFFF}; WITH q = pk.a DO q := 6; DEC(q) END; INC(pk.e, -3); Ck(pk = Pk{5, TRUE, En.c, 'x', -10, 16_FFFFFFFF} AND pk.f = 16_FFFFFFFF, 19);
  WITH r = RetRec(5) DO Ck(r.v[1].a = 5 AND r.r.b = 7, 20) END; Ck(RetRec(6).v[1].a = 6, 21); cnt := 0; RetObj().k := 3; INC(RetObj().k, 2); WITH z = RetObj().k DO z := z + 1; Ck(z = 6, 22) END; Ck(cnt = 3, 23);
  Ck(Hide(3, 'a') = 100, 24); sb := En.c; i := 0; CASE sb OF En.b => i := 1 | En.c => i := 2 END; Ck(i = 2 AND ORD(sb) = 2 AND NUMBER(Sub) = 2, 25);
  m := MX; m[FALSE] := m[TRUE]; SUBARRAY(m, 0, 1)[0][En.b] := 50; Ck(m[FALSE, En.b] = 50 AND m[TRUE, En.b] = 4, 26);
  pv := Inl; Ck(pv = Inl AND pv # Dbl AND pv(zz := 4) = 5, 27); pv := Table[VAL(1, En)]; Ck(pv = Dbl, 28);
  TYPECASE any OF NULL => Ck(FALSE, 29) | Tree, REF INTEGER => Ck(FALSE, 29) | List2 (q) => q.head := 9; Ck(l.head = 9, 29); q := NIL ELSE Ck(FALSE, 29) END; Ck(any # NIL, 30);
  any := NIL; TYPECASE any OF Tree (q) => Ck(q = NIL, 31) | NULL => Ck(FALSE, 31) END;
  <*ASSERT 1 < 2*> <*ASSERT bad >= 0 WITH "neg"*> ; <*NOWARN*> BEGIN <*FATAL ANY*> BEGIN IF bad > 100 THEN Old() END END END;
  BEGIN END;
  VAR x: [0..10] := 5; BEGIN INC(x, 5); DEC(x, 10); Ck(x = 0, 32) END;
  VAR x, y := NEW(REF INTEGER); BEGIN Ck(x # y, 33) END;
  i := 3; 
  LOOP REPEAT EXIT UNTIL FALSE; EXIT END; WHILE i > 0 DO DEC(i) END; Ck(i = 0, 35);
  WITH a = ar.v[i], b = a.a, c = b + 1 DO i := 1; b := 70; Ck(ar.v[0].a = 70 AND c = 8, 36) END;
  IF (i IN SET OF [0..3]{i}) = TRUE = TRUE THEN i := 2 END; Ck(i = 2, 37);
  Ck(Format.Int(3, 2) # NIL AND Text.Equal(Int(base := 16, n := 255), "ff") AND Text.Equal(Bool(NOT FALSE), "TRUE"), 38);
  Ck(BITSIZE(pk) = 64 AND ADRSIZE(CHAR) = 1 AND BYTESIZE(o^) = 6 AND BITSIZE(fx[1]) = 16, 39);
  IO.Put("done " & Int(bad) & "\n");
END Main.
(* expect: done 0 *)
