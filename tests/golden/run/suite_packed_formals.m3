(* golden: run, -w *)
(* Packed types everywhere: formals, results, exceptions, sets, records and enumerations in words, with aliases. *)
MODULE Main;
IMPORT IO, Fmt;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  B3 = BITS 3 FOR [-4..3]; S16 = BITS 16 FOR SET OF [0..15]; S5 = BITS 5 FOR SET OF [1..5]; En = {a, b, c, d, e}; E3 = BITS 3 FOR En; Bo = BITS 1 FOR BOOLEAN; Int = BITS 64 FOR INTEGER; U32 = BITS 32 FOR [0..16_ffffffff]; R32 = BITS 32 FOR REAL; Wc = BITS 16 FOR WIDECHAR; In = RECORD x: BITS 4 FOR [0..15]; y: BITS 4 FOR [-8..7] END; LI = BITS 40 FOR [0L..16_ffffffffffL];
  Rec = RECORD b: B3; s: S16; f: S5; e: E3; o: Bo; q: BITS 4 FOR [0..9]; u: U32; i: Int; r: R32; w: Wc; v: BITS 16 FOR [0..65535]; l: LI; t: BITS 8 FOR CHAR; x: BITS 8 FOR ['a'..'z'] END;
  Arr3 = ARRAY [0..9] OF B3; ArrE = ARRAY En OF Bo; ArrS = ARRAY [0..4] OF S16; Mat = ARRAY [0..3], [0..7] OF BITS 2 FOR [0..3]; Obj = OBJECT p: B3; q: E3; r: Rec; n: Obj METHODS set(b: B3; READONLY e: E3): S16 := Set END;
  Open = REF ARRAY OF BITS 8 FOR [0..255]; OpenE = REF ARRAY OF RECORD a, b: BITS 4 FOR [0..15]; c: BITS 8 FOR CHAR END;
