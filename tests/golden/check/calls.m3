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
(* expect-error above: x is VAR, and this variable is readonly (11.4) *)
BEGIN
  P();
  (* expect-error above: x has no default and is not given (11.3) *)
  P(1, 2, 'c', 4);
  (* expect-error above: too many actuals: 4 for 3 formals (11.3) *)
  P(q := 1);
  (* expect-error above: there is no formal q (11.3) *)
  P(1, x := 2);
  (* expect-error above: x is given twice (11.3) *)
  P(x := 1, y := 2, y := 3);
  (* expect-error above: y is given twice (11.3) *)
  P(x := 1, 2);
  (* expect-error above: positional values come before those with names (11.3) *)
  P('c');
  (* expect-error above: CHAR is not assignable to INTEGER (8.1) *)
  P(1, 2, 3);
  (* expect-error above: INTEGER is not assignable to CHAR (8.1) *)
  P(y := 1, x := 2);
  V(n + 1);
  (* expect-error above: x is VAR and needs a variable (11.4) *)
  V(3);
  (* expect-error above: x is VAR and needs a variable (11.4) *)
  V(d);
  (* expect-error above: x is VAR and needs a variable of exactly type INTEGER, not Main.Digit (11.4) *)
  V(a[0]);
  W(n);
  (* expect-error above: x is VAR and needs a variable of exactly type Main.Digit, not INTEGER (11.4) *)
  W(bits.a);
  (* expect-error above: x is VAR and needs a variable of exactly type Main.Digit, not BITS 4 FOR Main.Digit (11.4) *)
  F(a); F(s);
  F(x);
  (* expect-error above: x is VAR and needs a variable of exactly type ARRAY [0..3] OF INTEGER, not ARRAY [0..4] OF INTEGER (11.4) *)
  F(SUBARRAY(x, 0, 4));
  O(a); O(x); O(chars);
  (* expect-error above: ARRAY [0..3] OF CHAR is not assignable to ARRAY OF INTEGER (8.1) *)
  n(3);
  (* expect-error above: INTEGER cannot be called (11.5) *)
  Digit(3);
  (* expect-error above: type Main.Digit cannot be called (11.5) *)
  Main.P(3);
  (* expect-error above: Main is not declared (3.1) *)
  n.x(3);
  (* expect-error above: a value of type INTEGER has no members (15.3) *)
  EVAL ABS(x := 1);
  (* expect-error above: the operands of ABS have no names (17) *)
  EVAL ABS(1, 2);
  (* expect-error above: wrong number of operands for ABS: expected 1, found 2 (17) *)
  EVAL ABS('c');
  (* expect-error above: ABS needs a number, not CHAR (17) *)
  EVAL MAX(1, 'c');
  (* expect-error above: MAX does not apply to INTEGER and CHAR (16) *)
  EVAL FLOAT('c');
  (* expect-error above: FLOAT needs a number, not CHAR (17) *)
  EVAL FLOAT(1, INTEGER);
  (* expect-error above: FLOAT needs a floating type, not INTEGER (17) *)
  EVAL FLOOR(1);
  (* expect-error above: FLOOR needs a floating number, not INTEGER (17) *)
  EVAL ROUND(1.0, REAL);
  (* expect-error above: ROUND needs INTEGER or LONGINT, not REAL (17) *)
  EVAL ORD(1.0);
  (* expect-error above: ORD needs an ordinal, not REAL (17) *)
  EVAL VAL(1, REAL);
  (* expect-error above: VAL needs an ordinal type, not REAL (17) *)
  EVAL VAL('c', CHAR);
  (* expect-error above: VAL needs an integer, not CHAR (17) *)
  EVAL VAL(2, BOOLEAN);
  (* expect-error above: the operand of VAL is not a member of BOOLEAN (8.4) *)
  EVAL FIRST(n);
  (* expect-error above: FIRST needs an array or a type, not INTEGER (17) *)
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
  (* expect-error above: INTEGER is not assignable to REFANY (8.1) *)
  EVAL NARROW(NIL, INTEGER);
  (* expect-error above: NARROW needs an object type or a traced reference type, not INTEGER (17) *)
  EVAL TYPECODE(REFANY);
  (* expect-error above: TYPECODE needs an object type or a traced reference type other than REFANY, not REFANY (17) *)
  EVAL TYPECODE(n);
  (* expect-error above: TYPECODE needs a traced reference or an object, not INTEGER (17) *)
  EVAL SUBARRAY(n, 0, 1);
  (* expect-error above: INTEGER is not an array (15.4) *)
  EVAL SUBARRAY(a, 'c', 1);
  (* expect-error above: CHAR is not assignable to CARDINAL (8.1) *)
  EVAL ADR(n);
  (* expect-error above: ADR is possible only in UNSAFE units (22.3) *)
  EVAL LOOPHOLE(n, CHAR);
  (* expect-error above: LOOPHOLE is possible only in UNSAFE units (22.3) *)
  EVAL Color.Blue;
  (* expect-error above: Main.Color has no element Blue (5.2) *)
  EVAL NEW();
  (* expect-error above: wrong number of operands for NEW: expected at least 1, found 0 (17) *)
  EVAL NEW(INTEGER);
  (* expect-error above: NEW needs a type with a known referent, not INTEGER (18.4) *)
  EVAL NEW(REFANY);
  (* expect-error above: NEW needs a type with a known referent, not REFANY (18.4) *)
  EVAL NEW(n);
  (* expect-error above: n is not a type (3.8) *)
  EVAL NEW(REF ARRAY OF CHAR);
  (* expect-error above: wrong number of lengths for NEW: expected 1, found 0 (18.4) *)
  EVAL NEW(REF ARRAY OF CHAR, 'c');
  (* expect-error above: a length must be an integer, not CHAR (5.6) *)
  EVAL NEW(REF ARRAY OF CHAR, 1, 2);
  (* expect-error above: wrong number of lengths for NEW: expected 1, found 2 (18.4) *)
  EVAL NEW(REF INTEGER, 3);
  (* expect-error above: NEW of REF INTEGER takes no such argument (18.4) *)
  EVAL NEW(REF RECORD x: INTEGER END, 3);
  (* expect-error above: NEW takes its values with names: field := value (18.4) *)
  EVAL NEW(REF RECORD x: INTEGER END, y := 3);
  (* expect-error above: RECORD x: INTEGER END has no field y (15.3) *)
  EVAL NEW(REF RECORD x: INTEGER END, x := 3, x := 4);
  (* expect-error above: x is given twice (11.3) *)
  EVAL NEW(OBJECT x: INTEGER END, y := 3);
  (* expect-error above: ROOT OBJECT x: INTEGER END has no field or method y that is known here (15.3) *)
  EVAL NEW(OBJECT x: INTEGER END, 3);
  (* expect-error above: NEW takes its values with names: field := value (18.4) *)
  EVAL NEW(OBJECT x: INTEGER METHODS m() END, x := 'c', x := 3, m := 4);
  (* expect-error above: CHAR is not assignable to INTEGER (8.1) *)
  (* expect-error above: x is given twice (11.3) *)
  (* expect-error above: a method is a top-level procedure or NIL, not a value of type INTEGER (5.10) *)
  EVAL NEW(REF [1..0]);
  (* expect-error above: the referent of NEW cannot be of type [1..0], which is empty (5.1) *)
  DISPOSE(n);
  (* expect-error above: DISPOSE is possible only in UNSAFE units (22.3) *)
END Main.
