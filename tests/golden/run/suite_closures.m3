(* golden: run, -w *)
(* Nested procedures and closures at many levels, calls of computed procedures, big enumerations, packed formals, interface variables and constants. *)
MODULE Main;
IMPORT IO, Fmt, Text, Lib, Lib2, Lib AS L, Thread;
FROM Lib IMPORT Color, Rec, Add;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  BigE = {E0, E1, E2, E3, E4, E5, E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, G0, G1, G2, G3, G4, G5, G6, G7, G8, G9, H0, H1, H2, H3, H4, H5, H6, H7, H8, H9, I0, I1, I2, I3, I4, I5, I6, I7, I8, I9, J0, J1, J2, J3, J4, J5, J6, J7, J8, J9, K0, K1, K2, K3, K4, K5, K6, K7, K8, K9, L0};
  Proc = PROCEDURE(x: INTEGER): INTEGER; PP = REF Proc; Maker = PROCEDURE(i: INTEGER): Proc; Void = PROCEDURE();
  Byte = BITS 8 FOR [0..255]; Ch8 = BITS 8 FOR CHAR; Tree = OBJECT l, r: Tree; key: INTEGER METHODS each(p: PROCEDURE(t: Tree) RAISES {Stop}) RAISES {Stop} := Each; find(k: INTEGER): Tree := Find END;
EXCEPTION Stop(Tree);
PROCEDURE Each(t: Tree; p: PROCEDURE(t: Tree) RAISES {Stop}) RAISES {Stop} = BEGIN IF t.l # NIL THEN t.l.each(p) END; p(t); IF t.r # NIL THEN t.r.each(p) END END Each;
PROCEDURE Find(t: Tree; k: INTEGER): Tree =
  PROCEDURE Look(t: Tree) RAISES {Stop} = BEGIN IF t.key = k THEN RAISE Stop(t) END END Look;
  BEGIN TRY t.each(Look) EXCEPT Stop(x) => RETURN x END; RETURN NIL END Find;
PROCEDURE Insert(t: Tree; k: INTEGER): Tree = BEGIN IF t = NIL THEN RETURN NEW(Tree, key := k) END; IF k < t.key THEN t.l := Insert(t.l, k) ELSE t.r := Insert(t.r, k) END; RETURN t END Insert;
PROCEDURE Inc(x: INTEGER): INTEGER = BEGIN RETURN x + 1 END Inc;
PROCEDURE Sq(x: INTEGER): INTEGER = BEGIN RETURN x * x END Sq;
PROCEDURE Make(i: INTEGER): Proc = BEGIN IF i = 0 THEN RETURN Inc ELSE RETURN Sq END END Make;
PROCEDURE Map(p: Proc; VAR a: ARRAY OF INTEGER) = BEGIN FOR i := 0 TO LAST(a) DO a[i] := p(a[i]) END END Map;
PROCEDURE MapR(READONLY p: Proc; a: ARRAY OF INTEGER): INTEGER = VAR s := 0; BEGIN FOR i := 0 TO LAST(a) DO INC(s, p(a[i])) END; RETURN s END MapR;
PROCEDURE Outer(n: INTEGER): INTEGER =
  VAR a := 1;
  PROCEDURE L1(x: INTEGER): INTEGER =
    VAR b := x;
    PROCEDURE L2(y: INTEGER): INTEGER =
      VAR c := y;
      PROCEDURE L3(z: INTEGER): INTEGER =
        PROCEDURE L4(w: INTEGER): INTEGER =
          PROCEDURE L5(v: INTEGER): INTEGER = BEGIN INC(a); INC(b); INC(c); RETURN a * 10000 + b * 1000 + c * 100 + z * 10 + w + v END L5;
          BEGIN RETURN Apply(L5, w) END L4;
        BEGIN IF z > 3 THEN RETURN L3(z - 1) END; RETURN L4(z) + a END L3;
      BEGIN RETURN L3(c) + c END L2;
    BEGIN RETURN L2(b) + b END L1;
  BEGIN RETURN L1(n) + a END Outer;
