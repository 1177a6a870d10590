(* Short-lived trees of all sizes beside a long-lived one (binary-trees of the Computer Language
   Benchmarks Game, depth 18 or the argument). bench/gc/binary_trees.cc is its twin. *)
MODULE Main;

IMPORT FloatMode, IO, Lex, Params, Scan;

CONST
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

PROCEDURE Deepest(): INTEGER =
  <*FATAL Lex.Error, FloatMode.Trap*>
  BEGIN
    IF Params.Count > 1 THEN RETURN Scan.Int(Params.Get(1)) END;
    RETURN 18;
  END Deepest;

VAR
  deepest := Deepest();
  total := Count(Make(deepest + 1));
  long := Make(deepest);
BEGIN
  FOR depth := Shallowest TO deepest BY 2 DO
    VAR trees := 1;
    BEGIN
      FOR i := 1 TO deepest - depth + Shallowest DO trees := 2 * trees END;
      FOR i := 1 TO trees DO INC(total, Count(Make(depth))) END;
    END;
  END;
  IO.PutInt(total + Count(long)); IO.Put("\n");
END Main.
