(* golden: run, -w *)
(* Integers of all kinds: LONGINT loops, CASE, conversions, division by all signs, Word and Long folded and at run time. *)
MODULE Main;
IMPORT IO, Fmt, Word, Long, Text, Int32;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
PROCEDURE Id(i: INTEGER): INTEGER = BEGIN RETURN i END Id;
PROCEDURE IdL(i: LONGINT): LONGINT = BEGIN RETURN i END IdL;
TYPE
  LR = [10L .. 20L]; Color = {red, green, blue, black}; Sub = [Color.green .. Color.blue];
  Days = {Mon, Tue, Wed, Thu, Fri, Sat, Sun}; WD = [Days.Mon..Days.Fri];
  LC = LONGCARD;
CONST
  W1 = Word.LeftShift(1, 63); W2 = Word.RightShift(-1, 60); W3 = Word.Rotate(16_8000000000000001, 4);
  W4 = Word.Extract(16_ABCDEF, 8, 8); W5 = Word.Insert(0, 16_FF, 4, 4); W6 = Word.Shift(16_FF, -4);
  W7 = Word.And(16_F0F0, 16_FF00); W8 = Word.Xor(-1, 0); W9 = Word.Not(0); W10 = Word.Or(1, 16_8000);
  W11 = Word.Plus(LAST(INTEGER), 1); W12 = Word.Times(16_100000000, 16_100000000); W13 = Word.Divide(-1, 2); W14 = Word.Mod(-1, 10);
  W15 = Word.Minus(0, 1); W16 = Word.LT(1, -1); W17 = Word.GE(-1, LAST(INTEGER)); W18 = Word.Size;
  L1 = Long.LeftShift(1L, 63); L2 = Long.RightShift(-1L, 60); L3 = Long.Rotate(16_8000000000000001L, 4);
  L4 = Long.Extract(16_ABCDEFL, 8, 8); L5 = Long.Insert(0L, 16_FFL, 4, 4); L6 = Long.Shift(16_FFL, -4);
  L7 = Long.And(16_F0F0L, 16_FF00L); L8 = Long.Xor(-1L, 0L); L9 = Long.Not(0L); L10 = Long.LT(1L, -1L);
  C1 = -7 DIV 2; C2 = -7 MOD 2; C3 = 7 DIV -2; C4 = 7 MOD -2; C5 = -7 DIV -2; C6 = -7 MOD -2;
  D1 = -7L DIV 2L; D2 = -7L MOD 2L; D3 = 7L DIV -2L; D4 = 7L MOD -2L;
  F1 = FLOOR(-1.5); F2 = CEILING(-1.5); F3 = ROUND(-1.5); F4 = TRUNC(-1.5); F5 = ROUND(2.5); F6 = ROUND(0.5d0);
  F7 = FLOOR(-1.5d0, LONGINT); F8 = FLOAT(3L, LONGREAL); F9 = FLOAT(7, EXTENDED); F10 = FLOAT(1.5d0);
  M1 = MAX(Color.red, Color.blue); M2 = MIN(3L, -3L); M3 = MAX('a', 'b'); M4 = ABS(-5L); M5 = MIN(1.5, 0.5);
  V1 = VAL(2, Color); V2 = ORD(Color.black); V3 = NUMBER(Sub); V4 = FIRST(Sub); V5 = LAST(Sub); V6 = ORD(V4);
  N1 = NUMBER(LR); N2 = LAST(LR); N3 = ORD(N2); N4 = VAL(N2, INTEGER); N5 = VAL(5, LONGINT);
VAR s, n: INTEGER; l: LONGINT; la: ARRAY LR OF CHAR; ls: SET OF LR; c: CARDINAL; lc: LC;
PROCEDURE Pick(l: LONGINT): TEXT =
  BEGIN
    CASE l OF
    | FIRST(LONGINT) => RETURN "first"
    | -5L .. -1L => RETURN "neg"
    | 0L => RETURN "zero"
    | 16_7FFFFFFFFFFFFFFFL => RETURN "last"
    | 1L, 3L, 5L .. 9L => RETURN "some"
    ELSE RETURN "other"
    END
  END Pick;
PROCEDURE Div(a, b: INTEGER) =
  VAR q := a DIV b; r := a MOD b;
  BEGIN
    Ck(q * b + r = a, 1000 + a * 10 + b);
    IF b > 0 THEN Ck(r >= 0 AND r < b, 2000) ELSE Ck(r <= 0 AND r > b, 2001) END;
    WITH la = VAL(a, LONGINT), lb = VAL(b, LONGINT) DO
      Ck(la DIV lb = VAL(q, LONGINT), 2002); Ck(la MOD lb = VAL(r, LONGINT), 2003);
    END;
  END Div;