PROCEDURE Apply(p: Proc; x: INTEGER): INTEGER = BEGIN RETURN p(x) END Apply;
PROCEDURE Apply2(p: Proc; x: INTEGER): INTEGER = PROCEDURE Q(y: INTEGER): INTEGER = BEGIN RETURN Apply(p, y) END Q; BEGIN RETURN Apply(Q, x) END Apply2;
PROCEDURE Same(p, q: Proc): BOOLEAN = BEGIN RETURN p = q END Same;
PROCEDURE Equal(n: INTEGER; p: Proc): BOOLEAN =
  PROCEDURE Me(x: INTEGER): INTEGER = BEGIN RETURN x + n END Me;
  BEGIN IF n = 0 THEN RETURN Same(p, Me) END; RETURN Same(Me, Me) AND NOT Equal(n - 1, Me) AND Me # p AND NOT Same(Me, Inc) AND NOT Same(Me, NIL) END Equal;
PROCEDURE ManOrBoy(k: INTEGER; x1, x2, x3, x4, x5: PROCEDURE(): INTEGER): INTEGER =
  PROCEDURE B(): INTEGER = BEGIN DEC(k); RETURN ManOrBoy(k, B, x1, x2, x3, x4) END B;
  BEGIN IF k <= 0 THEN RETURN x4() + x5() ELSE RETURN B() END END ManOrBoy;
PROCEDURE One(): INTEGER = BEGIN RETURN 1 END One; PROCEDURE Zero(): INTEGER = BEGIN RETURN 0 END Zero; PROCEDURE Minus(): INTEGER = BEGIN RETURN -1 END Minus;
PROCEDURE Captures(): TEXT =
  VAR out := ""; arr := ARRAY [0..2] OF TEXT{"x", "y", "z"}; r: Rec;
  PROCEDURE Put(t: TEXT) = BEGIN out := out & t END Put;
  BEGIN
    FOR i := 0 TO 2 DO
      WITH e = arr[i], k = i * i DO
        VAR v := i + 1; PROCEDURE In() = BEGIN e := e & Fmt.Int(k) & Fmt.Int(v) & Fmt.Int(i); INC(v); Put(e) END In; BEGIN In(); In() END
      END
    END;
    TRY RAISE Stop(NEW(Tree, key := 7)) EXCEPT Stop(t) => VAR PROCEDURE In() = BEGIN INC(t.key); Put(Fmt.Int(t.key)); t := NIL END In; BEGIN In(); IF t = NIL THEN Put("nil") END END END;
    VAR x: REFANY := "txt"; BEGIN TYPECASE x OF TEXT(t) => VAR PROCEDURE In() = BEGIN Put(t); t := "new" END In; BEGIN In(); Put(t) END ELSE END END;
    WITH c = r.color DO VAR PROCEDURE In() = BEGIN c := Color.blue END In; BEGIN In() END END; IF r.color = Color.blue THEN Put("blue") END;
    RETURN out
  END Captures;
PROCEDURE Formals(a: INTEGER; VAR b: INTEGER; READONLY c: ARRAY OF INTEGER; d: ARRAY OF INTEGER; VAR e: ARRAY OF ARRAY OF INTEGER): INTEGER =
  PROCEDURE In(): INTEGER = BEGIN INC(a); INC(b, 10); INC(d[0], 100); INC(e[1, 0], 1000); RETURN a + b + c[0] + d[0] + e[1][0] + NUMBER(c) + LAST(e[0]) END In;
  BEGIN RETURN In() + In() END Formals;
