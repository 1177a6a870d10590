INTERFACE ASTWalk;
IMPORT AST, Visit;
TYPE T <: Public; Public = OBJECT METHODS visit(n: AST.NODE; m: Visit.Mode) RAISES {Visit.Aborted} END;
PROCEDURE Nodes(n: AST.NODE; vc: T; modes := Visit.EntryOnly) RAISES {Visit.Aborted};
PROCEDURE Apply(n: AST.NODE; p: Visit.Proc) RAISES ANY;
END ASTWalk.
