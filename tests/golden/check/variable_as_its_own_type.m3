(* golden: check *)
(* A variable in its own type, whose referent is not known there (language.md 3.8, 6.1). *)
MODULE Main;
VAR a: REF a;
(* expect-error above: a is not a type; a is a variable (3.8) *)
VAR b: REF RECORD next: c END;
(* expect-error above: c is not a type; c is a variable (3.8) *)
VAR c: REF RECORD next: INTEGER END;
BEGIN
END Main.
