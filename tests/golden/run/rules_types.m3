(* golden: run, with lib/Check, -w *)
(* Types and their values (language.md 5.1, 5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8, 5.9, 5.10). *)
MODULE Main;
IMPORT Check, RuntimeError, Text;

TYPE
  Err = RuntimeError.T;
  Color = {Red, Green, Blue}; Warm = [Color.Red .. Color.Green]; Same = {Red, Green, Blue}; Empty = {}; None = [5 .. 4];
  Tiny = [-1 .. 0]; Top = [LAST(INTEGER) - 2 .. LAST(INTEGER)]; Bottom = [FIRST(INTEGER) .. FIRST(INTEGER) + 2]; All = [FIRST(INTEGER) .. LAST(INTEGER)];
  Byte = [0 .. 255]; SByte = [-128 .. 127]; Short = [0 .. 65535]; Letters = ['a' .. 'z']; True = [TRUE .. TRUE]; One = {Only};
  EmptyArray = ARRAY None OF INTEGER; EmptySet = SET OF Empty; NoSet = SET OF None;
  R0 = RECORD END;
  R1 = RECORD a, b: INTEGER := 7; c := 'c'; d: TEXT := "text"; e: ARRAY [0..1] OF BOOLEAN; f := Color.Blue; g: Letters END;
  R2 = RECORD r, s: R1; z: ARRAY [1..2] OF R1 END;
  P1 = RECORD a: BITS 1 FOR BOOLEAN; b: BITS 3 FOR [-4 .. 3]; c: BITS 12 FOR [0 .. 4095]; d: BITS 2 FOR Color; e: BITS 8 FOR CHAR; f: BITS 6 FOR [0..63]; g: BITS 32 FOR [0 .. 16_FFFFFFFF] END;
  P2 = ARRAY [0..9] OF BITS 3 FOR [0..7]; P3 = OBJECT a: BITS 5 FOR [0..31]; b: BITS 11 FOR [-1024 .. 1023]; c: BITS 64 FOR INTEGER; d: BITS 7 FOR SET OF [0..6] END;
  P4 = RECORD h: BITS 24 FOR RECORD x, y, z: BITS 8 FOR Byte END; t: BITS 8 FOR CHAR END; P5 = ARRAY [0..4] OF BITS 24 FOR RECORD r, g, b: BITS 8 FOR [0..255] END;
  P6 = BITS 16 FOR RECORD lo: BITS 4 FOR [0..15]; mid: BITS 8 FOR SByte; hi: BITS 4 FOR [-8..7] END; P7 = ARRAY [0..6] OF P6; P8 = ARRAY [0..62] OF BITS 1 FOR BOOLEAN;
  P9 = RECORD a: BITS 63 FOR [0 .. 16_3FFFFFFFFFFFFFFF]; b: BITS 1 FOR [-1 .. 0] END;
  Obj = OBJECT a := 1; b: Color := Color.Green METHODS m(): INTEGER := M; n(x: INTEGER): INTEGER; k(): INTEGER := NIL END;
  Sub = Obj OBJECT a := 'x'; c: R1 METHODS m2(): TEXT := M2 OVERRIDES m := MSub; n := N END;
  Proc = PROCEDURE (a: INTEGER; VAR b: CHAR; READONLY c := "d"; VALUE d: REAL := 1.0): Color; Raiser = PROCEDURE () RAISES ANY;

PROCEDURE M(self: Obj): INTEGER = BEGIN RETURN self.a END M;
PROCEDURE MSub(self: Sub): INTEGER = BEGIN RETURN ORD(self.a) + Obj.m(self) END MSub;
PROCEDURE M2(self: Sub): TEXT = BEGIN RETURN self.c.d END M2;
PROCEDURE N(self: Obj; x: INTEGER): INTEGER = BEGIN RETURN self.a * x END N;
PROCEDURE P(a: INTEGER; VAR b: CHAR; READONLY c: TEXT; d: REAL): Color =
  BEGIN b := VAL(a, CHAR); IF d = 1.0 AND Text.Equal(c, "d") THEN RETURN Color.Blue ELSE RETURN Color.Red END END P;

