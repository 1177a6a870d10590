(* golden: parse *)
MODULE Main;
BEGIN
END Main.
(* unit: Other.i3 *)
PROGRAM Other;
(* expect-error above: a unit begins with INTERFACE, MODULE, GENERIC, or UNSAFE; found *)
END Other.
