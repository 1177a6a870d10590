(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
PROCEDURE P() =
  BEGIN
    x := 1;

BEGIN
  P();
END Main.
(* expect-error above: expected END of procedure P, found END Main (2.2) *)
