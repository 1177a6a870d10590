(* golden: run, -w *)
(* Arrays, sets, constructors, constants, loops, built-ins: every check has a number, which it prints when it fails. *)
MODULE Main;
IMPORT IO, Fmt, Text;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  E = {a, b, c, d};
  S = [E.b .. E.c];
  Neg = [-5 .. 5];
  R = RECORD x: INTEGER := 3; y: E := E.c; z: ARRAY Neg OF CHAR := ARRAY Neg OF CHAR {'q', ..}; END;
  M = ARRAY [1..2], [1..3] OF INTEGER;
CONST
  CR = R { y := E.a };
  CA = ARRAY [0..3] OF INTEGER { 10, 20, .. };
  CM = M { ARRAY [1..3] OF INTEGER {1,2,3}, ARRAY [1..3] OF INTEGER {4,5,6}};
  CO = ARRAY OF CHAR { 'a', 'b', 'c' };
  CS = SET OF E { E.a, E.c .. E.d };
  N = NUMBER(CO) + LAST(CO) + CA[1] + CM[2][3] + CM[1,2] + ORD(CR.y) + CR.x;
  CT = "abc" & "def";
  Big = SET OF [0..1000] {0, 5..17, 999, 1000};
  InS = E.c IN CS;
  LL = 16_7FFFFFFFFFFFFFFF;
  RC = 1.5 + 2.25 * 2.0;
  LC = 1.0d0 / 3.0d0;
  XC = 1.0x0 / 3.0x0;
VAR
  r: R; m: M := CM; arr: ARRAY [0..N] OF INTEGER; s: SET OF Neg;
  fix: ARRAY ['a'..'c'] OF INTEGER := ARRAY ['a'..'c'] OF INTEGER {7,8,9};
  op := NEW(REF ARRAY OF ARRAY OF INTEGER, 3, 4);
  oo := NEW(REF ARRAY OF ARRAY OF ARRAY OF REAL, 2, 3, 4);
PROCEDURE Sum (READONLY a: ARRAY OF ARRAY OF INTEGER): INTEGER =
  VAR t := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO FOR j := 0 TO LAST(a[i]) DO INC(t, a[i,j]) END END; RETURN t
  END Sum;
PROCEDURE Sum1 (a: ARRAY OF INTEGER): INTEGER =
  VAR t := 0;
  BEGIN FOR i := FIRST(a) TO LAST(a) DO INC(t, a[i]); a[i] := 0 END; RETURN t END Sum1;
