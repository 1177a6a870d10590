MODULE ASTNames;
IMPORT AST, RTTypeSRC, RTType, IntTextTbl, Fmt;
VAR tbl: IntTextTbl.T; 
PROCEDURE Name(n: AST.NODE): TEXT =
  VAR t: TEXT;
  BEGIN
    IF tbl.get(ORD(AST.ClassOf(n)), t) THEN RETURN t ELSE RETURN "?" & Fmt.Bool(RTType.IsSubtype(TYPECODE(n), TYPECODE(AST.NODE))) & RTTypeSRC.TypeName(n) END
  END Name;
PROCEDURE Add(READONLY a: ARRAY OF TEXT) =
  BEGIN FOR i := 0 TO LAST(a) DO WITH there = tbl.put(i, a[i]) DO <*ASSERT NOT there*> END END END Add;
BEGIN
  tbl := NEW(IntTextTbl.Default).init(NUMBER(AST.Class));
  Add(ARRAY AST.Class OF TEXT{"binary", "leaf", "block", "call", "unknown"});
END ASTNames.
