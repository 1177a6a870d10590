(* golden: run, -w *)
(* ADR, LOOPHOLE, address arithmetic, the untraced heap. *)
UNSAFE MODULE Main;

IMPORT IO;

TYPE
  Pointer = UNTRACED REF INTEGER;
  Words = UNTRACED REF ARRAY [0..3] OF INTEGER;
  Open = UNTRACED REF ARRAY OF INTEGER;
  Thing = UNTRACED ROOT OBJECT n := 5 METHODS double(): INTEGER := Double END;
  Sub = Thing OBJECT OVERRIDES double := Triple END;
  Byte = BITS 8 FOR [0..255];
  Bytes = ARRAY [0..7] OF Byte;

PROCEDURE Double(self: Thing): INTEGER = BEGIN RETURN 2 * self.n END Double;
PROCEDURE Triple(self: Sub): INTEGER = BEGIN RETURN 3 * self.n END Triple;

PROCEDURE Int(n: INTEGER) =
  BEGIN
    IO.PutInt(n);
    IO.Put(" ");
  END Int;

PROCEDURE Line() =
  BEGIN
    IO.Put(".\n");
  END Line;

PROCEDURE Add(VAR p: ADDRESS; n: INTEGER) =
  BEGIN
    INC(p, n);
  END Add;

VAR
  v := ARRAY [0..3] OF INTEGER{10, 20, 30, 40};
  p: Pointer := ADR(v[0]);
  w: Words := ADR(v);
  o := NEW(Open, 5);
  t: Thing := NEW(Thing);
  a: ADDRESS;
  x: LONGREAL := 1.0d0;
  b: Bytes;

BEGIN
  a := p; Int(p^); INC(a, ADRSIZE(INTEGER)); p := a; Int(p^); Add(a, 8); p := a; Int(p^); DEC(a, 8); p := a - 8; Int(p^); Int(p + 24 - LOOPHOLE(p, ADDRESS)); Line();
  w[3] := 44; Int(v[3]); Int(LOOPHOLE(ADR(v[1]), Pointer)^); Line();
  FOR i := 0 TO LAST(o^) DO Int(o[i]); o[i] := i * i END; Int(o[4]); Int(NUMBER(o^)); DISPOSE(o); IF o = NIL THEN Int(1) END; Line();
  Int(t.double()); t := NEW(Sub, n := 7); Int(t.double()); DISPOSE(t); Line();
  Int(LOOPHOLE(x, INTEGER)); x := LOOPHOLE(16_4000000000000000, LONGREAL); Int(TRUNC(x)); Line();
  a := ADR(x); IF a > NIL AND a = ADR(x) AND a + 1 > a THEN Int(1) END; Line();
  b := LOOPHOLE(16_0807060504030201, Bytes); Int(b[0]); Int(b[7]); LOOPHOLE(b, INTEGER) := -1; Int(b[3]); Line();
  Int(BYTESIZE(v)); Int(BITSIZE(Byte)); Int(BYTESIZE(SUBARRAY(v, 1, 2))); Line();
END Main.
(* expect: 10 20 30 10 24 . *)
(* expect: 44 20 . *)
(* expect: 0 0 0 0 0 16 5 1 . *)
(* expect: 10 21 . *)
(* expect: 4607182418800017408 2 . *)
(* expect: 1 . *)
(* expect: 1 8 255 . *)
(* expect: 32 8 16 . *)
