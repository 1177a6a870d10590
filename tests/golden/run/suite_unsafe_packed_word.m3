(* golden: run, -w *)
(* Packed fields and sets, Word and Long in constants, Compiler, addresses, LOOPHOLE, LONGINT, WIDECHAR. *)
UNSAFE MODULE Main;
IMPORT IO, Fmt, Text, Word, Long, Compiler, RuntimeError, Thread;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  P = RECORD a: BITS 3 FOR [0..7]; b: BITS 1 FOR BOOLEAN; c: BITS 12 FOR [-2048..2047]; d: BITS 16 FOR [0..65535]; e: BITS 32 FOR [0..16_FFFFFFFF] END;
  PA = ARRAY [0..99] OF BITS 1 FOR BOOLEAN;
  PB = ARRAY [0..9] OF BITS 5 FOR [-16..15];
  PS = RECORD s: BITS 5 FOR SET OF [0..4]; t: BITS 3 FOR SET OF [10..12]; END;
  Pad = BITS 64 - BITSIZE(INTEGER) FOR SET OF [0..63 - BITSIZE(INTEGER)];
  RPad = RECORD v: INTEGER; pad: Pad := Pad{}; END;
CONST
  W1 = Word.And(16_FF, Word.Not(16_0F)); W2 = Word.Shift(1, 63); W3 = Word.Extract(16_ABCD, 4, 8);
  W4 = Word.Insert(0, 16_F, 8, 4); W5 = Word.Plus(LAST(INTEGER), 1); W6 = Word.LT(1, -1); W7 = Word.Rotate(1, -1);
  W8 = Word.Divide(-1, 2); W9 = Word.Size; L1 = Long.And(16_FFL, 16_F0L); W10 = Word.LeftShift(1, 5);
  OS = Compiler.ThisOS; EN = Compiler.ThisEndian;
VAR p := P {1, TRUE, -5, 60000, 16_FFFFFFFF}; pa: PA; pb: PB; ps := PS {SET OF [0..4] {1,4}, SET OF [10..12]{11}}; rp: RPad;
  a: ADDRESS; ui := NEW(UNTRACED REF INTEGER); ua := NEW(UNTRACED REF ARRAY OF INTEGER, 5);
  arr := ARRAY [0..3] OF INTEGER {1,2,3,4}; pi: UNTRACED REF INTEGER; x: REAL := 1.0;
  k := 0;
PROCEDURE Line(): INTEGER = BEGIN RETURN Compiler.ThisLine() END Line;
BEGIN
  Ck(p.a = 1 AND p.b AND p.c = -5 AND p.d = 60000 AND p.e = 16_FFFFFFFF, 1);
  p.a := 7; p.c := 100; INC(p.d); DEC(p.c, 200); Ck(p.a = 7 AND p.b AND p.c = -100 AND p.d = 60001, 2);
  Ck(BITSIZE(P) = 64 AND BITSIZE(PA) >= 100 AND BITSIZE(PA) <= 128, 3);
  FOR i := 0 TO 99 DO pa[i] := i MOD 3 = 0 END; FOR i := 0 TO 99 DO Ck(pa[i] = (i MOD 3 = 0), 4) END;
  FOR i := 0 TO 9 DO pb[i] := i - 5 END; FOR i := 0 TO 9 DO Ck(pb[i] = i - 5, 5) END;
  Ck(1 IN ps.s AND 4 IN ps.s AND NOT 0 IN ps.s AND 11 IN ps.t AND NOT 12 IN ps.t, 6);
  ps.s := ps.s + SET OF [0..4]{0}; Ck(ps.s = SET OF [0..4]{0,1,4} AND ps.t = SET OF [10..12]{11}, 7);
  Ck(rp.pad = Pad{} , 8); Ck(BITSIZE(RPad) = 64, 9);
  WITH q = p.c DO q := 9; Ck(p.c = 9, 10) END;
  WITH q = p.b DO q := NOT q; Ck(NOT p.b, 11) END;
  Ck(W1 = 16_F0 AND W2 = FIRST(INTEGER) AND W3 = 16_BC AND W4 = 16_F00 AND W5 = FIRST(INTEGER) AND W6 AND W7 = FIRST(INTEGER) AND W8 = LAST(INTEGER) AND W9 = 64 AND L1 = 16_F0L AND W10 = 32, 12);
  Ck(OS = Compiler.OS.POSIX AND EN = Compiler.ENDIAN.LITTLE, 13);
  Ck(Line() > 20 AND Line() < 40, 14);
  a := ADR(arr[1]); pi := a; Ck(pi^ = 2, 15); INC(a, ADRSIZE(INTEGER)); Ck(LOOPHOLE(a, UNTRACED REF INTEGER)^ = 3, 16);
  Ck(a - ADR(arr[0]) = 16 AND a > ADR(arr[0]), 17);
  LOOPHOLE(x, BITS 32 FOR [0..16_FFFFFFFF]) := 16_40000000; Ck(x = 2.0, 18);
  ui^ := 5; DISPOSE(ui); Ck(ui = NIL, 19); ua[4] := 3; DISPOSE(ua); Ck(ua = NIL, 20);
  Ck(NUMBER(LOOPHOLE(arr, ARRAY OF CHAR)) = 32, 21); 
  LOOPHOLE(arr[0], ARRAY [0..7] OF CHAR)[1] := '\001'; Ck(arr[0] = 257, 22);
  TRY RAISE RuntimeError.E(RuntimeError.T.ValueOutOfRange) EXCEPT RuntimeError.E(e) => Ck(e = RuntimeError.T.ValueOutOfRange, 23) END;
  VAR c := W'x'; wt := W"wide\x0416" & "n"; t: TEXT; BEGIN Ck(c = W'x' AND Text.Length(wt) = 6 AND Text.HasWideChars(wt), 25); Ck(Text.GetWideChar(wt, 4) = VAL(16_416, WIDECHAR), 26); t := wt; c := 'a'; Ck(ORD(c) = 97, 27) END;
  <*ASSERT k = 0*>
  <*ASSERT k = 0 WITH "msg"*>
  CASE LAST(INTEGER) - k OF | LAST(INTEGER) => | FIRST(INTEGER) .. -1 => Ck(FALSE, 28) | 0 .. 16_7FFFFFFFFFFFFFFE => Ck(FALSE, 29) END;
  CASE VAL(k, CHAR) OF '\000'..'a' => | 'b' => END;
  CASE 5L + VAL(k, LONGINT) OF 5L => | 6L..9L => Ck(FALSE, 30) END;
  VAR l := LAST(LONGINT); m: LONGINT := 7L; BEGIN Ck(l - m + m = l AND -m DIV 2L = -4L AND -m MOD 2L = 1L AND ORD(m) = 7L AND VAL(m, INTEGER) = 7 AND FLOAT(m, LONGREAL) = 7.0d0 AND MAX(l, m) = l, 31); INC(m, 3L); DEC(m); Ck(m = 9L, 32) END;
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
