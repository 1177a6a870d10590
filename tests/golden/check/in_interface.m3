(* golden: check *)
MODULE Main;
IMPORT I;
BEGIN
  I.v := 1;
END Main.
(* unit: I.i3 *)
INTERFACE I;
VAR v: INTEGER := F();
(* expect-error above: the initial value of an interface's variable must be constant (19.7) *)
VAR w: [0..9] := 11;
(* expect-error above: w is not a member of [0..9]; the values are 0..9 (8.4) *)
<*EXTERNAL*> VAR x: INTEGER := 1;
(* expect-error above: x is EXTERNAL and cannot have an initial value (26) *)
PROCEDURE F(): INTEGER;
PROCEDURE G() = BEGIN END G;
(* expect-error above: G is in an interface and cannot have a body; end the heading with ';', and write the body in MODULE I (3.6) *)
END I.
(* unit: I.m3 *)
MODULE I;
PROCEDURE F(): INTEGER = BEGIN RETURN 1 END F;
BEGIN
END I.
