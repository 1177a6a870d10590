MODULE ASTWalk;
IMPORT AST, ASTF, SeqOfNode, Visit;
FROM Visit IMPORT Mode;
REVEAL T = Public BRANDED OBJECT depth: CARDINAL := 0 OVERRIDES visit := Default END;
TYPE ProcClosure = T OBJECT p: Visit.Proc; exc := FALSE OVERRIDES visit := CallProc END;
PROCEDURE Default(<*UNUSED*> t: T; <*UNUSED*> n: AST.NODE; <*UNUSED*> m: Visit.Mode) = BEGIN END Default;
PROCEDURE CallProc(pc: ProcClosure; n: AST.NODE; m: Mode) RAISES {Visit.Aborted} =
  BEGIN TRY pc.p(n, m) EXCEPT Visit.Aborted => RAISE Visit.Aborted ELSE pc.exc := TRUE END END CallProc;
PROCEDURE Nodes(n: AST.NODE; vc: T; modes: Visit.Modes) RAISES {Visit.Aborted} =
  VAR iter: SeqOfNode.Iter; child: AST.NODE;
  BEGIN
    IF n = NIL THEN RETURN END;
    INC(vc.depth);
    TRY
      IF Mode.Entry IN modes THEN vc.visit(n, Mode.Entry) END;
      TYPECASE n OF
      | AST.Binary(b) => Nodes(b.left, vc, modes); Nodes(b.right, vc, modes)
      | ASTF.BlockPublic(bl) =>
          TYPECASE bl OF AST.Call(c) => Nodes(c.callee, vc, modes) ELSE END;
          iter := SeqOfNode.NewIter(bl.stms);
          WHILE SeqOfNode.Next(iter, child) DO Nodes(child, vc, modes) END
      ELSE (* leaf *)
      END;
      IF Mode.Exit IN modes THEN vc.visit(n, Mode.Exit) END
    FINALLY DEC(vc.depth) END
  END Nodes;
PROCEDURE Apply(n: AST.NODE; p: Visit.Proc) RAISES ANY = BEGIN Nodes(n, NEW(ProcClosure, p := p), Visit.Both) END Apply;
BEGIN END ASTWalk.
