(* golden: parse *)
MODULE Main;
BEGIN
END Main.
(* unit: Other.i3 *)
INTERFACE Other;
CONST One = 1;
BEGIN
(* expect-error above: an interface has no statements (2.1) *)
END Other.
