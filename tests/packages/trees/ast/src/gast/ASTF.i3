INTERFACE ASTF;
IMPORT AST, SeqOfNode, ASTNode_L;
REVEAL AST.NODE <: ASTNode_L.Public;
TYPE
  Op = {Plus, Minus, Times, Assign};
  BinaryPublic = AST.NODE OBJECT left, right: AST.NODE := NIL; op := Op.Plus END;
  LeafPublic = AST.NODE OBJECT name: TEXT := NIL; val: INTEGER := 0 END;
  BlockPublic = AST.NODE OBJECT stms: SeqOfNode.T := SeqOfNode.Null END;
  CallPublic = BlockPublic OBJECT callee: AST.NODE METHODS arity(): CARDINAL END;

REVEAL
  AST.Binary <: BinaryPublic;
  AST.Leaf <: LeafPublic;
  AST.Block <: BlockPublic;
  AST.Call <: CallPublic;
END ASTF.