BEGIN
  Ck(W1 = FIRST(INTEGER) AND W1 = Word.LeftShift(Id(1), Id(63)), 1);
  Ck(W2 = 15 AND W2 = Word.RightShift(Id(-1), Id(60)), 2);
  Ck(W3 = 16_18 AND W3 = Word.Rotate(Id(16_8000000000000001), Id(4)), 3);
  Ck(W4 = 16_CD AND W4 = Word.Extract(Id(16_ABCDEF), Id(8), Id(8)), 4);
  Ck(W5 = 16_F0 AND W5 = Word.Insert(Id(0), Id(16_FF), Id(4), Id(4)), 5);
  Ck(W6 = 16_F AND W6 = Word.Shift(Id(16_FF), Id(-4)), 6);
  Ck(W7 = 16_F000 AND W8 = -1 AND W9 = -1 AND W10 = 16_8001, 7);
  Ck(W11 = FIRST(INTEGER) AND W12 = 0 AND W13 = LAST(INTEGER) AND W14 = 5, 8);
  Ck(Word.Plus(Id(LAST(INTEGER)), 1) = W11 AND Word.Times(Id(16_100000000), Id(16_100000000)) = 0, 9);
  Ck(Word.Divide(Id(-1), Id(2)) = W13 AND Word.Mod(Id(-1), Id(10)) = W14, 10);
  Ck(W15 = -1 AND W16 AND W17 AND W18 = 64 AND Word.LT(Id(1), Id(-1)), 11);
  Ck(L1 = FIRST(LONGINT) AND L2 = 15L AND L3 = 16_18L AND L4 = 16_CDL AND L5 = 16_F0L AND L6 = 16_FL, 12);
  Ck(L7 = 16_F000L AND L8 = -1L AND L9 = -1L AND L10, 13);
  Ck(Long.LeftShift(IdL(1L), 63) = L1 AND Long.Extract(IdL(16_ABCDEFL), 8, 8) = L4 AND Long.Insert(IdL(0L), IdL(16_FFL), 4, 4) = L5, 14);
  Ck(C1 = -4 AND C2 = 1 AND C3 = -4 AND C4 = -1 AND C5 = 3 AND C6 = -1, 15);
  Ck(D1 = -4L AND D2 = 1L AND D3 = -4L AND D4 = -1L, 16);
  Ck(F1 = -2 AND F2 = -1 AND F3 = -2 AND F4 = -1 AND F5 = 2 AND F6 = 0, 17);
  Ck(F7 = -2L AND F8 = 3.0d0 AND F9 = 7.0x0 AND F10 = 1.5, 18);
  Ck(M1 = Color.blue AND M2 = -3L AND M3 = 'b' AND M4 = 5L AND M5 = 0.5, 19);
  Ck(V1 = Color.blue AND V2 = 3 AND V3 = 2 AND V4 = Color.green AND V5 = Color.blue AND V6 = 1, 20);
  Ck(N1 = 11 AND N2 = 20L AND N3 = 20L AND N4 = 20 AND N5 = 5L, 21);
  FOR a := -12 TO 12 DO FOR b := -5 TO 5 DO IF b # 0 THEN Div(a, b) END END END;
  Ck(Id(FIRST(INTEGER)) DIV 2 = -16_4000000000000000 AND Id(FIRST(INTEGER)) MOD 10 = 2, 22);
  Ck(Id(LAST(INTEGER)) DIV -2 = -16_4000000000000000, 23);
  s := 0; FOR i := LAST(INTEGER) - 2 TO LAST(INTEGER) DO INC(s) END; Ck(s = 3, 24);
  s := 0; FOR i := FIRST(INTEGER) + 2 TO FIRST(INTEGER) BY -1 DO INC(s) END; Ck(s = 3, 25);
  s := 0; FOR i := LAST(LONGINT) - 2L TO LAST(LONGINT) DO INC(s) END; Ck(s = 3, 26);
  s := 0; FOR i := 10 TO 1 BY -3 DO s := s * 10 + i END; Ck(s = 10741, 27);
  s := 0; FOR i := 10 TO 1 DO INC(s) END; Ck(s = 0, 28);
  s := 0; FOR i := 1 TO 10 BY -1 DO INC(s) END; Ck(s = 0, 29);
  n := 2; s := 0; FOR i := 1 TO 9 BY n DO n := 7; s := s * 10 + i END; Ck(s = 13579, 30);
  s := 0; FOR d := FIRST(Days) TO LAST(Days) BY 2 DO s := s * 10 + ORD(d) END; Ck(s = 246, 31);
  s := 0; FOR d := LAST(WD) TO FIRST(WD) BY -1 DO s := s * 10 + ORD(d) END; Ck(s = 43210, 32);
  s := 0; FOR d := Days.Fri TO Days.Sun DO INC(s, ORD(d)) END; Ck(s = 15, 33);
  s := 0; FOR ch := '\000' TO '\377' DO INC(s) END; Ck(s = 256, 34);
  s := 0; FOR w := W'\xFFFE' TO W'\xFFFF' DO INC(s) END; Ck(s = 2, 35);
  s := 0; FOR b := TRUE TO FALSE BY -1 DO INC(s, 1 + ORD(b)) END; Ck(s = 3, 36);
  l := 0L; FOR i := 5L TO 1L BY -2L DO l := l * 10L + i END; Ck(l = 531L, 37);
  FOR i := FIRST(la) TO LAST(la) DO la[i] := VAL(VAL(i, INTEGER) + ORD('a'), CHAR) END;
  Ck(la[10L] = 'k' AND la[20L] = 'u', 38);
  ls := SET OF LR {10L, 15L .. 18L}; s := 0; FOR i := FIRST(LR) TO LAST(LR) DO IF i IN ls THEN INC(s) END END; Ck(s = 5, 39);
  Ck(NOT 5L IN ls AND NOT 100L IN ls AND NOT FIRST(LONGINT) IN ls, 40);
  Ck(Text.Equal(Pick(FIRST(LONGINT)), "first") AND Text.Equal(Pick(-3L), "neg") AND Text.Equal(Pick(0L), "zero"), 41);
  Ck(Text.Equal(Pick(LAST(LONGINT)), "last") AND Text.Equal(Pick(7L), "some") AND Text.Equal(Pick(4L), "other"), 42);
  l := 5L; INC(l); DEC(l, 3L); INC(l, 10L); Ck(l = 13L, 43);
  c := 3; DEC(c, 3); INC(c, 5); Ck(c = 5, 44);
  lc := 3L; DEC(lc, 3L); Ck(lc = 0L, 45);
  Ck(VAL(IdL(77L), INTEGER) = 77 AND VAL(Id(-77), LONGINT) = -77L AND ORD(IdL(5L)) = 5L, 46);
  Ck(ABS(IdL(-3L)) = 3L AND MAX(IdL(4L), 3L) = 4L AND -IdL(4L) = -4L AND +IdL(4L) = 4L, 47);
  Ck(FLOAT(IdL(3L)) = 3.0 AND TRUNC(-2.9, LONGINT) = -2L AND ROUND(FLOAT(Id(7), LONGREAL) / 2.0d0) = 4 AND CEILING(2.1x0) = 3, 48);
  Ck(ROUND(FLOAT(Id(5)) / 2.0) = 2 AND ROUND(FLOAT(Id(-5)) / 2.0) = -2 AND TRUNC(FLOAT(Id(-5)) / 2.0) = -2 AND FLOOR(FLOAT(Id(-5)) / 2.0) = -3 AND CEILING(FLOAT(Id(-5)) / 2.0) = -2, 49);
  Ck(5.5 MOD 2.0 = 1.5 AND -5.5 MOD 2.0 = 0.5 AND 5.5d0 MOD -2.0d0 = -0.5d0, 50);
  VAR x := 5.5; y := -2.0; BEGIN Ck(x MOD y = -0.5 AND (-x) MOD (-y) = 0.5, 51) END;
  Ck(16_ff = 255 AND 2_1011 = 11 AND 8_17 = 15 AND 16_FFFFFFFFFFFFFFFF = -1 AND 36 = 3_1100, 52);
  Ck(Word.Extract(-1, 0, 64) = -1 AND Word.Extract(Id(-1), Id(0), Id(64)) = -1 AND Word.Extract(Id(-1), Id(5), Id(0)) = 0, 53);
  Ck(Word.Insert(Id(-1), 0, 0, 64) = 0 AND Word.Insert(Id(7), Id(5), Id(64), Id(0)) = 7, 54);
  Ck(Word.Shift(1, 64) = 0 AND Word.Shift(Id(1), Id(64)) = 0 AND Word.Shift(Id(-1), Id(-64)) = 0 AND Word.Shift(Id(1), Id(-100)) = 0 AND Word.Shift(Id(1), Id(200)) = 0, 55);
  Ck(Word.Rotate(Id(5), Id(-1)) = Word.Rotate(5, -1) AND Word.Rotate(Id(5), Id(65)) = 10 AND Word.Rotate(Id(5), Id(-65)) = Word.Rotate(5, -1), 56);
  Ck(Word.GT(Id(-1), 5) AND Word.LE(Id(5), Id(5)) AND NOT Word.GE(Id(3), Id(-3)), 57);
  Ck(Long.Shift(IdL(1L), Id(64)) = 0L AND Long.Rotate(IdL(1L), Id(-1)) = FIRST(LONGINT) AND Long.Divide(IdL(-1L), IdL(2L)) = LAST(LONGINT), 58);
  Ck(LAST(Int32.T) = 16_7FFFFFFF AND FIRST(Int32.T) = -16_80000000, 59);
  VAR i8: [-128..127] := -128; BEGIN s := i8; Ck(s = -128, 60); Ck(-i8 = 128, 61); Ck(i8 - 1 = -129, 62) END;
  VAR u8: [0..255] := 255; BEGIN Ck(u8 + 1 = 256, 63); Ck(Word.Plus(u8, 1) = 256, 64) END;
  Ck(Fmt.LongInt(IdL(-16_7FL)) # NIL AND Text.Equal(Fmt.LongInt(IdL(123L)), "123"), 65);
  Ck(BITSIZE(LONGINT) = 64 AND BYTESIZE(LONGINT) = 8 AND FIRST(LONGCARD) = 0L AND LAST(LONGCARD) = LAST(LONGINT), 66);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
