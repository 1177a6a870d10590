(* golden: parse *)
MODULE Main;
BEGIN
END Main.
(* unit: Other.i3 *)
CLASS Other;
(* expect-error above: a unit begins with INTERFACE, MODULE, GENERIC, or UNSAFE; found identifier CLASS; a program is MODULE Main; IMPORT IO; BEGIN ... END Main. (2.1) *)
END Other.
