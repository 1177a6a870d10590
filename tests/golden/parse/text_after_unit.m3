(* golden: parse *)
MODULE Main;
BEGIN
END Main.
VAR x: INTEGER;
(* expect-error above: the unit ends before this; nothing may follow its final '.' (2.1) *)
