(* Short-lived trees of all sizes beside one that lives long (binary-trees of the Computer Language
   Benchmarks Game, depth 18). bench/gc/binary_trees.cc is its twin. *)
MODULE Main;

IMPORT IO;

CONST
  Deepest = 18;
  Shallowest = 4;

TYPE
  Tree = REF RECORD left, right: Tree END;

PROCEDURE Make(depth: INTEGER): Tree =
  BEGIN
    IF depth = 0 THEN RETURN NEW(Tree) END;
    RETURN NEW(Tree, left := Make(depth - 1), right := Make(depth - 1));
  END Make;

PROCEDURE Count(t: Tree): INTEGER =
  BEGIN
    IF t.left = NIL THEN RETURN 1 END;
    RETURN 1 + Count(t.left) + Count(t.right);
  END Count;

VAR
  total := Count(Make(Deepest + 1));
  long := Make(Deepest);
BEGIN
  FOR depth := Shallowest TO Deepest BY 2 DO
    VAR trees := 1; BEGIN
      FOR i := 1 TO Deepest - depth + Shallowest DO trees := 2 * trees END;
      FOR i := 1 TO trees DO INC(total, Count(Make(depth))) END;
    END;
  END;
  IO.PutInt(total + Count(long)); IO.Put("\n");
END Main.