PROCEDURE Ordinals() =
  VAR c := Color.Blue; w: Warm; t: Top := LAST(INTEGER); b: Bottom := FIRST(INTEGER); all: All; l: Letters; tt: True; one: One; card: CARDINAL; tiny: Tiny; sb: SByte; sh: Short;
  PROCEDURE UpTop() = BEGIN INC(t) END UpTop; PROCEDURE DownBottom() = BEGIN DEC(b) END DownBottom;
  PROCEDURE DownCard() = BEGIN DEC(card) END DownCard; PROCEDURE ToWarm() = BEGIN w := c END ToWarm; PROCEDURE NextColor() = BEGIN INC(c) END NextColor;
  PROCEDURE UpTiny() = BEGIN INC(tiny, 2) END UpTiny; PROCEDURE LowLetter() = BEGIN DEC(l) END LowLetter; PROCEDURE UpByte() = BEGIN INC(sb, 300) END UpByte;
  PROCEDURE IncOne() = BEGIN INC(one) END IncOne; PROCEDURE Minus() = BEGIN sh := sb END Minus; PROCEDURE NotTrue() = BEGIN tt := NOT tt END NotTrue;
  BEGIN
    Check.That(Color.Red = Same.Red AND Warm.Green = Color.Green AND Warm.Blue = Same.Blue, "T.a of a subrange of an enumeration");
    Check.Int(ORD(Color.Blue) * 10 + NUMBER(Warm), 22, "ORD"); Check.Int(NUMBER(None), 0, "empty"); Check.Int(FIRST(None) - LAST(None), 1, "bounds of an empty subrange");
    w := Color.Green; Check.Fails(ToWarm, Err.ValueOutOfRange, "Blue is not warm"); Check.Fails(NextColor, Err.ValueOutOfRange, "INC(Blue)"); Check.That(c = Color.Blue AND w = Warm.Green, "unchanged");
    Check.Fails(UpTop, Err.ValueOutOfRange, "INC(LAST(INTEGER))"); Check.Fails(DownBottom, Err.ValueOutOfRange, "DEC(FIRST(INTEGER))"); DEC(t, 2); INC(b, 2); Check.Int(t + b, -1, "ends");
    card := 0; Check.Fails(DownCard, Err.ValueOutOfRange, "DEC(0)"); tiny := -1; Check.Fails(UpTiny, Err.ValueOutOfRange, "Tiny"); INC(tiny); Check.Int(tiny, 0, "Tiny");
    l := 'a'; Check.Fails(LowLetter, Err.ValueOutOfRange, "Letters"); sb := -128; Check.Fails(UpByte, Err.ValueOutOfRange, "SByte"); INC(sb, 255); Check.Int(sb, 127, "SByte");
    Check.Fails(IncOne, Err.ValueOutOfRange, "One"); sb := -1; Check.Fails(Minus, Err.ValueOutOfRange, "-1 to [0..65535]"); tt := TRUE; Check.Fails(NotTrue, Err.ValueOutOfRange, "[TRUE..TRUE]");
    all := FIRST(INTEGER); Check.That(all < 0 AND LAST(All) = LAST(INTEGER) AND LAST(CARDINAL) = LAST(INTEGER) AND FIRST(CARDINAL) = 0, "All");
    Check.That(NUMBER(CHAR) = 256 AND NUMBER(WIDECHAR) >= 65536 AND NUMBER(BOOLEAN) = 2 AND FALSE < TRUE AND ORD(TRUE) = 1 AND BOOLEAN.TRUE = TRUE, "predeclared enumerations");
  END Ordinals;

PROCEDURE General() =
  VAR e: EmptySet; n: NoSet; r: R0; ra := NEW(REF ARRAY OF R0, 3);
  BEGIN
    Check.That(e = EmptySet{} AND n = NoSet{} AND e <= EmptySet{}, "SET OF an empty type"); Check.That(r = R0{} AND ra[0] = ra[2], "RECORD END"); Check.Int(NUMBER(EmptyArray), 0, "ARRAY of none");
  END General;

