(* golden: run, -w *)
(* Unsafe code: addresses, LOOPHOLE of all kinds, packed fields and arrays, untraced heap, sizes, big frames. *)
UNSAFE MODULE Main;
IMPORT IO, Fmt, Text, Word, Ctypes, Cstring, M3toC, Cstdlib;
VAR bad := 0;
PROCEDURE Ck(b: BOOLEAN; n: INTEGER) =
  BEGIN IF NOT b THEN INC(bad); IO.Put("FAIL " & Fmt.Int(n) & "\n") END END Ck;
TYPE
  Byte = BITS 8 FOR [0..255]; I8 = BITS 8 FOR [-128..127]; I16 = BITS 16 FOR [-32768..32767]; U16 = BITS 16 FOR [0..65535]; I32 = BITS 32 FOR [-16_80000000 .. 16_7fffffff]; Bit = BITS 1 FOR [0..1];
  Flags = RECORD a, b, c: BITS 1 FOR BOOLEAN; d: BITS 5 FOR [0..31]; e: BITS 8 FOR CHAR; f: I16; g: I32 END;
  Word64 = RECORD lo: BITS 32 FOR [0..16_ffffffff]; hi: BITS 32 FOR [0..16_ffffffff] END;
  Odd = RECORD a: BITS 3 FOR [-4..3]; b: BITS 13 FOR [0..8191]; c: BITS 2 FOR {x, y, z}; d: BITS 14 FOR SET OF [0..13] END;
  E4 = BITS 2 FOR {p, q, r, s}; Nibs = ARRAY [0..15] OF BITS 4 FOR [0..15]; Bits = ARRAY [0..63] OF Bit; Bytes = ARRAY [0..7] OF Byte;
  Header = RECORD tag: CHAR; len: U16; body: ARRAY [0..4] OF Byte; i: INTEGER END;
  PInt = UNTRACED REF INTEGER; PBytes = UNTRACED REF ARRAY [0..1000] OF Byte; PRec = UNTRACED REF RECORD a: INTEGER; n: PRec; s: ARRAY [0..3] OF CHAR END;
  Obj = UNTRACED ROOT OBJECT x: INTEGER METHODS get(): INTEGER := Get END;
  SI = SET OF [0..63]; SB = SET OF [0..7];
PROCEDURE Get(o: Obj): INTEGER = BEGIN RETURN o.x END Get;
PROCEDURE Addr(VAR x: INTEGER): ADDRESS = BEGIN RETURN ADR(x) END Addr;
PROCEDURE Big(n: INTEGER): INTEGER = VAR a: ARRAY [0..99999] OF INTEGER; BEGIN FOR i := 0 TO LAST(a) DO a[i] := i + n END; IF n = 0 THEN RETURN a[500] END; RETURN Big(n - 1) + a[LAST(a)] END Big;
PROCEDURE ByVal(a: ARRAY OF INTEGER): INTEGER = BEGIN a[0] := a[LAST(a)]; RETURN a[0] END ByVal;
VAR f: Flags; o: Odd; n: Nibs; bs: Bits; i: INTEGER; r: REAL; d: LONGREAL; by: Bytes; h: Header; p: PInt; a: ADDRESS; pr: PRec; fa: ARRAY [0..4] OF Flags; w: Word64; x8: I8; x16: I16; u16: U16;
  glob: ARRAY [0..199999] OF INTEGER;
