MODULE Emit;
IMPORT AST, ASTF, ASTNames, SeqOfNode, Wr, Fmt, Thread, Err, Text;
FROM ASTF IMPORT Op;
CONST OpText = ARRAY Op OF TEXT{"+", "-", "*", ":="};
PROCEDURE Tree(n: AST.NODE; wr: Wr.T; indent: INTEGER := 0) RAISES {Wr.Failure, Thread.Alerted} =
  PROCEDURE P(READONLY t: TEXT) RAISES {Wr.Failure, Thread.Alerted} = BEGIN Wr.PutText(wr, t) END P;
  PROCEDURE NL() RAISES {Wr.Failure, Thread.Alerted} =
    BEGIN P(Wr.EOL); FOR i := 1 TO indent DO Wr.PutChar(wr, ' ') END END NL;
  VAR s: SeqOfNode.T;
  BEGIN
    TYPECASE n OF
    | NULL => P("nil"); Err.Report(NEW(AST.Leaf, lx_srcpos := 5000), t := ARRAY OF TEXT{"missing ", "node"});
    | AST.Leaf(l) => IF l.name # NIL AND NOT Text.Empty(l.name) THEN P(l.name) ELSE P(Fmt.Int(l.val)) END
    | AST.Binary(b) =>
      P("("); Tree(b.left, wr, indent + 2); P(" " & OpText[b.op] & " "); Tree(b.right, wr, indent := indent + 2); P(")")
    | AST.Call(c) =>
      Tree(c.callee, wr); P("/" & Fmt.Int(c.arity()) & "(");
      s := c.stms;
      LOOP
        IF s = NIL THEN EXIT END;
        Tree(s.elem, wr, indent); s := s.next;
        IF s # NIL THEN P(", ") END
      END;
      P(")")
    | AST.Block(bl) =>
      P(ASTNames.Name(n)); s := bl.stms; INC(indent, 2);
      WHILE s # NIL DO NL(); Tree(s.elem, wr, indent); s := s.next END
    ELSE P(ASTNames.Name(n))
    END
  END Tree;
BEGIN END Emit.
