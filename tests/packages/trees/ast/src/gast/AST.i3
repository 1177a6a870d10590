INTERFACE AST;
(* Opaque abstract syntax trees; each view reveals more. *)
CONST Brand = "AST.NODE";
TYPE
  NODE <: ROOT;
  T = NODE;
  Binary <: NODE; Leaf <: NODE; Block <: NODE; Call <: NODE;
  Class = {Binary, Leaf, Block, Call, Unknown};
PROCEDURE ClassOf(n: NODE): Class;
PROCEDURE Equal(a, b: NODE): BOOLEAN;
END AST.
