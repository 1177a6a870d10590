(* golden: run, -w *)
(* Constants folded and computed, FOR at the ends of ranges, CASE over all kinds (language.md 14.12, 14.13, 16, 17, 19). *)
MODULE Main;
(* loops, case, ranges, div/mod, folding *)
IMPORT IO, Fmt, Word, Long, Text;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) = BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE Col = {red, green, blue, black}; Warm = [Col.red .. Col.green]; L9 = [0L .. 9L]; Neg = [-5 .. -2];
  Big = SET OF [-1000 .. 70000]; LS = SET OF L9; LA = ARRAY L9 OF INTEGER; WC = SET OF ['a' .. 'z'];
  E1 = {one}; E0 = [3 .. 2];
CONST c1 = -7 DIV 2; c2 = -7 MOD 2; c3 = 7 DIV -2; c4 = 7 MOD -2; c5 = -7 DIV -2; c6 = -7 MOD -2;
  d1 = -7L DIV 2L; d2 = -7L MOD 2L; 
  f1 = FLOOR(-1.5); f2 = CEILING(-1.5); f3 = ROUND(2.5); f4 = ROUND(-2.5); f5 = TRUNC(-1.9); f6 = ROUND(3.5d0, LONGINT);
  m1 = 5.5 MOD 2.0; m2 = -5.5 MOD 2.0;
  w1 = Word.Shift(1, 63); w2 = Word.Rotate(1, -1); w3 = Word.Extract(16_FF00, 8, 8); w4 = Word.Insert(0, 16_ABC, 4, 8); w5 = Word.Not(0); w6 = Word.Divide(-1, 2); w7 = Word.LT(-1, 1); w8 = Word.Shift(-1, -60); w9 = Word.Shift(1, 64);
  l1 = Long.Shift(1L, 63); l2 = Long.And(16_FFFFFFFFL, 16_F0F0L);
  s1 = WC{'a', 'c' .. 'e'} + WC{'z'}; s2 = WC{'a'..'f'} - s1; s3 = s1 / WC{'a', 'b'}; s4 = s1 <= WC{'a'..'z'}; s5 = s1 < s1; s6 = s1 * WC{'d'..'q'} = WC{'d', 'e'};
  t1 = "ab" & "\tc\101\x42" & "\'\"\\"; ch = '\377'; ord = ORD(Col.blue); v = VAL(2, Col); fw = LAST(Warm); nn = NUMBER(Neg); ne = NUMBER(E0);
  mx = MAX(Col.red, Col.blue); mn = MIN(-3L, 4L); ab = ABS(-3.5d0); mm = FIRST(INTEGER); fl = FLOAT(3, LONGREAL); bs = BITSIZE(ARRAY [0..9] OF CHAR);
PROCEDURE D(a, b: INTEGER): INTEGER = BEGIN RETURN a DIV b END D;
PROCEDURE M(a, b: INTEGER): INTEGER = BEGIN RETURN a MOD b END M;
PROCEDURE Cases(x: INTEGER): INTEGER = BEGIN
  CASE x OF FIRST(INTEGER) => RETURN 1 | FIRST(INTEGER)+1 .. -100 => RETURN 2 | -99 .. -1, 1 .. 5 => RETURN 3 | 0 => RETURN 4 | 9 .. 7 => RETURN 99 | 6 .. 1000000 => RETURN 5 | LAST(INTEGER) => RETURN 6 ELSE RETURN 7 END END Cases;