PROCEDURE Floats() =
  VAR r: REAL := 0.1; d: LONGREAL := 0.1d0; x: EXTENDED := 0.1x0;
  BEGIN
    Check.That(FLOAT(r, LONGREAL) # d AND FLOAT(d, REAL) = r AND FLOAT(d) = r AND FLOAT(x, LONGREAL) = d, "widths"); Check.Int(BITSIZE(REAL) + BITSIZE(LONGREAL), 96, "IEEE");
    Check.That(16777217.0 = 16777216.0 AND 16777217.0d0 # 16777216.0d0, "24 bits"); Check.That(FLOAT(16777217) = 16777216.0 AND FLOAT(16777217, LONGREAL) = 16777217.0d0 AND FLOAT(16777217, EXTENDED) = 16777217.0x0, "FLOAT");
  END Floats;

PROCEDURE Arrays() =
  VAR a: ARRAY [1..3] OF INTEGER; b: ARRAY ['p'..'r'] OF INTEGER; m: ARRAY [0..1], [5..6] OF CHAR; n: ARRAY [0..1] OF ARRAY [5..6] OF CHAR; o: REF ARRAY OF ARRAY OF INTEGER; f: ARRAY BOOLEAN, Color OF INTEGER; i := 4;
  PROCEDURE Shape() = BEGIN a := o[0] END Shape; PROCEDURE Index() = BEGIN a[i] := 1 END Index; PROCEDURE Index2() = BEGIN o[1, i] := 1 END Index2; PROCEDURE Index3() = BEGIN i := o[-i, 0] END Index3;
  BEGIN
    a := ARRAY [1..3] OF INTEGER{10, 20, 30}; b := a; Check.Int(b['p'] + b['r'], 40, "index by position"); Check.That(a = b, "equality by position");
    m[1, 5] := 'x'; n := m; Check.That(n[1][5] = 'x' AND m = n, "ARRAY I, J"); Check.Int(NUMBER(m) + FIRST(m[0]), 7, "bounds"); f[TRUE, Color.Blue] := 3; f[FALSE] := f[TRUE]; Check.Int(f[FALSE][Color.Blue], 3, "BOOLEAN index");
    o := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 4); Check.Fails(Shape, Err.IncompatibleArrayShape, "4 # 3"); Check.Fails(Index, Err.SubscriptOutOfRange, "a[4]"); Check.Fails(Index2, Err.SubscriptOutOfRange, "o[1, 4]"); Check.Fails(Index3, Err.SubscriptOutOfRange, "o[-4, 0]");
    o := NEW(REF ARRAY OF ARRAY OF INTEGER, 2, 3); o[1] := a; b := o[1]; Check.Int(b['q'] + LAST(o^) + LAST(o[0]), 23, "open arrays"); o := NEW(REF ARRAY OF ARRAY OF INTEGER, 0, 5); Check.Int(NUMBER(o^), 0, "no rows");
  END Arrays;

PROCEDURE Records() =
  VAR r: R1; s: R2; z := NEW(REF R2); q := R1{b := 3, e := ARRAY [0..1] OF BOOLEAN{TRUE, FALSE}, g := 'z'};
  BEGIN
    Check.That(r.a = 7 AND r.b = 7 AND r.c = 'c' AND Text.Equal(r.d, "text") AND r.f = Color.Blue AND r.g >= 'a' AND r.g <= 'z', "defaults of a variable");
    Check.That(s.s.b = 7 AND s.z[2].c = 'c' AND z.z[1].a = 7 AND Text.Equal(z.r.d, "text"), "nested defaults"); Check.That(q.a = 7 AND q.b = 3 AND q.g = 'z' AND q.e[0], "a constructor");
    s.r := q; s.s := s.r; s.z[2] := s.s; Check.That(s.z[2] = q AND s.z[1] # q, "copies"); s.z[2].g := 'y'; Check.That(q.g = 'z', "a copy is apart");
  END Records;

PROCEDURE PackedTypes() =
  VAR a: P1; b: P2; o := NEW(P3); d: P4; e: P5; g: P7; h: P8; i: P9; s: BITS 8 FOR [0..200] := 200; n := 5; t := 0;
  PROCEDURE TooLarge() = BEGIN a.b := n END TooLarge; PROCEDURE TooLarge2() = BEGIN b[3] := n + 4 END TooLarge2; PROCEDURE TooLarge3() = BEGIN INC(g[2].hi, 2 * n) END TooLarge3; PROCEDURE NoColor() = BEGIN INC(a.d) END NoColor;
  BEGIN
    a := P1{TRUE, -4, 4095, Color.Blue, '\377', 63, 16_FFFFFFFF}; Check.Int(BITSIZE(P1), 64, "P1"); Check.That(a.a AND a.b = -4 AND a.c = 4095 AND a.d = Color.Blue AND a.e = '\377' AND a.f = 63 AND a.g = 16_FFFFFFFF, "all bits");
    a.b := 3; a.c := 0; a.f := 21; Check.That(a.a AND a.b = 3 AND a.c = 0 AND a.d = Color.Blue AND a.f = 21 AND a.g = 16_FFFFFFFF, "neighbours"); Check.Fails(TooLarge, Err.ValueOutOfRange, "5 in [-4..3]"); Check.Fails(NoColor, Err.ValueOutOfRange, "INC of a packed enumeration");
    FOR k := 0 TO 9 DO b[k] := (k * 3) MOD 8 END; FOR k := 0 TO 9 DO Check.Int(b[k], (k * 3) MOD 8, "P2") END; Check.Fails(TooLarge2, Err.ValueOutOfRange, "9 in [0..7]"); INC(b[9], 2); Check.Int(b[9], 5, "INC"); DEC(b[0], 0);
    o.a := 31; o.b := -1024; o.c := FIRST(INTEGER); o.d := SET OF [0..6]{0, 6}; Check.That(o.a = 31 AND o.b = -1024 AND o.c = FIRST(INTEGER) AND 6 IN o.d AND NOT 5 IN o.d, "P3"); INC(o.b, 2047); Check.Int(o.b, 1023, "P3.b");
    d.h.x := 1; d.h.y := 2; d.h.z := 3; d.t := 'd'; Check.Int(BITSIZE(P4), 32, "P4"); Check.Int(d.h.x + d.h.y * 10 + d.h.z * 100, 321, "a packed record in a record");
    FOR k := 0 TO 4 DO e[k].r := k; e[k].g := 10 * k; e[k].b := 255 - k END; e[2] := e[4]; Check.Int(e[2].r + e[2].g + e[2].b, 4 + 40 + 251, "BITS 24"); Check.Int(e[3].b + e[1].g, 262, "BITS 24: neighbours"); Check.That(e[2] = e[4] AND e[1] # e[2], "BITS 24: equality");
    Check.Int(BITSIZE(P5), 120, "P5"); Check.Int(BITSIZE(P8), 64, "P8 in whole bytes"); Check.Int(BITSIZE(P7), 112, "P7");
    FOR k := 0 TO 6 DO g[k].lo := k; g[k].mid := -k - 100; g[k].hi := k - 4 END; FOR k := 0 TO 6 DO Check.Int(g[k].lo * 10000 + g[k].mid * 10 + g[k].hi, k * 10000 + (-k - 100) * 10 + k - 4, "P7") END; INC(g[2].hi, 9 - n); Check.Fails(TooLarge3, Err.ValueOutOfRange, "P7");
    WITH w = g[3] DO w.mid := 127; INC(w.lo) END; Check.Int(g[3].mid + g[3].lo, 131, "WITH of a packed element"); WITH w = g[4].hi DO w := -8 END; Check.Int(g[4].hi, -8, "WITH of a packed field");
    FOR k := 0 TO 62 DO h[k] := k MOD 3 = 0 END; FOR k := 0 TO 62 DO IF h[k] THEN INC(t) END END; Check.Int(t, 21, "P8"); h[62] := TRUE; h[61] := FALSE; Check.That(h[62] AND NOT h[61] AND h[60] AND h # P8{FALSE, ..}, "P8");
    i.a := LAST(INTEGER) DIV 2; i.b := -1; Check.That(i.a = LAST(INTEGER) DIV 2 AND i.b = -1, "P9"); i.b := 0; i.a := 0; Check.That(i = P9{0, 0}, "P9"); Check.Int(s, 200, "a packed variable"); DEC(s, 100); n := s; Check.Int(n, 100, "to its base");
  END PackedTypes;

PROCEDURE Sets() =
  TYPE Big = SET OF [-1000 .. 1000]; Edge = SET OF [63 .. 64]; Word_ = SET OF [0 .. 63]; High = SET OF [LAST(INTEGER) - 3 .. LAST(INTEGER)]; Low = SET OF [FIRST(INTEGER) .. FIRST(INTEGER) + 1]; Single = SET OF [5 .. 5];
  VAR b := Big{-1000, 0 .. 10, 1000}; e := Edge{64}; w := Word_{63}; h := High{LAST(INTEGER)}; l := Low{FIRST(INTEGER)}; s := Single{5}; c := SET OF CHAR{'a' .. 'z'}; n := 0; k := 2000;
  PROCEDURE Out() = BEGIN b := Big{k} END Out;
  BEGIN
    FOR i := -1001 TO 1001 DO IF i IN b THEN INC(n) END END; Check.Int(n, 13, "Big"); Check.That(64 IN e AND NOT 63 IN e AND 63 IN w AND NOT 0 IN w AND NOT 64 IN w, "edges"); Check.That(LAST(INTEGER) IN h AND FIRST(INTEGER) IN l AND NOT LAST(INTEGER) IN l AND NOT FIRST(INTEGER) IN h, "ends of INTEGER");
    Check.That(5 IN s AND s = Single{5} AND s - s = Single{} AND NOT 4 IN s, "one element"); Check.That(NOT k IN b AND NOT -k IN b, "outside"); Check.Fails(Out, Err.ValueOutOfRange, "Big{2000}"); Check.That(c + SET OF CHAR{'A'} > c AND c * SET OF CHAR{'A', 'b'} = SET OF CHAR{'b'} AND c / c = SET OF CHAR{}, "operators");
    Check.That(Warm.Red IN SET OF Color{Color.Red .. Color.Green} AND NOT Color.Blue IN SET OF Warm{Color.Red, Color.Green}, "enumerations"); Check.Int(BITSIZE(SET OF BOOLEAN) MOD 8, 0, "size");
  END Sets;

PROCEDURE References() =
  VAR r := NEW(REF INTEGER); s := NEW(REF REF INTEGER); p := NEW(REF PROCEDURE (): INTEGER); u := NEW(UNTRACED REF RECORD a: INTEGER; b: ADDRESS END); any: REFANY := s; a: ADDRESS := u; n: NULL := NIL; o := NEW(REF Obj);
  BEGIN
    s^ := r; s^^ := 5; Check.Int(r^, 5, "REF REF"); p^ := Five; Check.Int(p^(), 5, "REF PROCEDURE"); u.a := 4; u.b := u; Check.That(u.b = a AND n = NIL AND any = s AND any # NIL, "REFANY and ADDRESS"); o^ := NEW(Sub); Check.Int(o^.m(), ORD('x') + 1, "REF object");
  END References;

PROCEDURE Five(): INTEGER = BEGIN RETURN 5 END Five;

PROCEDURE Procedures() =
  VAR p: Proc := P; c: CHAR; q: PROCEDURE (x: INTEGER; VAR y: CHAR; READONLY z: TEXT; w: REAL): Color := p; r: Raiser := Fail; pp: PROCEDURE (): Raiser := GetRaiser;
  BEGIN
    Check.That(p(65, c) = Color.Blue AND c = 'A', "defaults of the type"); Check.That(q(66, c, w := 2.0, z := "d") = Color.Red AND c = 'B', "names of the type"); Check.That(p = q AND p = P, "equal");
    TRY pp()(); Check.That(FALSE, "Fail") EXCEPT ELSE Check.That(TRUE, "Fail") END; r := NIL; Check.That(r = NIL AND pp # NIL, "NIL");
  END Procedures;
EXCEPTION Failed(R1);
PROCEDURE Fail() RAISES ANY = BEGIN RAISE Failed(R1{e := ARRAY [0..1] OF BOOLEAN{TRUE, ..}, g := 'a'}) END Fail;
PROCEDURE GetRaiser(): Raiser = BEGIN RETURN Fail END GetRaiser;

PROCEDURE Objects() =
  VAR o := NEW(Obj); s := NEW(Sub); t: Obj := s; x := NEW(Sub, a := 'y', c := R1{a := 5, e := ARRAY [0..1] OF BOOLEAN{FALSE, ..}, g := 'g', d := "x"});
  PROCEDURE NilMethod() = BEGIN EVAL o.n(1) END NilMethod; PROCEDURE NilMethod2() = BEGIN EVAL s.k() END NilMethod2;
  BEGIN
    Check.That(o.a = 1 AND o.b = Color.Green AND s.a = 'x' AND NARROW(s, Obj).a = 1 AND t.a = 1, "fields and defaults"); t.a := 10; Check.That(s.a = 'x' AND NARROW(s, Obj).a = 10, "a hidden field");
    Check.Int(t.m(), 10 + ORD('x'), "override"); Check.Int(t.n(3), 30, "n"); Check.Fails(NilMethod, Err.UndefinedMethod, "no n"); Check.Fails(NilMethod2, Err.UndefinedMethod, "k"); Check.Text(x.m2(), "x", "M2"); Check.Int(x.m(), ORD('y') + 1, "NEW");
  END Objects;

BEGIN
  General(); Ordinals(); Floats(); Arrays(); Records(); PackedTypes(); Sets(); References(); Procedures(); Objects();
  Check.Done();
END Main.
(* expect: all checks hold *)
