MODULE AST EXPORTS AST, ASTF, ASTNode_L;
IMPORT SeqOfNode;
REVEAL
  NODE = Public BRANDED Brand OBJECT OVERRIDES init := Init; dup := Dup END;
  Binary = BinaryPublic BRANDED "AST.Binary" OBJECT END;
  Leaf = LeafPublic BRANDED "AST.Leaf" OBJECT END;
  Block = BlockPublic BRANDED "AST.Block" OBJECT END;
  Call = CallPublic BRANDED "AST.Call" OBJECT OVERRIDES arity := Arity END;
PROCEDURE Init(n: NODE; p: SrcPos): Public = BEGIN n.lx_srcpos := p; RETURN n END Init;
PROCEDURE Dup(n: NODE): Public = BEGIN RETURN n END Dup;
PROCEDURE Arity(c: Call): CARDINAL = BEGIN RETURN SeqOfNode.Length(c.stms) END Arity;
PROCEDURE ClassOf(n: NODE): Class =
  BEGIN
    TYPECASE n OF
    | Binary => RETURN Class.Binary | Leaf => RETURN Class.Leaf | Call => RETURN Class.Call | Block => RETURN Class.Block
    ELSE RETURN Class.Unknown END
  END ClassOf;
PROCEDURE Equal(a, b: NODE): BOOLEAN = BEGIN RETURN a = b END Equal;
BEGIN END AST.
