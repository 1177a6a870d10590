(* golden: check *)
MODULE Main;
BEGIN
END Main.
(* unit: Second.m3 *)
MODULE Second EXPORTS Main;
(* expect-error above: a second module exports Main (22.1) *)
BEGIN
END Second.
