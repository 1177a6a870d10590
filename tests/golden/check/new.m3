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
  EVAL NEW();
  (* expect-error above: wrong number of operands for NEW: expected at least 1, found 0; the form is NEW(type, field := value, ...) (17) *)
  EVAL NEW(INTEGER);
  (* expect-error above: NEW needs a type with a known referent, not INTEGER; NEW makes what a reference type refers to: NEW(REF INTEGER) (18.4) *)
  EVAL NEW(REFANY);
  (* expect-error above: NEW needs a type with a known referent, not REFANY; write the type of what is made: NEW(REF T), or NEW of an object type (18.4) *)
  EVAL NEW(n);
  (* expect-error above: n is not a type; n is a value of type INTEGER (3.8) *)
  EVAL NEW(REF ARRAY OF CHAR);
  (* expect-error above: wrong number of lengths for NEW: expected 1, found 0; the lengths of the open dimensions follow the type: NEW(REF ARRAY OF CHAR, n) (18.4) *)
  EVAL NEW(REF ARRAY OF CHAR, 'c');
  (* expect-error above: a length must be an integer, not CHAR; write ORD('c') (5.6) *)
  EVAL NEW(REF ARRAY OF CHAR, 1, 2);
  (* expect-error above: wrong number of lengths for NEW: expected 1, found 2; the lengths of the open dimensions follow the type: NEW(REF ARRAY OF CHAR, n) (18.4) *)
  EVAL NEW(REF INTEGER, 3);
  (* expect-error above: NEW of REF INTEGER takes no such argument; assign the value behind NEW: p := NEW(REF INTEGER); p^ := ... (18.4) *)
  EVAL NEW(REF RECORD x: INTEGER END, 3);
  (* expect-error above: NEW takes its values with names: field := value; write x := 3 (18.4) *)
  EVAL NEW(REF RECORD x: INTEGER END, y := 3);
  (* expect-error above: RECORD x: INTEGER END has no field y; it has x (15.3) *)
  EVAL NEW(REF RECORD x: INTEGER END, x := 3, x := 4);
  (* expect-error above: x is given twice (11.3) *)
  EVAL NEW(OBJECT x: INTEGER END, y := 3);
  (* expect-error above: ROOT OBJECT x: INTEGER END has no field or method y that is known here; it has x (15.3) *)
  EVAL NEW(OBJECT x: INTEGER END, 3);
  (* expect-error above: NEW takes its values with names: field := value; write x := 3 (18.4) *)
  EVAL NEW(OBJECT x: INTEGER METHODS m() END, x := 'c', x := 3, m := 4);
  (* expect-error above: CHAR is not assignable to INTEGER, the type of field x of ROOT OBJECT x: INTEGER END; write ORD('c') (8.1) *)
  (* expect-error above: x is given twice (11.3) *)
  (* expect-error above: a method is a top-level procedure or NIL, not a value of type INTEGER (5.10) *)
  EVAL NEW(REF [1..0]);
  (* expect-error above: the referent of NEW cannot be of type [1..0], which is empty (5.1) *)
  DISPOSE(n);
  (* expect-error above: DISPOSE is possible only in UNSAFE units; the collector frees memory that nothing refers to: leave DISPOSE out (22.3) *)
END Main.
