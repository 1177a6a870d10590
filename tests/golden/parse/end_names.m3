(* golden: parse *)
MODULE Main;
PROCEDURE First() =
  BEGIN
  END Second;
  (* expect-error above: END Second does not match procedure First (2.2) *)
PROCEDURE Third() =
  BEGIN
  END;
  (* expect-error above: expected procedure name Third, found ';' (2.2) *)
BEGIN
  First(); Third();
END Mane.
(* expect-error above: END Mane does not match module Main (2.2) *)
