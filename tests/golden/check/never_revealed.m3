(* golden: check *)
MODULE Main;
IMPORT Pen;
VAR t: Pen.T;
BEGIN
  t := NIL;
END Main.
(* unit: Pen.i3 *)
INTERFACE Pen;
TYPE T <: ROOT;
(* expect-error above: the program has no revelation of Pen.T; a module reveals it: REVEAL T = BRANDED ... (9.1) *)
END Pen.
