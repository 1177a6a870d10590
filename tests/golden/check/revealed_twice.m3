(* golden: check *)
MODULE Main;
IMPORT Pen;
REVEAL Pen.T = BRANDED "a" OBJECT END;
VAR t: Pen.T;
BEGIN
  t := NIL;
END Main.
(* unit: Pen.i3 *)
INTERFACE Pen;
TYPE T <: ROOT;
REVEAL T = BRANDED "b" OBJECT END;
(* expect-error above: Pen.T is revealed twice (9.1) *)
END Pen.
