(* golden: check *)
UNSAFE MODULE Main;
TYPE Bits = RECORD a: BITS 3 FOR [0..7]; b: BITS 5 FOR [0..31]; c: ARRAY [0..7] OF BITS 4 FOR [0..15] END;
VAR n: INTEGER; c: CHAR; a, b: ADDRESS; bits: Bits; u: UNTRACED REF INTEGER; t: UNTRACED REF TEXT;
PROCEDURE P(READONLY a: ARRAY OF CHAR) =
  BEGIN
    n := LOOPHOLE(a, INTEGER);
    (* expect-error above: LOOPHOLE does not take an open array (22.5) *)
  END P;
BEGIN
  a := ADR(n) + 8;
  n := a - b;
  IF a < b THEN INC(a, 8) END;
  u := ADR(n);
  t := NEW(UNTRACED REF TEXT);
  DISPOSE(u);
  c := LOOPHOLE(n, CHAR);
  (* expect-error above: the sizes differ: INTEGER has 64 bits, CHAR has 8 (22.5) *)
  n := LOOPHOLE(a, INTEGER);
  a := ADR(bits.b);
  (* expect-error above: ADR needs a variable that begins at a byte (17.8) *)
  a := ADR(n + 1);
  (* expect-error above: ADR needs a variable that begins at a byte (17.8) *)
  a := a + b;
  (* expect-error above: + does not apply to ADDRESS and ADDRESS (16) *)
  EVAL SUBARRAY(bits.c, 0, 2);
  (* expect-error above: SUBARRAY needs elements of whole bytes (5.6) *)
  DISPOSE(a);
  (* expect-error above: DISPOSE needs a variable of a fixed reference type, not ADDRESS (17) *)
  DISPOSE(n);
  (* expect-error above: DISPOSE needs a variable of a fixed reference type, not INTEGER (17) *)
  P(ARRAY OF CHAR{'a'});
END Main.