BEGIN
  Ck(BITSIZE(Flags) = 64 AND BITSIZE(Byte) = 8 AND BYTESIZE(Bytes) = 8 AND BITSIZE(Nibs) = 64 AND BITSIZE(Bits) = 64 AND BITSIZE(Word64) = 64, 1);
  f.a := TRUE; f.c := TRUE; f.d := 21; f.e := 'x'; f.f := -2; f.g := -16_80000000;
  Ck(f.a AND NOT f.b AND f.c AND f.d = 21 AND f.e = 'x' AND f.f = -2 AND f.g = -16_80000000, 2);
  Ck(LOOPHOLE(f, Word.T) = Word.Or(Word.Or(5, 21 * 8), Word.Or(120 * 256, Word.Or(16_FFFE0000, Word.Shift(16_80000000, 32)))), 3);
  INC(f.d, 10); Ck(f.d = 31 AND f.e = 'x', 4); DEC(f.f); Ck(f.f = -3, 5); WITH z = f.d DO z := 7; INC(z) END; Ck(f.d = 8 AND f.c, 6);
  fa[2] := f; fa[3].f := fa[2].f + fa[2].d; Ck(fa[3].f = 5 AND fa[2] = f AND fa[1] # f, 7);
  o.a := -4; o.b := 8191; o.c := VAL(2, {x, y, z}); o.d := SET OF [0..13]{0, 13, 5}; Ck(o.a = -4 AND o.b = 8191 AND ORD(o.c) = 2 AND 13 IN o.d AND NOT 12 IN o.d, 8); o.b := o.b - 1; Ck(o.a = -4 AND o.b = 8190 AND 0 IN o.d, 9);
  FOR k := 0 TO 15 DO n[k] := 15 - k END; FOR k := 0 TO 15 DO Ck(n[k] = 15 - k, 10) END; Ck(LOOPHOLE(n, INTEGER) = 16_0123456789ABCDEF, 11);
  FOR k := 0 TO 63 BY 3 DO bs[k] := 1 END; Ck(bs[63] = 1 AND bs[62] = 0 AND LOOPHOLE(bs, INTEGER) = 16_9249249249249249, 12);
  i := 16_0102030405060708; by := LOOPHOLE(i, Bytes); Ck(by[0] = 8 AND by[7] = 1, 13); LOOPHOLE(i, Bytes)[0] := 255; Ck(i = 16_01020304050607FF, 14);
  WITH ob = LOOPHOLE(i, ARRAY OF Byte) DO Ck(NUMBER(ob) = 8 AND ob[1] = 7, 15); ob[1] := 0 END; Ck(i = 16_01020304050600FF, 16);
  r := 1.0; Ck(LOOPHOLE(r, I32) = 16_3F800000, 17); d := 1.0d0; Ck(LOOPHOLE(d, INTEGER) = 16_3FF0000000000000 AND LOOPHOLE(16_4000000000000000, LONGREAL) = 2.0d0, 18);
  h.tag := 't'; h.len := 65535; h.body[4] := 200; h.i := -1; Ck(h.tag = 't' AND h.len = 65535 AND h.body[4] = 200 AND h.i = -1, 19);
  w.lo := 16_ffffffff; w.hi := 1; Ck(LOOPHOLE(w, INTEGER) = 16_1ffffffff, 20);
  p := ADR(i); p^ := 5; Ck(i = 5 AND Addr(i) = p AND ADR(p^) = p AND LOOPHOLE(p, INTEGER) # 0, 21); a := p + 0; p := a; Ck(p^ = 5, 22);
  p := ADR(glob[10]); glob[11] := 77; INC(p, ADRSIZE(INTEGER)); Ck(p^ = 77 AND p - ADR(glob[0]) = 88 AND p > ADR(glob[10]) AND ADR(glob[10]) < p AND p >= p, 23); DEC(p, ADRSIZE(INTEGER)); Ck(p = ADR(glob[10]), 24);
  p := NEW(PInt); p^ := 3; DISPOSE(p); Ck(p = NIL, 25); DISPOSE(p);
  pr := NEW(PRec, a := 1, n := NEW(PRec, a := 2)); pr.s[3] := 'e'; Ck(pr.n.a = 2 AND pr.n.n = NIL AND pr^.s[3] = 'e', 26); DISPOSE(pr.n); Ck(pr.n = NIL, 27); DISPOSE(pr);
  VAR q := NEW(Obj, x := 4); BEGIN Ck(q.get() = 4, 28); DISPOSE(q); Ck(q = NIL, 29) END;
  VAR q := NEW(UNTRACED REF ARRAY OF ARRAY OF CHAR, 3, 4); BEGIN q[2, 3] := 'z'; Ck(NUMBER(q^) = 3 AND NUMBER(q[0]) = 4 AND q[2][3] = 'z', 30); DISPOSE(q) END;
  VAR q: PBytes := Cstdlib.malloc(1001); BEGIN q[1000] := 9; EVAL Cstring.memset(q, 3, 1000); Ck(q[1000] = 9 AND q[999] = 3, 31); Cstdlib.free(q) END;
  VAR s := M3toC.CopyTtoS("hello"); BEGIN Ck(Cstring.strlen(s) = 5 AND Text.Equal(M3toC.CopyStoT(s), "hello") AND LOOPHOLE(s + 1, UNTRACED REF CHAR)^ = 'e', 32); M3toC.FreeCopiedS(s) END;
  x8 := -128; x16 := x8; u16 := 65535; Ck(x16 = -128 AND u16 - x8 = 65663, 33); x16 := u16 DIV 2; Ck(x16 = 32767, 34);
  Ck(Big(5) = 500 + 5 * 99999 + 15, 35); glob[199999] := 42; Ck(ByVal(glob) = 42 AND glob[0] = 0, 36);
  VAR s := SI{0, 63}; t: SB := LOOPHOLE(VAL(129, Byte), SB); BEGIN Ck(LOOPHOLE(s, INTEGER) = FIRST(INTEGER) + 1, 37); Ck(t = SB{0, 7}, 38) END;
  VAR e: ARRAY [0..3] OF E4; BEGIN FOR k := 0 TO 3 DO e[k] := VAL(k, E4) END; Ck(LOOPHOLE(e, Byte) = 16_E4, 39); e[1] := e[3]; Ck(ORD(e[1]) = 3 AND ORD(e[0]) = 0 AND ORD(e[2]) = 2, 40) END;
  VAR x: Ctypes.int := -5; y: Ctypes.unsigned_char := 255; z: Ctypes.short := -1; u: Ctypes.unsigned_int := 16_ffffffff; BEGIN Ck(x + y = 250 AND z * z = 1 AND BYTESIZE(x) = 4 AND u = 16_ffffffff, 41) END;
  VAR r1: REFANY := NEW(REF INTEGER); BEGIN Ck(LOOPHOLE(r1, INTEGER) # 0 AND LOOPHOLE(LOOPHOLE(r1, ADDRESS), REFANY) = r1, 42) END;
  VAR c := 'a'; BEGIN Ck(LOOPHOLE(c, Byte) = 97, 43); LOOPHOLE(c, Byte) := 98; Ck(c = 'b', 44) END;
  VAR pp: PROCEDURE(o: Obj): INTEGER := Get; BEGIN Ck(LOOPHOLE(pp, ADDRESS) = LOOPHOLE(Get, ADDRESS), 45); pp := LOOPHOLE(LOOPHOLE(Get, ADDRESS), PROCEDURE(o: Obj): INTEGER); Ck(pp = Get, 46) END;
  VAR cmp := f; BEGIN Ck(cmp = f, 47); cmp.b := TRUE; Ck(cmp # f, 48) END;
  VAR y: RECORD a: CHAR; b: INTEGER; c: CHAR END; z := y; BEGIN y.a := 'a'; z.a := 'a'; y.b := 1; z.b := 1; y.c := 'b'; z.c := 'b'; LOOPHOLE(ADR(y) + 1, UNTRACED REF CHAR)^ := '\377'; Ck(y = z, 49) END;
  Ck(ADRSIZE(CHAR) = 1 AND BITSIZE(BOOLEAN) = 8 AND BYTESIZE(RECORD a: CHAR; b: INTEGER END) = 16 AND BYTESIZE(ARRAY [0..2] OF CHAR) = 3 AND BITSIZE(i) = 64 AND BYTESIZE([0..255]) = 1 AND BYTESIZE([0..256]) = 2 AND BYTESIZE([-1..70000]) = 4, 50);
  VAR q := NEW(REF ARRAY OF U16, 10); BEGIN Ck(BYTESIZE(q^) = 20 AND BITSIZE(SUBARRAY(q^, 0, 3)) = 48, 51) END;
  IF bad = 0 THEN IO.Put("ok\n") END;
END Main.
(* expect: ok *)
