(* golden: run, with lib/Check, -w *)
(* Built-in operations, constructors, NEW and constant expressions (language.md 17.1, 17.2, 17.3, 17.4, 17.5, 17.6, 18.1, 18.2, 18.3, 18.4, 19). *)
MODULE Main;
IMPORT Check, RuntimeError, Text, Word, Long, Word AS W, Long AS LL; FROM Word IMPORT Shift, And;
TYPE Err = RuntimeError.T; Color = {Red, Green, Blue}; Warm = [Color.Red .. Color.Green]; Neg = [-20 .. -10]; S = [0..9]; A = ARRAY [-1..1] OF INTEGER; M = ARRAY Color, ['x'..'z'] OF REAL; R = RECORD a := 1; b: CHAR; c := Color.Blue END; O = OBJECT x := 1; y: Color := Color.Green; r: R METHODS m(): INTEGER := One; t(): TEXT := NIL END; P = O OBJECT x := 'x' END; Ref = REF R; Deep = REF ARRAY OF ARRAY OF ARRAY OF R; Empty = [1 .. 0]; Pk = RECORD a: BITS 3 FOR [0..7]; b: BITS 30 FOR [0..16_3FFFFFFF] END;
(* Each operation with constants, which are folded, and with variables, which are not. *)
CONST
  K1 = ABS(-5) + MAX(3, 4) * 10 + MIN(-1, 1) * 100; K2 = ORD('a') + ORD(Color.Blue) + ORD(VAL(66, CHAR)); K3 = FIRST(A) + LAST(A) * 10 + NUMBER(M) * 100 + NUMBER(M_); K4 = FLOOR(-1.5) * 1000 + CEILING(-1.5d0) * 100 + ROUND(2.5x0) * 10 + TRUNC(-1.9); K5 = FLOAT(3, LONGREAL) / 2.0d0; K6 = BITSIZE(INTEGER) + BYTESIZE(A) + ADRSIZE(CHAR); K7 = Word.Plus(1, W.Times(2, 3)) + Shift(1, 4) + And(16_FF, 16_0F) + Word.Rotate(1, -1) + Word.Extract(16_ABCD, 4, 8) + Word.Insert(0, 7, 4, 2) + Word.LeftShift(3, 2) + Word.RightShift(256, 4); K8 = Word.LT(-1, 1) OR Word.GT(-1, 1) AND Word.GE(1, 1); K9 = Word.Divide(-1, 2) - LAST(INTEGER) + Word.Mod(-1, 10) + Word.Minus(0, 1) + Word.Xor(5, 1) + Word.Not(0) + Word.Or(1, 2); K10 = LL.Plus(1L, Long.Shift(1L, 3)) + VAL(5, LONGINT) * ABS(-2L); K11 = SET OF S{1, 3 .. 5} + SET OF S{9} - SET OF S{4}; K12 = 3 IN K11 AND NOT 4 IN K11 AND K11 >= SET OF S{9} AND SET OF S{} < K11;
  K13 = A{5, ..}; K14 = K13[0] + NUMBER(K13) + FIRST(K13); K15 = R{b := 'b'}; K16 = K15.a + ORD(K15.c) + ORD(K15.b); K17 = ARRAY OF TEXT{"a", "b" & "c", T}; T = "t" & "u" & W"\x20AC"; K18 = NUMBER(K17) * 10 + LAST(K17); K19 = ARRAY [0..1] OF R{R{2, 'x'}, ..}[1].a; K20 = One; K21 = O.m; K22 = NIL; K23 = 1.0e10 * 3.0 + 0.5; K24 = (1 = 1) AND (2.0 # 3.0) AND ('a' < 'b') AND (Color.Red <= Color.Blue) AND (1L >= 0L) AND (NIL = NIL); K25 = NUMBER(v) + FIRST(v) + BITSIZE(v) + ORD(LAST(w)); K26 = -7 DIV 2 * 100 + -7 MOD 2; K27 = 5.5 MOD 2.0; K28 = FIRST(REAL) < LAST(REAL); K29 = ARRAY OF ARRAY [0..1] OF INTEGER{ARRAY [0..1] OF INTEGER{1, 2}, ARRAY [0..1] OF INTEGER{3, 4}}; K30 = K29[1, 0] + K29[0][1]; K31: LONGREAL = 1.0d0 / 3.0d0; K32 = VAL(ORD(Color.Red) + 1, Color); K33: [0..100] = 50; K34: Warm = Color.Green; K35 = (0.1 + 0.2) * 10.0; K36 = FLOAT(0.1, LONGREAL) = 0.1d0; K37 = NOT TRUE OR FALSE # TRUE; K38 = MAX(LAST(INTEGER), 0) - 1 + 1; K39 = Word.Size + BITSIZE(Word.T); K40 = LAST(INTEGER) DIV -1 + FIRST(INTEGER) MOD 7;
TYPE M_ = [3 .. 7]; VAR v: ARRAY [2..4] OF BITS 8 FOR [0..255]; w: Pk2; TYPE Pk2 = ARRAY Color OF CHAR; VAR zero := 0; minus := -1; r1 := 2.5; d1 := -1.5d0; calls := 0;
PROCEDURE One(o: O): INTEGER = BEGIN IF o = NIL THEN RETURN 0 ELSE RETURN o.x END END One;
PROCEDURE Two(o: O): INTEGER = BEGIN RETURN o.x * 2 END Two;
PROCEDURE Tick(n: INTEGER): INTEGER = BEGIN INC(calls); RETURN n END Tick;
PROCEDURE Fixed(): A = BEGIN INC(calls); RETURN A{1, ..} END Fixed;
PROCEDURE Open(): REF ARRAY OF INTEGER = BEGIN INC(calls); RETURN NEW(REF ARRAY OF INTEGER, 4) END Open;

PROCEDURE Constants() =
  BEGIN
    Check.Int(K1, -55, "K1"); Check.Int(K2, 97 + 2 + 66, "K2"); Check.Int(K3, -1 + 10 + 300 + 5, "K3"); Check.Int(K4, -2000 - 100 + 20 - 1, "K4"); Check.That(K5 = 1.5d0, "K5"); Check.Int(K6, 64 + 24 + 1, "K6"); Check.Int(Word.Minus(K7, FIRST(INTEGER)), 7 + 16 + 15 + 16_BC + 48 + 12 + 16, "K7"); Check.That(K8, "K8"); Check.Int(K9, 0 + 5 - 1 + 4 - 1 + 3, "K9"); Check.That(K10 = 19L, "K10"); Check.That(K11 = SET OF S{1, 3, 5, 9} AND K12, "K11"); Check.Int(K14, 5 + 3 - 1 + 0, "K14"); Check.Int(K16, 1 + 2 + 98, "K16"); Check.Text(K17[1], "bc", "K17"); Check.Int(Text.Length(T), 3, "T"); Check.Int(K18, 32, "K18"); Check.Int(K19, 2, "K19"); Check.Int(K20(NEW(O, x := 4)) + K21(NEW(O, x := 5)), 9, "K20"); Check.That(K22 = NIL AND K23 > 2.9e10 AND K24 AND K28 AND K37 AND K12, "K23"); Check.Int(K25, 3 + 0 + 24 + 2 + FIRST(v), "K25"); Check.Int(K26, -399, "K26"); Check.That(K27 = 1.5, "K27"); Check.Int(K30, 5, "K30"); Check.That(K31 * 3.0d0 = 1.0d0 AND K32 = Color.Green AND K33 = 50 AND K34 = Color.Green AND NOT K36, "K31"); VAR a := 0.1; b := 0.2; BEGIN Check.That((a + b) * 10.0 = K35, "folded in REAL") END; Check.Int(K38, LAST(INTEGER), "K38"); Check.Int(K39, 128, "K39"); Check.Int(K40, -LAST(INTEGER) + FIRST(INTEGER) MOD (7 + zero), "K40");
  END Constants;

PROCEDURE Numeric() =
  VAR i := -5; l := -5L; s: Neg := -15; x := 2.5x0; big := 1.0e10; ties := ARRAY [0..5] OF LONGREAL{0.5d0, 1.5d0, 2.5d0, -0.5d0, -1.5d0, -2.5d0}; want := ARRAY [0..5] OF INTEGER{0, 2, 2, 0, -2, -2};
  BEGIN
    Check.Int(ABS(i) + ABS(s) + MAX(i, 3) + MIN(i, zero), 18, "ABS MAX MIN"); Check.That(ABS(l) = 5L AND MAX(l, 2L) = 2L AND ABS(-r1) = 2.5 AND MAX(r1, 3.0) = 3.0 AND MIN(d1, 0.0d0) = d1 AND MAX('a', 'b') = 'b' AND MIN(Color.Red, Color.Blue) = Color.Red AND MAX(FALSE, TRUE), "of all types"); Check.That(FLOAT(i) = -5.0 AND FLOAT(l, LONGREAL) = -5.0d0 AND FLOAT(r1, EXTENDED) = x AND FLOAT(x) = 2.5 AND FLOAT(d1, REAL) = -1.5 AND FLOAT(s) = -15.0, "FLOAT"); Check.Int(FLOOR(d1) * 1000 + CEILING(d1) * 100 + ROUND(d1) * 10 + TRUNC(d1), -2000 - 100 - 20 - 1, "FLOOR"); Check.Int(FLOOR(r1) + CEILING(r1) * 10 + ROUND(r1) * 100 + TRUNC(r1) * 1000, 2232, "FLOOR"); FOR k := 0 TO 5 DO Check.Int(ROUND(ties[k]), want[k], "ties to even") END; Check.That(TRUNC(big, LONGINT) = 10000000000L AND ROUND(x, LONGINT) = 2L AND FLOOR(-1.5d0, LONGINT) = -2L, "to LONGINT"); Check.Int(TRUNC(big), 10000000000, "large"); Check.Int(ROUND(0.49999997), 0, "just below a half"); Check.Int(ROUND(0.49999999999999994d0), 0, "just below a half"); Check.Int(FLOOR(-0.0d0) + CEILING(-0.9) + TRUNC(-0.9d0), 0, "-0");
  END Numeric;

PROCEDURE Ordinals() =
  VAR c := Color.Blue; w: Warm := Color.Green; ch := 'z'; n: Neg := -10; l := 7L; i := 2; b := TRUE;
  PROCEDURE V1() = BEGIN w := VAL(i, Warm) END V1; PROCEDURE V2() = BEGIN i := VAL(LAST(LONGINT) - VAL(zero, LONGINT), [0..9]) END V2; PROCEDURE V3() = BEGIN c := VAL(minus, Color) END V3; PROCEDURE V4() = BEGIN n := VAL(zero, Neg) END V4;
  BEGIN
    Check.Int(ORD(c) + ORD(w) * 10 + ORD(ch) * 100 + ORD(n) + ORD(b), 2 + 10 + 12200 - 10 + 1, "ORD"); Check.That(ORD(l) = 7L AND VAL(l, INTEGER) = 7 AND VAL(i, LONGINT) = 2L AND VAL(7L, CHAR) = '\007' AND VAL(l, S) = 7, "LONGINT"); Check.That(VAL(i, Color) = c AND VAL(97 + zero, CHAR) = 'a' AND VAL(1, BOOLEAN) AND VAL(-10 + zero, Neg) = n AND VAL(5, INTEGER) = 5 AND VAL(1 + zero, Warm) = w, "VAL"); Check.Fails(V1, Err.ValueOutOfRange, "29.21"); Check.Fails(V2, Err.ValueOutOfRange, "VAL of LAST(LONGINT)"); Check.Fails(V3, Err.ValueOutOfRange, "VAL of -1"); Check.Fails(V4, Err.ValueOutOfRange, "VAL to Neg"); Check.Int(ORD(FIRST(Warm)) + ORD(LAST(Warm)), 1, "a subrange counts from its base's start");
  END Ordinals;

PROCEDURE Firsts() =
  VAR a: A; o := NEW(REF ARRAY OF A, 5); e := NEW(REF ARRAY OF CHAR, 0); m: M; x: Deep := NEW(Deep, 2, 3, 4);
  BEGIN
    Check.Int(FIRST(a) + LAST(a) * 10 + NUMBER(a) * 100, 309, "fixed"); Check.Int(FIRST(o^) + LAST(o^) * 10 + NUMBER(o^) * 100 + NUMBER(o[0]) * 1000 + FIRST(o[1]), 3539, "open"); Check.Int(FIRST(e^) + LAST(e^) * 10 + NUMBER(e^), -10, "empty"); Check.That(FIRST(m) = Color.Red AND LAST(m[Color.Red]) = 'z' AND FIRST(CHAR) = '\000' AND LAST(BOOLEAN) AND FIRST(Neg) = -20 AND LAST(Color) = Color.Blue AND LAST(LONGINT) > 0L AND FIRST(WIDECHAR) = W'\x0000', "ordinals"); Check.Int(NUMBER(Neg) + NUMBER(Color) + NUMBER(Empty) + NUMBER(Warm) + NUMBER([5L..7L]), 11 + 3 + 0 + 2 + 3, "NUMBER"); Check.Int(NUMBER(x^) * 100 + NUMBER(x[0]) * 10 + NUMBER(x[1, 2]), 234, "dimensions"); calls := 0; Check.Int(NUMBER(Fixed()) + LAST(Fixed()), 4, "29.59"); Check.Int(calls, 0, "not evaluated"); Check.Int(NUMBER(Open()^) + LAST(SUBARRAY(a, 1, 1)), 4, "open"); Check.Int(calls, 1, "evaluated"); Check.That(LAST(REAL) > 1.0e38 AND FIRST(LONGREAL) < -1.0d308 AND FIRST(EXTENDED) < 0.0x0, "floats"); Check.That(NUMBER(CARDINAL_) = 11, "[0..10]");
  END Firsts;
TYPE CARDINAL_ = [0..10];

PROCEDURE Sizes() =
  VAR p: Pk; o := NEW(REF ARRAY OF R, 3); b: BOOLEAN; pa: ARRAY [0..3] OF Pk; s: SET OF S; c: CHAR;
  BEGIN
    Check.Int(BITSIZE(p) - BITSIZE(Pk) + BYTESIZE(pa) - 4 * BYTESIZE(Pk) + BITSIZE(INTEGER) + BYTESIZE(LONGREAL) + ADRSIZE(REAL), 64 + 8 + 4, "sizes"); Check.Int(BYTESIZE(o^), 3 * BYTESIZE(R), "an open array"); Check.Int(BITSIZE(BITS 3 FOR [0..7]), 3, "BITS 3"); Check.That(BITSIZE(b) >= 1 AND BITSIZE(s) >= 10 AND BITSIZE(c) = 8 AND BITSIZE(REFANY) = BITSIZE(Word.T) AND BYTESIZE(O) = BYTESIZE(ADDRESS) AND BITSIZE(LONGINT) = 64 AND BITSIZE(WIDECHAR) >= 16, "others"); Check.Int(BITSIZE(p.b) + BITSIZE(p.a), 33, "packed fields"); Check.Int(BITSIZE(ARRAY [0..6] OF BITS 4 FOR [0..15]) + BYTESIZE(BITS 17 FOR [0..16_1FFFF]), 28 + 4 + 3, "arrays of packed"); Check.Int(BYTESIZE(SUBARRAY(o^, 0, 2)), 2 * BYTESIZE(R), "SUBARRAY");
  END Sizes;

PROCEDURE Types() =
  VAR any: REFANY; o: O := NEW(P); u: UNTRACED ROOT; p: P; PROCEDURE Bad() = BEGIN p := NARROW(NEW(O), P) END Bad;
  BEGIN
    Check.That(ISTYPE(any, Ref) AND ISTYPE(any, O) AND ISTYPE(o, P) AND ISTYPE(o, O) AND NOT ISTYPE(NEW(O), P) AND ISTYPE(o, ROOT) AND ISTYPE(o, REFANY) AND ISTYPE(u, UNTRACED ROOT), "ISTYPE"); any := o; Check.That(NOT ISTYPE(any, Ref) AND ISTYPE(any, P) AND NARROW(any, P) = o AND NARROW(any, O).x = 1 AND NARROW(any, P).x = 'x', "NARROW"); Check.That(NARROW(p, P) = NIL AND NARROW(NIL, O) = NIL, "NIL"); Check.Fails(Bad, Err.NarrowFailed, "Bad"); Check.That(TYPECODE(o) = TYPECODE(P) AND TYPECODE(O) # TYPECODE(P) AND TYPECODE(NIL_()) = TYPECODE(NULL) AND TYPECODE(NEW(Ref)) = TYPECODE(REF R) AND TYPECODE("x") # TYPECODE(ROOT), "TYPECODE");
  END Types;
PROCEDURE NIL_(): REFANY = BEGIN RETURN NIL END NIL_;

PROCEDURE Subarrays() =
  VAR a: ARRAY [5..9] OF INTEGER; m: ARRAY [0..3], [0..1] OF CHAR; r := NEW(REF ARRAY OF ARRAY OF INTEGER, 3, 2); n := 2; pk: ARRAY [0..9] OF BITS 16 FOR [0..65535];
  BEGIN
    FOR i := 5 TO 9 DO a[i] := i END; WITH s = SUBARRAY(a, 1, 3), t = SUBARRAY(s, 1, 2) DO Check.Int(s[0] * 100 + LAST(s) * 10 + t[1], 600 + 20 + 8, "counted from 0"); t[0] := 70; Check.Int(a[7], 70, "alias") END; Check.Int(NUMBER(SUBARRAY(a, 5, 0)) + NUMBER(SUBARRAY(a, 0, 5)), 5, "ends"); SUBARRAY(m, 1, n)[1, 0] := 'q'; Check.That(m[2, 0] = 'q', "dimensions"); SUBARRAY(SUBARRAY(r^, 1, 2)[1], 1, 1)[0] := 33; Check.Int(r[2, 1], 33, "open"); FOR i := 0 TO 9 DO pk[i] := i * 1000 END; SUBARRAY(pk, 0, 3) := SUBARRAY(pk, 7, 3); Check.Int(pk[0] + pk[2], 16000, "packed");
  END Subarrays;

PROCEDURE Constructors() =
  VAR n := 3; s := SET OF S{n, n + 2 .. 9, 5 .. 4}; calls0 := calls; a := A{Tick(1), Tick(2), ..}; b: ARRAY [0..0] OF CHAR := ARRAY OF CHAR{'a'}; e := NEW(REF ARRAY OF CHAR, 0); m := ARRAY [0..1], [0..1] OF INTEGER{ARRAY [0..1] OF INTEGER{n, ..}, A2{4, 5}}; r := R{5, c := Color.Red, b := 'r'}; rs := ARRAY [0..2] OF R{R{b := 'x'}, r, ..}; full := A{1, 2, 3, ..};
  BEGIN
    Check.That(s = SET OF S{3, 5, 6, 7, 8, 9}, "sets"); Check.Int(calls - calls0, 2, "the last value once"); Check.Int(a[-1] * 100 + a[0] * 10 + a[1], 122, ".."); Check.That(b[0] = 'a' AND NUMBER(ARRAY OF INTEGER{}) = 0, "open"); e^ := ARRAY OF CHAR{}; Check.Int(m[0, 1] * 10 + m[1, 0], 34, "nested"); Check.That(rs[0].a = 1 AND rs[2] = r AND rs[1].c = Color.Red, "records"); Check.Int(full[1], 3, "harmless .."); WITH o = ARRAY OF ARRAY OF INTEGER{ARRAY OF INTEGER{1, 2}, A2{3, 4}} DO Check.Int(o[1, 1] + NUMBER(o[0]), 6, "open of open") END;
  END Constructors;
TYPE A2 = ARRAY [5..6] OF INTEGER;

PROCEDURE News() =
  VAR n := 2; d := NEW(Deep, n, 1, 3); o := NEW(O, x := 7, m := Two, y := Color.Red); p := NEW(P, x := 'y', m := Two); q := NEW(P); r := NEW(Ref, b := 'b'); c := NEW(REF A); u := NEW(UNTRACED REF ARRAY OF R, 2); i := NEW(REF INTEGER); t := NEW(REF TEXT); ro := NEW(ROOT); mu := NEW(MUTEX); ur := NEW(UNTRACED ROOT); nest := NEW(REF ARRAY [0..1] OF R); anon := NEW(O OBJECT z := 9 END); en := NEW(REF Neg); x: REFANY := NEW(REF RECORD o: O := NIL; v: A := A{7, ..} END);
  PROCEDURE Negative() = BEGIN d := NEW(Deep, 1, minus, 1) END Negative;
  BEGIN
    Check.That(d[1, 0, 2].a = 1 AND d[0, 0, 0].c = Color.Blue AND u[1].a = 1 AND nest[1].c = Color.Blue, "defaults of elements"); Check.Int(o.m() + p.m() * 100 + q.m(), 14 + 200 + 1, "m := P"); Check.That(o.y = Color.Red AND o.r.a = 1 AND r.a = 1 AND r.b = 'b' AND p.x = 'y' AND NARROW(p, O).x = 1, "fields"); Check.That(TYPECODE(o) # TYPECODE(O) AND TYPECODE(NEW(O, m := Two)) = TYPECODE(o) AND TYPECODE(NEW(O, m := One)) # TYPECODE(o) AND ISTYPE(o, O), "29.50"); Check.That(c # NEW(REF A) AND i # NIL AND t^ = t^ AND ro # NIL AND mu # NIL AND ur # NIL AND anon.z = 9 AND en^ <= -10, "fresh"); Check.Fails(Negative, Err.ValueOutOfRange, "a negative length"); Check.Int(NUMBER(NEW(REF ARRAY OF REFANY, 0)^), 0, "none"); TYPECASE x OF REF RECORD o: O := NIL; v: A := A{7, ..} END (z) => Check.Int(z.v[1], 7, "a default array") ELSE Check.That(FALSE, "x") END;
  END News;

BEGIN
  Constants(); Numeric(); Ordinals(); Firsts(); Sizes(); Types(); Subarrays(); Constructors(); News(); Check.Done();
END Main.
(* expect: all checks hold *)