PROCEDURE Fixed (VAR a: ARRAY [5..7] OF INTEGER) = BEGIN a[5] := 100; a[7] := 300 END Fixed;
PROCEDURE RetArr (n: INTEGER): M = VAR x: M; BEGIN x[1] := ARRAY [1..3] OF INTEGER {n, ..}; x[2] := x[1]; RETURN x END RetArr;
PROCEDURE RetRec (n: INTEGER): R = BEGIN RETURN R {x := n} END RetRec;
PROCEDURE RetSet (e: E): SET OF E = BEGIN RETURN SET OF E {e .. LAST(E)} END RetSet;
BEGIN
  Ck(r.x = 3 AND r.y = E.c AND r.z[-5] = 'q' AND r.z[5] = 'q', 1);
  Ck(N = 3 + 2 + 20 + 6 + 2 + 0 + 3, 2);
  Ck(NUMBER(arr) = N + 1, 3);
  Ck(m = CM, 4); m[2,3] := 7; Ck(m # CM, 5);
  Ck(Text.Equal(CT, "abcdef"), 6);
  Ck(999 IN Big AND NOT 18 IN Big AND 17 IN Big AND NOT -1 IN Big AND NOT 2000 IN Big, 7);
  Ck(InS, 8);
  Ck(RC = 6.0, 9);
  Ck(ABS(LC * 3.0d0 - 1.0d0) < 1.0d-10, 10);
  Ck(Sum(op^) = 0, 11);
  FOR i := 0 TO 2 DO FOR j := 0 TO 3 DO op[i,j] := i * 4 + j END END;
  Ck(Sum(op^) = 66, 12); Ck(Sum(m) = 1+2+3+4+5+7, 13);
  Ck(Sum1(op[1]) = 4+5+6+7, 14); Ck(op[1][2] = 6, 15);
  Ck(Sum1(SUBARRAY(op[1], 1, 2)) = 11, 16);
  Ck(Sum(SUBARRAY(op^, 1, 2)) = 4+5+6+7+8+9+10+11, 17);
  Fixed(fix); Ck(fix['a'] = 100 AND fix['b'] = 8 AND fix['c'] = 300, 18);
  Fixed(SUBARRAY(op[2], 1, 3)); Ck(op[2,1] = 100 AND op[2,3] = 300 AND op[2,0]=8, 19);
  Ck(RetArr(4)[2,3] = 4, 20); Ck(RetRec(9).x = 9 AND RetRec(9).z[0] = 'q', 21);
  Ck(RetSet(E.b) = SET OF E {E.b, E.c, E.d}, 22);
  Ck(NUMBER(oo^) = 2 AND NUMBER(oo[0]) = 3 AND NUMBER(oo[1,2]) = 4 AND oo[1,2,3] = 0.0, 23);
  s := SET OF Neg {-5, 0 .. 2}; Ck(-5 IN s AND 1 IN s AND NOT 3 IN s AND NOT 77 IN s, 24);
  s := s + SET OF Neg {5} - SET OF Neg {0}; Ck(s = SET OF Neg {-5,1,2,5}, 25);
  Ck(s * SET OF Neg {1..5} = SET OF Neg {1,2,5}, 26);
  Ck(s / SET OF Neg {1..5} = SET OF Neg {-5,3,4}, 27);
  Ck(SET OF Neg {1} < s AND s <= s AND NOT s < s AND s > SET OF Neg{} AND s >= s, 28);
  SUBARRAY(arr, 0, 5) := ARRAY OF INTEGER {1,2,3,4,5};
  SUBARRAY(arr, 1, 4) := SUBARRAY(arr, 0, 4); Ck(arr[0]=1 AND arr[1]=1 AND arr[4]=4, 29);
  SUBARRAY(arr, 0, 4) := SUBARRAY(arr, 1, 4); Ck(arr[0]=1 AND arr[3]=4 AND arr[4]=4, 30);
  WITH w = SUBARRAY(arr, 2, 3) DO w[0] := 55; Ck(NUMBER(w) = 3, 31) END; Ck(arr[2] = 55, 32);
  VAR i: INTEGER := 2; k := CA[i]; BEGIN Ck(k = 20, 33) END;
  VAR i: INTEGER := 2; k := CO[i]; BEGIN Ck(k = 'c', 34) END;
  FOR e := FIRST(E) TO LAST(E) DO
    CASE e OF | E.a => Ck(ORD(e) = 0, 35) | E.b .. E.c => Ck(ORD(e) IN SET OF [0..3]{1,2}, 36) ELSE Ck(e = E.d, 37) END END;
  VAR n := 0; BEGIN FOR i := LAST(INTEGER) - 2 TO LAST(INTEGER) DO INC(n) END; Ck(n = 3, 38);
    FOR i := FIRST(INTEGER) + 2 TO FIRST(INTEGER) BY -1 DO INC(n) END; Ck(n = 6, 39);
    FOR i := 10 TO 1 BY -3 DO INC(n) END; Ck(n = 10, 40);
    FOR i := 1L TO 10L BY 4L DO INC(n, VAL(i, INTEGER)) END; Ck(n = 10+1+5+9, 41);
    FOR b := FALSE TO TRUE DO INC(n) END; Ck(n = 27, 42);
    FOR c := FIRST(CHAR) TO LAST(CHAR) DO INC(n) END; Ck(n = 27+256, 43);
    FOR c := LAST(WIDECHAR) TO LAST(WIDECHAR) DO INC(n) END; Ck(n = 28+256, 44);
  END;
  Ck(-7 DIV 2 = -4 AND -7 MOD 2 = 1 AND 7 DIV -2 = -4 AND 7 MOD -2 = -1, 45);
  VAR x := -7; y := 2; BEGIN Ck(x DIV y = -4 AND x MOD y = 1 AND (-x) DIV (-y) = -4 AND (-x) MOD (-y) = -1, 46) END;
  VAR x := 7.5; y := -2.0; BEGIN Ck(x MOD y = -0.5, 47); Ck(FLOOR(x) = 7 AND CEILING(x) = 8 AND ROUND(x) = 8 AND TRUNC(-x) = -7, 48); Ck(ROUND(2.5)=2 AND ROUND(-2.5) = -2 AND ROUND(3.5) = 4, 49); END;
  Ck(VAL(1, E) = E.b AND ORD(LAST(S)) = 2 AND NUMBER(S) = 2 AND FIRST(S) = E.b, 50);
  Ck(MIN(3, -4) = -4 AND MAX(2.0, 3.0) = 3.0 AND ABS(-4L) = 4L AND MIN(E.a, E.c) = E.a, 51);
  Ck(FLOAT(3, LONGREAL) = 3.0d0 AND FLOAT(3) = 3.0 AND FLOAT(1.5d0, EXTENDED) = 1.5x0, 52);
  Ck(TRUNC(3.9x0, LONGINT) = 3L, 53);
  Ck(BITSIZE(INTEGER) = 64 AND BYTESIZE(CHAR) = 1 AND BYTESIZE(r) = BYTESIZE(R) AND BYTESIZE(op^) = 96, 54);
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