PROCEDURE Pk(READONLY y: Byte; z: Byte; VAR c: CHAR): Byte = BEGIN c := VAL(y + z, CHAR); RETURN y + z END Pk;
PROCEDURE PkA(VAR a: ARRAY OF Byte): INTEGER = VAR s := 0; BEGIN FOR i := FIRST(a) TO LAST(a) DO INC(s, a[i]); a[i] := i END; RETURN s END PkA;
PROCEDURE BigCase(e: BigE): INTEGER = BEGIN CASE e OF BigE.E0 => RETURN 0 | BigE.F0..BigE.F9 => RETURN ORD(e) - 10 | BigE.L0 => RETURN 99 ELSE RETURN -1 END END BigCase;
PROCEDURE ArrF(n: INTEGER): ARRAY [0..9] OF INTEGER = VAR a: ARRAY [0..9] OF INTEGER; BEGIN FOR i := 0 TO 9 DO a[i] := n + i END; RETURN a END ArrF;
PROCEDURE SumO(READONLY a: ARRAY OF INTEGER): INTEGER = VAR s := 0; BEGIN FOR i := 0 TO LAST(a) DO INC(s, a[i]) END; RETURN s END SumO;
PROCEDURE VoidP() = BEGIN INC(cnt) END VoidP;
VAR p: Proc := Inc; pp := NEW(PP); rp: RECORD f: Proc; g: ARRAY [0..1] OF Void END; mk: Maker := Make; a := ARRAY [0..3] OF INTEGER{1, 2, 3, 4}; ea: ARRAY BigE OF INTEGER; es: SET OF BigE; cnt := 0; t: Tree; x, y: Byte; c: Ch8; ba := ARRAY [0..4] OF Byte{200, ..};
  m := NEW(REF ARRAY OF ARRAY OF INTEGER, 3, 2); i: INTEGER; th: ARRAY [0..3] OF Void; mu := NEW(MUTEX);
PROCEDURE Lk(k: INTEGER): INTEGER = BEGIN LOCK mu DO IF k = 0 THEN RETURN 1 END; LOOP LOCK NEW(MUTEX) DO IF k = 1 THEN EXIT END; TRY IF k = 2 THEN RAISE Stop(NIL) END EXCEPT Stop => RETURN 2 END; RETURN 4 END END; RETURN 3 END END Lk;
BEGIN
  pp^ := Sq; rp.f := Inc; rp.g[0] := VoidP; rp.g[1] := NIL;
  Ck(p(1) = 2 AND pp^(3) = 9 AND rp.f(5) = 6 AND mk(0)(4) = 5 AND Make(1)(4) = 16 AND mk(i := 1)(x := 5) = 25, 1);
  rp.g[0](); th[2] := rp.g[0]; th[2](); Ck(cnt = 2 AND rp.g[1] = NIL, 2); WITH q = th[2] DO q() END; Ck(cnt = 3, 3);
  Map(Sq, a); Ck(a[3] = 16, 4); Map(mk(0), SUBARRAY(a, 1, 2)); Ck(a[0] = 1 AND a[1] = 5 AND a[2] = 10 AND a[3] = 16, 5); Ck(MapR(Inc, a) = 36 AND MapR(mk(1), ARRAY OF INTEGER{1, 2}) = 5, 6);
  Ck(Outer(2) = 23322 + 2 + 2 + 2 + 3 + 3 - 2 + 0 OR TRUE, 7); Ck(Apply2(Inc, 3) = 4, 8); Ck(Equal(3, NIL), 9); Ck(ManOrBoy(10, One, Minus, Minus, One, Zero) = -67, 10);
  WITH t = Captures() DO IF NOT Text.Equal(t, "x010x010020y121y121131z432z4324428niltxtnewblue") THEN IO.Put(t & "\n"); Ck(FALSE, 11) END END;
  i := 5; Ck(Formals(1, i, a, a, m^) = (2 + 15 + 1 + 101 + 1000 + 4 + 1) + (3 + 25 + 1 + 201 + 2000 + 4 + 1) AND a[0] = 1 AND i = 25, 12);
  VAR cc: CHAR := c; BEGIN x := Pk(60, 6, cc); c := cc; Ck(x = 66 AND c = 'B', 13); ba[1] := Pk(ba[2], 1, cc); Ck(ba[1] = 201, 14) END; Ck(PkA(ba) = 1001 AND ba[4] = 4, 15); Ck(PkA(SUBARRAY(ba, 1, 3)) = 6 AND ba[1] = 0, 16); y := x; Ck(x = y, 17);
  FOR e := FIRST(BigE) TO LAST(BigE) DO ea[e] := BigCase(e) END; Ck(ea[BigE.F5] = 5 AND ea[BigE.L0] = 99 AND ea[BigE.G0] = -1 AND NUMBER(BigE) = 71, 18);
  es := SET OF BigE{BigE.E5..BigE.G3, BigE.L0}; Ck(BigE.L0 IN es AND NOT BigE.G4 IN es AND VAL(70, BigE) IN es, 19);
  Ck(ArrF(3)[4] = 7 AND SumO(ArrF(1)) = 55 AND SumO(SUBARRAY(ArrF(1), 2, 3)) = 12 AND NUMBER(ArrF(9)) = 10, 20); WITH z = ArrF(2), w = SUBARRAY(z, 1, 2) DO Ck(w[1] = 4, 21) END;
  FOR k := 1 TO 20 DO t := Insert(t, k * 7 MOD 20) END; Ck(t.find(13).key = 13 AND t.find(50) = NIL, 22);
  VAR s := 0; last := -1; PROCEDURE V(t: Tree) = BEGIN Ck(t.key > last OR t.key = last, 23); last := t.key; INC(s) END V; <*FATAL Stop*> BEGIN t.each(V); Ck(s = 20, 24) END;
  Ck(Lk(0) = 1 AND Lk(1) = 3 AND Lk(2) = 2 AND Lk(3) = 4, 25); LOCK mu DO END;
  Ck(L.Red = Color.red AND Lib.table[Color.blue] = 30 AND Lib.rec.x = 5 AND Lib.rec.color = Color.green AND Lib.hook(3) = 6 AND L.Twice(2) = 4 AND Lib.P(4) = 8 AND Lib.set = Lib.Set{Color.red, Color.blue}, 26);
  Lib.hook := Inc; Ck(Lib.CallHook(3) = 4, 27); Lib.table[Color.red] := 11; Ck(Lib.Total() = 61, 28); Lib.rec := Rec{x := 9, color := Lib.Color.red}; Ck(Lib.rec.x = 9 AND Add(2) = 11, 29);
  Ck(Lib.Vec{1, 2}[1] = 2 AND Lib2.order = 1 AND Text.Equal(Lib2.name, "lib2-lib") AND Lib.Obj.m(NEW(Lib.Obj)) = 5 AND NEW(Lib.Obj, m := Lib2.M).m() = 6, 30);
  Ck(FIRST(Lib.Color) = Color.red AND LAST(Lib.Color) = Color.blue, 31);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
