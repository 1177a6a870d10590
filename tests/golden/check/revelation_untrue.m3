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
TYPE U = OBJECT END;
END Pen.
(* unit: PenA.i3 *)
INTERFACE PenA;
IMPORT Pen;
REVEAL Pen.T <: Pen.U;
(* expect-error above: Pen.U is not a supertype of the concrete type of Pen.T (9.9) *)
END PenA.
(* unit: PenB.i3 *)
INTERFACE PenB;
IMPORT Pen;
REVEAL Pen.T = BRANDED OBJECT x: INTEGER END;
END PenB.
