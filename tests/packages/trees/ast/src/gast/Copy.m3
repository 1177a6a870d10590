MODULE Copy;
IMPORT AST, ASTF, SeqOfNode;
PROCEDURE Tree(n: AST.NODE): AST.NODE =
  PROCEDURE Seq(s: SeqOfNode.T): SeqOfNode.T =
    VAR r: SeqOfNode.T := NIL;
    BEGIN WHILE s # NIL DO SeqOfNode.AddRear(r, Tree(s.elem)); s := s.next END; RETURN r END Seq;
  BEGIN
    IF n = NIL THEN RETURN NIL END;
    CASE AST.ClassOf(n) OF
    | AST.Class.Binary =>
        WITH b = NARROW(n, AST.Binary) DO RETURN NEW(AST.Binary, left := Tree(b.left), right := Tree(b.right), op := b.op, lx_srcpos := b.lx_srcpos) END
    | AST.Class.Leaf => VAR l: AST.Leaf := n; BEGIN RETURN NEW(AST.Leaf, name := l.name, val := l.val) END
    | AST.Class.Block => RETURN NEW(AST.Block, stms := Seq(NARROW(n, AST.Block).stms))
    | AST.Class.Call => VAR c := NARROW(n, AST.Call); BEGIN RETURN NEW(AST.Call, stms := Seq(c.stms), callee := Tree(c.callee)) END
    | AST.Class.Unknown => <*ASSERT FALSE*>
    END
  END Tree;
BEGIN
  <*ASSERT ASTF.Op.Plus < ASTF.Op.Minus *>
END Copy.
