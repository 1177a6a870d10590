(* golden: check *)
MODULE Main;
IMPORT A;
VAR x: A.T;
BEGIN
  x := 1;
END Main.
(* unit: A.i3 *)
INTERFACE A;
IMPORT B;
TYPE T = B.T;
END A.
(* unit: B.i3 *)
INTERFACE B;
IMPORT C;
TYPE T = C.T;
END B.
(* unit: C.i3 *)
INTERFACE C;
IMPORT A;
(* expect-error above: interfaces import each other in a cycle: A -> B -> C -> A; put the declarations that both need into a third interface (20.6) *)
TYPE T = INTEGER; U = A.T;
END C.
