(* golden: check *)
MODULE Main EXPORTS Main, Left, Right, Left;
(* expect-error above: two interfaces that Main exports both declare Both (20.9) *)
(* expect-error above: module Main lacks PROCEDURE Nobody, which interface Right declares; write PROCEDURE Nobody() = BEGIN ... END Nobody; in it (11.1) *)
(* expect-error above: Left is exported twice (20.8) *)
VAR x := 1;
(* expect-error above: x is already declared in an interface that this module exports; the module sees it: take this declaration away (20.9) *)
PROCEDURE P(n: CARDINAL) =
(* expect-error above: the signature is not covered by that of Left.P; formal 1 differs: expected n: INTEGER, found n: CARDINAL (20.10) *)
  BEGIN
    x := n;
  END P;
PROCEDURE Outside() =
(* expect-error above: Outside is EXTERNAL: its body is outside of the program (26) *)
  BEGIN
  END Outside;
BEGIN
  P(1);
END Main.
(* unit: Left.i3 *)
INTERFACE Left;
VAR x: INTEGER;
PROCEDURE P(n: INTEGER);
<*EXTERNAL*> PROCEDURE Outside();
CONST Both = 1;
END Left.
(* unit: Right.i3 *)
INTERFACE Right;
CONST Both = 2;
PROCEDURE Nobody();
END Right.
(* unit: User.m3 *)
MODULE User;
IMPORT Right;
BEGIN
  Right.Nobody();
END User.
(* unit: User.i3 *)
INTERFACE User;
END User.