EXCEPTION X(B3); Y(S16); Z(Rec);
PROCEDURE Set(o: Obj; b: B3; READONLY e: E3): S16 = BEGIN o.p := b; o.q := e; RETURN S16_{ORD(e), b + 4} END Set;
TYPE S16_ = SET OF [0..15]; S5_ = SET OF [1..5];
PROCEDURE RoS(READONLY s: S16; READONLY f: S5_; READONLY i: Int; READONLY r: R32; READONLY o: Bo): BOOLEAN = BEGIN RETURN 3 IN s AND 4 IN f AND i = -5 AND r = 1.5 AND o END RoS;
PROCEDURE RoR(READONLY r: Rec; v: Rec): BOOLEAN = BEGIN v.b := v.b + 1; RETURN r.b = v.b - 1 AND r.s = v.s AND r.l = v.l END RoR;
PROCEDURE Raise(k: INTEGER; READONLY r: Rec) RAISES {X, Y, Z} = BEGIN CASE k OF 0 => RAISE X(r.b) | 1 => RAISE Y(r.s) ELSE RAISE Z(r) END END Raise;
PROCEDURE Ret(READONLY r: Rec): E3 = BEGIN RETURN r.e END Ret;
PROCEDURE Nested(VAR r: Rec; READONLY e: E3): INTEGER = PROCEDURE In() = BEGIN r.b := ORD(e) - 4; WITH f = r.f DO VAR PROCEDURE Deep() = BEGIN f := f + S5_{5} END Deep; BEGIN Deep() END END END In; BEGIN In(); RETURN r.b END Nested;
PROCEDURE SumO(READONLY a: ARRAY OF BITS 8 FOR [0..255]): INTEGER = VAR s := 0; BEGIN FOR i := 0 TO LAST(a) DO INC(s, a[i]) END; RETURN s END SumO;
PROCEDURE Fill(VAR a: ARRAY OF BITS 8 FOR [0..255]; n: INTEGER) = BEGIN FOR i := 0 TO LAST(a) DO a[i] := (n + i) MOD 256 END END Fill;
PROCEDURE Def(a: B3 := -1; READONLY s: S16 := S16_{1, 2}; e: E3 := En.d): INTEGER = BEGIN RETURN a + ORD(2 IN s) * 10 + ORD(e) * 100 END Def;
CONST CR = Rec{-4, S16_{3}, S5_{4}, En.e, TRUE, 9, 16_fffffffe, -5, 1.5, W'\xABCD', 65535, 16_fffffffffeL, 't', 'z'}; CA = Arr3{-4, -3, -2, -1, 0, 1, 2, 3, ..}; CM = In{15, -8};
VAR r := CR; a := CA; ae: ArrE; as: ArrS; m: Mat; o := NEW(Obj, p := -1, q := En.c, r := CR); op := NEW(Open, 11); oe := NEW(OpenE, 5); k: INTEGER; in := CM; g: B3 := -2; ge: E3 := En.b;
BEGIN
  Ck(r.b = -4 AND r.s = S16_{3} AND r.f = S5_{4} AND r.e = En.e AND r.o AND r.q = 9 AND r.u = 16_fffffffe AND r.i = -5 AND r.r = 1.5 AND ORD(r.w) = 16_ABCD AND r.v = 65535 AND r.l = 16_fffffffffeL AND r.t = 't' AND r.x = 'z', 1);
  Ck(RoS(r.s, r.f, r.i, r.r, r.o) AND RoR(r, r) AND RoR(CR, o.r), 2); Ck(r = CR AND o.r = r, 3);
  TRY Raise(0, r) EXCEPT X(x) => Ck(x = -4, 4); INC(x); Ck(x = -3, 5) | Y, Z => END; TRY Raise(1, r) EXCEPT Y(y) => y := y + S16_{15}; Ck(y = S16_{3, 15}, 6) | X, Z => END; TRY Raise(2, r) EXCEPT Z(z) => z.q := 0; Ck(z # r AND z.x = 'z', 7) | X, Y => END;
  Ck(Ret(r) = En.e AND Ret(o.r) = En.e, 8); Ck(Nested(r, En.c) = -2 AND r.f = S5_{4, 5}, 9); Ck(Nested(o.r, o.q) = -2 AND Nested(r, En.a) = -4, 10);
  FOR i := 0 TO 9 DO Ck(a[i] = MIN(i - 4, 3), 11) END; a[3] := a[9]; WITH e = a[5] DO DEC(e, 4); Ck(a[5] = -3 AND a[4] = 0 AND a[6] = 2, 12) END; VAR b := a; BEGIN Ck(b = a, 13); b[9] := 0; Ck(b # a, 14) END;
  FOR e := FIRST(En) TO LAST(En) DO ae[e] := ORD(e) MOD 2 = 0 END; Ck(ae[En.a] AND NOT ae[En.b] AND ae[En.e], 15);
  as[3] := S16_{0, 15}; as[2] := as[3] - S16_{0}; Ck(as[2] = S16_{15} AND as[4] = S16_{}, 16);
  FOR i := 0 TO 3 DO FOR j := 0 TO 7 DO m[i, j] := (i + j) MOD 4 END END; k := 0; FOR i := 0 TO 3 DO FOR j := 0 TO 7 DO INC(k, m[i][j] * (j + 1)) END END; Ck(k = 216, 17); m[1] := m[3]; Ck(m[1, 0] = 3 AND m[2, 0] = 2, 18);
  Ck(o.p = -1 AND o.q = En.c, 19); WITH s = o.set(3, En.d) DO Ck(3 IN s AND 7 IN s AND o.p = 3 AND o.q = En.d, 20) END; o.n := o; INC(o.n.n.p, -2); Ck(o.p = 1, 21); WITH p = o.p, q = o.n.q DO p := 2; q := En.a END; Ck(o.p = 2 AND o.q = En.a, 22);
  Fill(op^, 250); Ck(SumO(op^) = 250 + 251 + 252 + 253 + 254 + 255 + 0 + 1 + 2 + 3 + 4 AND SumO(SUBARRAY(op^, 6, 5)) = 10, 23); Fill(SUBARRAY(op^, 1, 2), 0); Ck(op[0] = 250 AND op[2] = 1 AND op[3] = 253, 24); SUBARRAY(op^, 0, 10) := SUBARRAY(op^, 1, 10); Ck(op[0] = 0 AND op[9] = 4, 25);
  FOR i := 0 TO 4 DO oe[i].a := i; oe[i].b := 15 - i; oe[i].c := VAL(65 + i, CHAR) END; Ck(oe[4].a = 4 AND oe[3].b = 12 AND oe[2].c = 'C', 26); WITH q = oe[1] DO q := oe[4]; INC(q.a) END; Ck(oe[1].a = 5 AND oe[1].c = 'E' AND oe[0].a = 0 AND oe[2].a = 2, 27);
  Ck(in.x = 15 AND in.y = -8 AND Def() = 309 AND Def(e := En.a, s := S16_{}) = -1 AND Def(g, r.s, ge) = 98, 28); INC(g); Ck(g = -1 AND MAX(g, r.b) = -1 AND ABS(g) = 1 AND -g = 1, 29);
  CASE r.e OF En.a..En.d => Ck(FALSE, 30) | En.e => END; FOR i := r.b TO g DO INC(k) END; Ck(k = 220, 31); FOR e := ge TO r.e DO INC(k) END; Ck(k = 224, 32);
  VAR x: INTEGER; BEGIN x := r.b; Ck(x = -4, 33); x := r.u; Ck(x = 16_fffffffe, 34); r.u := x + 1; Ck(r.u = 16_ffffffff AND r.i = -5, 35); r.l := r.l + 1L; Ck(r.l = 16_ffffffffffL AND r.t = 't', 36) END;
  r.s := r.s + S16_{k MOD 16}; Ck(r.s = S16_{0, 3}, 37); r.o := r.e = En.e AND NOT r.o; Ck(NOT r.o, 38); r.r := r.r * 2.0; Ck(r.r = 3.0, 39); r.w := 'a'; Ck(r.w = W'a', 40);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
