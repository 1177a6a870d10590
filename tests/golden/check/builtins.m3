(* golden: check *)
MODULE Main;
TYPE
  Digit = [0..9];
  Color = {Red, Green};
  Bits = RECORD a: BITS 4 FOR Digit; b: BITS 4 FOR Digit; c: CHAR END;
VAR
  n: INTEGER; d: Digit; a: ARRAY [0..3] OF INTEGER; s: ARRAY [5..8] OF INTEGER; x: ARRAY [0..4] OF INTEGER;
  bits: Bits; chars: ARRAY [0..3] OF CHAR;
PROCEDURE P(x: INTEGER; y := 2; READONLY z: CHAR := 'z') = BEGIN n := x + y + ORD(z) END P;
PROCEDURE V(VAR x: INTEGER) = BEGIN x := 1 END V;
PROCEDURE W(VAR x: Digit) = BEGIN x := 1 END W;
PROCEDURE F(VAR x: ARRAY [0..3] OF INTEGER) = BEGIN x[0] := 1 END F;
PROCEDURE O(READONLY x: ARRAY OF INTEGER) = BEGIN n := x[0] END O;
PROCEDURE Ro(READONLY p: INTEGER) = BEGIN V(p) END Ro;
(* expect-error above: formal x of V is VAR, and this variable is readonly: p is a READONLY formal; copy the value to a variable of your own, and give that one (11.4) *)
BEGIN
  EVAL ABS(x := 1);
  (* expect-error above: the operands of ABS have no names (17) *)
  EVAL ABS(1, 2);
  (* expect-error above: wrong number of operands for ABS: expected 1, found 2; the form is ABS(number) (17) *)
  EVAL ABS('c');
  (* expect-error above: ABS needs a number, not CHAR; write ORD('c') (17) *)
  EVAL MAX(1, 'c');
  (* expect-error above: MAX does not apply to INTEGER and CHAR; the operands are two numbers of one type, or two ordinals (16) *)
  EVAL FLOAT('c');
  (* expect-error above: FLOAT needs a number, not CHAR; write ORD('c') (17) *)
  EVAL FLOAT(1, INTEGER);
  (* expect-error above: FLOAT needs a floating type, not INTEGER (17) *)
  EVAL FLOOR(1);
  (* expect-error above: FLOOR needs a floating number, not INTEGER; 1 is a whole number already (17) *)
  EVAL ROUND(1.0, REAL);
  (* expect-error above: ROUND needs INTEGER or LONGINT, not REAL (17) *)
  EVAL ORD(1.0);
  (* expect-error above: ORD needs an ordinal, not REAL; write 1 instead of 1.0 (17) *)
  EVAL VAL(1, REAL);
  (* expect-error above: VAL needs an ordinal type, not REAL (17) *)
  EVAL VAL('c', CHAR);
  (* expect-error above: VAL needs an integer, not CHAR; write ORD('c') (17) *)
  EVAL VAL(2, BOOLEAN);
  (* expect-warning above: the value {1} is not in BOOLEAN: a run-time error (8.2) *)
  EVAL FIRST(n);
  (* expect-error above: FIRST needs an array or a type, not INTEGER; write the type: FIRST(INTEGER) (17) *)
  EVAL FIRST({});
  (* expect-error above: FIRST of an empty enumeration does not exist (17.3) *)
  EVAL LAST(TEXT);
  (* expect-error above: LAST needs an ordinal type or an array, not TEXT (17) *)
  EVAL NUMBER(ARRAY OF CHAR);
  (* expect-error above: NUMBER of an open array type is unknown (17.3) *)
  EVAL NUMBER(INTEGER);
  (* expect-error above: the constant is too large (16.2) *)
  EVAL BITSIZE(n + 1);
  (* expect-error above: BITSIZE takes a variable or a type (17.4) *)
  EVAL BYTESIZE(ARRAY OF CHAR);
  (* expect-error above: BYTESIZE of an open array type is unknown (17.3) *)
  EVAL ISTYPE(n, REFANY);
  (* expect-error above: INTEGER is not assignable to REFANY; a reference is needed: r := NEW(REF INTEGER); r^ := n (8.1) *)
  EVAL NARROW(NIL, INTEGER);
  (* expect-error above: NARROW needs an object type or a traced reference type, not INTEGER (17) *)
  EVAL TYPECODE(REFANY);
  (* expect-error above: TYPECODE needs an object type or a traced reference type other than REFANY, not REFANY (17) *)
  EVAL TYPECODE(n);
  (* expect-error above: TYPECODE needs a traced reference or an object, not INTEGER (17) *)
  EVAL SUBARRAY(n, 0, 1);
  (* expect-error above: INTEGER is not an array (15.4) *)
  EVAL SUBARRAY(a, 'c', 1);
  (* expect-error above: CHAR is not assignable to CARDINAL; write ORD('c') (8.1) *)
  EVAL ADR(n);
  (* expect-error above: ADR is possible only in UNSAFE units; a VAR formal takes the variable itself, without ADR; NEW makes references (22.3) *)
  EVAL LOOPHOLE(n, CHAR);
  (* expect-error above: LOOPHOLE is possible only in UNSAFE units; write UNSAFE in front of MODULE if the unit must do this (22.3) *)
  EVAL Color.Blue;
  (* expect-error above: Main.Color has no element Blue; it has Red and Green (5.2) *)
END Main.