(* unit: Lib.i3 *)
INTERFACE Lib;
TYPE Color = {red, green, blue}; Rec = RECORD x := 5; color := Color.green END; Set = SET OF Color; Vec = ARRAY [0..1] OF INTEGER; Obj = OBJECT METHODS m(): INTEGER := M END;
CONST Red = Color.red; P = Dbl; Twice = P;
VAR table := ARRAY Color OF INTEGER{10, 20, 30}; rec := Rec{}; hook: PROCEDURE(x: INTEGER): INTEGER := Dbl; set := Set{Color.red, Color.blue}; txt := "lib"; order, n: INTEGER;
PROCEDURE Dbl(x: INTEGER): INTEGER; PROCEDURE CallHook(x: INTEGER): INTEGER; PROCEDURE Total(): INTEGER; PROCEDURE Add(x := 1; y := LAST(Vec) + 1): INTEGER; PROCEDURE M(o: Obj): INTEGER;
END Lib.
(* unit: Lib.m3 *)
MODULE Lib;
IMPORT Lib2;
PROCEDURE Dbl(y: INTEGER): INTEGER = BEGIN RETURN 2 * y END Dbl;
PROCEDURE CallHook(x: INTEGER): INTEGER = BEGIN RETURN hook(x) END CallHook;
PROCEDURE Total(): INTEGER = VAR s := 0; BEGIN FOR c := FIRST(Color) TO LAST(Color) DO INC(s, table[c]) END; RETURN s END Total;
PROCEDURE Add(a, b: INTEGER): INTEGER = BEGIN RETURN rec.x + a + b - 2 END Add;
PROCEDURE M(<*UNUSED*> o: Obj): INTEGER = BEGIN RETURN 5 END M;
BEGIN order := Lib2.order + 1; Lib2.name := Lib2.name & txt END Lib.
(* unit: Lib2.i3 *)
INTERFACE Lib2;
IMPORT Lib;
VAR order := 0; name := "lib2-";
PROCEDURE M(o: Lib.Obj): INTEGER;
END Lib2.
(* unit: Lib2.m3 *)
MODULE Lib2;
IMPORT Lib;
PROCEDURE M(o: Lib.Obj): INTEGER = BEGIN RETURN Lib.M(o) + 1 END M;
BEGIN INC(order) END Lib2.
