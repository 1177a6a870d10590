(* golden: parse *)
MODULE Main;
CONST One = 1
(* expect-error above: expected ';' after the constant (2.2) *)
      Two = 2;
TYPE R = RECORD a: INTEGER b: CHAR END;
(* expect-error above: expected ';' after the field (2.4) *)
VAR x: INTEGER
(* expect-error above: expected ';' after the variable (2.2) *)
PROCEDURE P() =
  BEGIN
    x := One
    (* expect-error above: expected ';' after the statement (2.3) *)
    x := Two
  END P
(* expect-error above: expected ';' after the procedure's body (2.2) *)
BEGIN
  P();
END Main.
