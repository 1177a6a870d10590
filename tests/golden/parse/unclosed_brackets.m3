(* golden: parse *)
MODULE Main;
VAR x: INTEGER; a: ARRAY [0..3] OF INTEGER;
PROCEDURE P(i, j: INTEGER) = BEGIN x := i + j END P;
TYPE S = [0..3; E = {red, green;
(* expect-error above: expected ']' to close '[', found ';' (2) *)
(* expect-error above: expected ',' or '}' to close '{', found ';' (2) *)
BEGIN
  P(1, 2;
  (* expect-error above: expected ',' or ')' to close '(', found ';' (2) *)
  x := a[1 2];
  (* expect-error above: expected ',' or ']' to close '[', found number 2 (2) *)
  x := (x + 1;
  (* expect-error above: expected ')' to close '(', found ';' (2) *)
END Main.
