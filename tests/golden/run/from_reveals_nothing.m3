(* golden: run, -w *)
(* FROM I IMPORT x brings the name and no revelation; IMPORT I, beside it or alone, does, and so does EXPORTS (language.md 9.6, 9.7, 29.53). *)
INTERFACE Shapes;
TYPE
  Top = OBJECT n: INTEGER := 10 END;
  Mid <: Top;
REVEAL Mid = Top BRANDED "Shapes.Mid" OBJECT n: INTEGER := 20 END;
TYPE Leaf = Mid OBJECT k: INTEGER := 30 END;
PROCEDURE ByFrom(l: Leaf): INTEGER;
END Shapes.

(* unit: Outer.m3 *)
MODULE Outer EXPORTS Shapes;
PROCEDURE ByFrom(l: Leaf): INTEGER = BEGIN RETURN l.n END ByFrom;
BEGIN END Outer.

(* unit: Inner.i3 *)
INTERFACE Inner;
PROCEDURE N(): INTEGER;
END Inner.

(* unit: Inner.m3 *)
MODULE Inner;
IMPORT Shapes;
FROM Shapes IMPORT Leaf;
PROCEDURE N(): INTEGER = BEGIN RETURN NEW(Leaf).n + Shapes.ByFrom(NEW(Leaf)) END N;
BEGIN END Inner.

(* unit: Main.m3 *)
MODULE Main;
IMPORT IO, Inner;
FROM Shapes IMPORT Leaf, ByFrom;
VAR v := NEW(Leaf);
BEGIN
  IO.PutInt(v.n); IO.Put(" "); IO.PutInt(v.k); IO.Put(" "); IO.PutInt(ByFrom(v)); IO.Put(" "); IO.PutInt(Inner.N()); IO.Put("\n");
END Main.
(* expect: 10 30 20 40 *)
