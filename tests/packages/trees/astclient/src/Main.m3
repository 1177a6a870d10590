MODULE Main EXPORTS Main;
IMPORT AST, ASTF, ASTWalk, Visit, Copy, Emit, SeqOfNode, Stdio, Wr, Fmt, Thread, Err, RTTypeSRC;
<*FATAL Thread.Alerted, Wr.Failure*>
TYPE Counter = ASTWalk.T OBJECT n: ARRAY AST.Class OF INTEGER := ARRAY AST.Class OF INTEGER{0, ..}; limit := LAST(INTEGER) OVERRIDES visit := CountIt END;
  MyLeaf = AST.Leaf OBJECT extra := 7 METHODS twice(): INTEGER := Twice END;
  H = Err.Handler OBJECT seen := 0 OVERRIDES handle := Handle END;
PROCEDURE Handle(h: H; <*UNUSED*> n: AST.NODE; s: Err.Severity; m: TEXT): BOOLEAN = BEGIN INC(h.seen); Wr.PutText(Stdio.stdout, "<" & m & ">"); RETURN s < Err.Severity.Fatal END Handle;
PROCEDURE Twice(l: MyLeaf): INTEGER = BEGIN RETURN 2 * l.extra END Twice;
PROCEDURE CountIt(c: Counter; n: AST.NODE; <*UNUSED*>m: Visit.Mode) RAISES {Visit.Aborted} =
  BEGIN WITH k = c.n[AST.ClassOf(n)] DO INC(k); IF k > c.limit THEN RAISE Visit.Aborted END END END CountIt;
VAR
  blk := NEW(AST.Block); a := NEW(AST.Leaf, name := "a", lx_srcpos := 1001);
  c := NEW(AST.Call, callee := NEW(AST.Leaf, name := "f")); cnt := NEW(Counter); calls := 0;
  h: H;
PROCEDURE Each(<*UNUSED*> n: AST.NODE; m: Visit.Mode) = BEGIN IF m = Visit.Mode.Exit THEN INC(calls) END END Each;
PROCEDURE Main() RAISES {Visit.Aborted} =
  VAR b := NEW(AST.Binary, op := ASTF.Op.Assign, left := a, right := NEW(MyLeaf, val := 5));
  <*FATAL ANY*>
  BEGIN
    SeqOfNode.AddRear(blk.stms, b); SeqOfNode.AddRear(c.stms, a); SeqOfNode.AddRear(c.stms, NEW(AST.Binary)); SeqOfNode.AddFront(blk.stms, c);
    h := NEW(H); 
    Emit.Tree(blk, Stdio.stdout); Wr.PutText(Stdio.stdout, "\n");
    Err.Push(h);
    Emit.Tree(Copy.Tree(blk), Stdio.stdout); Wr.PutText(Stdio.stdout, "\n");
    ASTWalk.Nodes(blk, cnt);
    FOR cl := FIRST(AST.Class) TO LAST(AST.Class) DO Wr.PutText(Stdio.stdout, Fmt.Int(cnt.n[cl]) & " ") END;
    ASTWalk.Apply(blk, Each);
    Wr.PutText(Stdio.stdout, Fmt.Int(calls) & " " & Fmt.Int(NARROW(b.right, MyLeaf).twice()) & RTTypeSRC.TypeName(b.right) & Fmt.Int(Err.Count(Err.Severity.Error)) & "\n");
    cnt.limit := 2;
    ASTWalk.Nodes(blk, cnt);
  END Main;
BEGIN
  TRY Main() EXCEPT Visit.Aborted => Wr.PutText(Stdio.stdout, "aborted\n") END;
  Wr.Flush(Stdio.stdout)
END Main.
