(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
PROCEDURE P() =
(* expect-error above: expected END of procedure P, found BEGIN (2.2) *)
  BEGIN
    x := 1;

BEGIN
  P();
END Main.
