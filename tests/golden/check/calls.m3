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
  P();
  (* expect-error above: x of P has no default and is not given; P is (x: INTEGER; y: INTEGER; READONLY z: CHAR) (11.3) *)
  P(1, 2, 'c', 4);
  (* expect-error above: too many actuals for P: 4 for 3 formals; P is (x: INTEGER; y: INTEGER; READONLY z: CHAR) (11.3) *)
  P(q := 1);
  (* expect-error above: there is no formal q; the formals are x, y and z (11.3) *)
  P(1, x := 2);
  (* expect-error above: x is given twice (11.3) *)
  P(x := 1, y := 2, y := 3);
  (* expect-error above: y is given twice (11.3) *)
  P(x := 1, 2);
  (* expect-error above: positional values come before those with names; give this value a name too, or write it before the values with names (11.3) *)
  P('c');
  (* expect-error above: CHAR is not assignable to INTEGER, the type of formal x of P; write ORD('c') (8.1) *)
  P(1, 2, 3);
  (* expect-error above: INTEGER is not assignable to CHAR, the type of formal z of P; write VAL(3, CHAR) (8.1) *)
  P(y := 1, x := 2);
  V(n + 1);
  (* expect-error above: formal x of V is VAR and needs a variable; give the value to a variable first: VAR x: INTEGER := n + 1 (11.4) *)
  V(3);
  (* expect-error above: formal x of V is VAR and needs a variable; give the value to a variable first: VAR x: INTEGER := 3 (11.4) *)
  V(d);
  (* expect-error above: formal x of V is VAR and needs a variable of exactly type INTEGER, not Main.Digit; declare d as INTEGER, or give a variable of that type and copy the value back: d := x (11.4) *)
  V(a[0]);
  W(n);
  (* expect-error above: formal x of W is VAR and needs a variable of exactly type Main.Digit, not INTEGER; declare n as Digit, or give a variable of that type and copy the value back: n := x (11.4) *)
  W(bits.a);
  (* expect-error above: formal x of W is VAR and needs a variable of exactly type Main.Digit, not BITS 4 FOR Main.Digit; declare bits.a as Digit, or give a variable of that type and copy the value back: bits.a := x (11.4) *)
  F(a); F(s);
  F(x);
  (* expect-error above: formal x of F is VAR and needs a variable of exactly type ARRAY [0..3] OF INTEGER, not ARRAY [0..4] OF INTEGER; the lengths differ: expected 4, found 5; SUBARRAY(x, 0, n) := SUBARRAY(y, 0, n) copies n elements (11.4) *)
  F(SUBARRAY(x, 0, 4));
  O(a); O(x); O(chars);
  (* expect-error above: ARRAY [0..3] OF CHAR is not assignable to ARRAY OF INTEGER, the type of formal x of O; arrays need elements of the same type, and CHAR and INTEGER are different types; assign each element (8.1) *)
  n(3);
  (* expect-error above: INTEGER cannot be called; n is a value of type INTEGER, not a procedure (11.5) *)
  Digit(3);
  (* expect-error above: type Main.Digit cannot be called; no conversion is needed: write 3 (11.5) *)
  Main.P(3);
  (* expect-error above: Main is not declared; names of the unit itself are written without Main. (3.1) *)
  n.x(3);
  (* expect-error above: a value of type INTEGER has no members; operations on it are procedures: write P(n) (15.3) *)
END Main.