PROCEDURE CaseL(x: LONGINT): INTEGER = BEGIN CASE x OF | -1L => RETURN 1 | 5L .. 16_7FFFFFFFFFFFFFFFL => RETURN 2 ELSE RETURN 0 END END CaseL;
PROCEDURE CaseW(x: WIDECHAR): INTEGER = BEGIN CASE x OF W'a' .. W'z' => RETURN 1 | W'\x1234' => RETURN 2 ELSE RETURN 0 END END CaseW;
VAR n, k: INTEGER; big: Big; ls: LS; la: LA; lo: LONGINT;
BEGIN
  Ck(c1 = -4 AND c2 = 1 AND c3 = -4 AND c4 = -1 AND c5 = 3 AND c6 = -1 AND d1 = -4L AND d2 = 1L, 1);
  Ck(D(-7,2) = c1 AND M(-7,2) = c2 AND D(7,-2) = c3 AND M(7,-2) = c4 AND D(-7,-2) = c5 AND M(-7,-2) = c6, 2);
  Ck(f1 = -2 AND f2 = -1 AND f3 = 2 AND f4 = -2 AND f5 = -1 AND f6 = 4L, 3);
  Ck(m1 = 1.5 AND m2 = 0.5, 4);
  Ck(w1 = FIRST(INTEGER) AND w2 = FIRST(INTEGER) AND w3 = 255 AND w4 = 16_BC0 AND w5 = -1 AND w6 = LAST(INTEGER) AND NOT w7 AND w8 = 15 AND w9 = 0, 5);
  Ck(l1 = FIRST(LONGINT) AND l2 = 16_F0F0L, 6);
  Ck('d' IN s1 AND NOT ('b' IN s1) AND s2 = WC{'b','f'} AND s3 = WC{'b'..'e','z'} AND s4 AND NOT s5 AND s6, 7);
  Ck(Text.Length(t1) = 9 AND Text.GetChar(t1, 3) = 'c' AND Text.GetChar(t1, 4) = 'A' AND Text.GetChar(t1, 5) = 'B' AND Text.GetChar(t1, 7) = '"', 8);
  (* "ab" 2, \t c A B = 6, ' " \ = 9 *)
  Ck(ORD(ch) = 255 AND ord = 2 AND v = Col.blue AND fw = Col.green AND nn = 4 AND ne = 0 AND mx = Col.blue AND mn = -3L AND ab = 3.5d0 AND fl = 3.0d0 AND bs = 80, 9);
  n := 0; FOR i := LAST(INTEGER) - 2 TO LAST(INTEGER) DO INC(n) END; Ck(n = 3, 10);
  n := 0; FOR i := FIRST(INTEGER) + 2 TO FIRST(INTEGER) BY -1 DO INC(n) END; Ck(n = 3, 11);
  n := 0; FOR i := LAST(INTEGER) - 5 TO LAST(INTEGER) BY 4 DO INC(n) END; Ck(n = 2, 12);
  n := 0; FOR i := FIRST(INTEGER) TO LAST(INTEGER) BY LAST(INTEGER) DO INC(n) END; Ck(n = 3, 13);
  n := 0; FOR i := 10L TO 1L BY -3L DO INC(n, VAL(i, INTEGER)) END; Ck(n = 22, 14);
  n := 0; FOR c := FIRST(CHAR) TO LAST(CHAR) DO INC(n) END; Ck(n = 256, 15);
  n := 0; FOR c := FIRST(Warm) TO LAST(Col) BY 2 DO INC(n, ORD(c)) END; Ck(n = 2, 16);
  n := 0; FOR c := Col.black TO Col.red BY -1 DO n := n * 10 + ORD(c) END; Ck(n = 3210, 17);
  n := 0; k := -2; FOR i := 5 TO -5 BY k DO k := 1; INC(n, i) END; Ck(n = 0, 18);
  n := 0; FOR b := FALSE TO TRUE DO FOR e := E1.one TO E1.one DO INC(n) END END; Ck(n = 2, 19);
  n := 0; FOR i := LAST(Neg) TO FIRST(Neg) DO INC(n) END; Ck(n = 0, 20);
  n := 0; FOR w := FIRST(WIDECHAR) TO W'\x00FF' DO INC(n) END; Ck(n = 256, 21);
  n := 0; FOR i := 1 TO 3 DO FOR i := 10 * i TO 10 * i DO INC(n, i) END END; Ck(n = 60, 22);
  Ck(Cases(FIRST(INTEGER)) = 1 AND Cases(-100) = 2 AND Cases(-99) = 3 AND Cases(0) = 4 AND Cases(5) = 3 AND Cases(7) = 5 AND Cases(1000001) = 7 AND Cases(LAST(INTEGER)) = 6 AND Cases(-123456789012) = 2, 23);
  Ck(CaseL(-1L) = 1 AND CaseL(LAST(LONGINT)) = 2 AND CaseL(4L) = 0, 24);
  Ck(CaseW(W'm') = 1 AND CaseW(W'\x1234') = 2 AND CaseW(W'0') = 0, 25);
  big := Big{-1000, 5 .. 10, 69999 .. 70000}; Ck(70000 IN big AND -1000 IN big AND NOT (70001 IN big) AND NOT (-1001 IN big) AND NOT (11 IN big), 26);
  big := big + Big{-999 .. 69998}; Ck(big = Big{-1000 .. 70000} AND Big{} <= big AND Big{0} < big AND NOT (big < big), 27);
  n := 8; k := 3; Ck(Big{n .. k} = Big{}, 28);
  ls := LS{0L, 3L .. 5L}; lo := 4L; Ck(lo IN ls AND NOT (9L IN ls) AND NOT (100L IN ls), 29);
  FOR i := FIRST(la) TO LAST(la) DO la[i] := VAL(i * i, INTEGER) END; Ck(la[9L] = 81 AND la[lo] = 16 AND NUMBER(la) = 10, 30);
  Ck(Word.Shift(1, n * 8) = 0 AND Word.Shift(-1, -n * 8) = 0 AND Word.Rotate(16_F, -4 * (k DIV 3)) = Word.Shift(16_F, 60), 31);
  Ck(Word.Insert(-1, 0, n, k) = Word.Not(16_700), 32);
  Ck(ORD(W'\xABCD') = 16_ABCD AND Text.GetWideChar(W"\x0041\xABCD", 1) = W'\xABCD', 33);
  Ck(16_FFFFFFFFFFFFFFFF = -1 AND 2_1010 = 10 AND 16_ffL = 255L AND 8_377 = 255, 34);
  Ck(TRUNC(-0.9) = 0 AND ROUND(0.5d0) = 0 AND ROUND(1.5d0) = 2 AND FLOOR(-0.0) = 0 AND CEILING(1.0000001) = 2, 35);
  Ck(- 7 MOD 3 = 2 AND -(7 MOD 3) = -1 AND NOT 3 = 4 AND 1 # 2, 36);
  lo := LAST(LONGINT); DEC(lo, 1L); INC(lo); Ck(lo = LAST(LONGINT), 37);
  Ck(MIN(Col.black, Col.green) = Col.green AND MAX('a', 'b') = 'b' AND MAX(1.0, 2.0) = 2.0, 38);
  Ck(VAL(ORD('a') + 1, CHAR) = 'b' AND VAL(97, WIDECHAR) = W'a' AND VAL(5, LONGINT) = 5L AND ORD(TRUE) = 1 AND ORD(5L) = 5L, 39);
  Ck(FIRST(REAL) < 0.0 AND LAST(LONGREAL) > 0.0d0, 40);
  IO.Put("done\n");
END Main.
(* expect: done *)
