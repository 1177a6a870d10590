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
  (* expect-error above: CHAR is not assignable to INTEGER, the type of formal x of P (8.1) *)
  P(1, 2, 3);
  (* expect-error above: INTEGER is not assignable to CHAR, the type of formal z of P (8.1) *)
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
  (* expect-error above: ARRAY [0..3] OF CHAR is not assignable to ARRAY OF INTEGER, the type of formal x of O (8.1) *)
  n(3);
  (* expect-error above: INTEGER cannot be called (11.5) *)
  Digit(3);
  (* expect-error above: type Main.Digit cannot be called (11.5) *)
  Main.P(3);
  (* expect-error above: Main is not declared (3.1) *)
  n.x(3);
  (* expect-error above: a value of type INTEGER has no members (15.3) *)
END Main.
