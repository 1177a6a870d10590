INTERFACE ASTNode_L;
TYPE
  SrcPos = CARDINAL;
  Public = OBJECT lx_srcpos: SrcPos := 0; attr: REFANY := NIL METHODS init(p: SrcPos): Public; dup(): Public END;
END ASTNode_L.
