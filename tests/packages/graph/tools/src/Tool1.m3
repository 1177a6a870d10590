MODULE Tool1 EXPORTS Main;
IMPORT IntGraph, TopSort, TextList, Stdio, Wr, Fmt, Thread, AtomIntGraph, Atom, Apple, Bear, IntGraphRep;
<*FATAL Wr.Failure, Thread.Alerted, IntGraph.Duplicate, IntGraph.Missing *>
VAR g := NEW(IntGraph.T).init(); l: TextList.T; ag := NEW(AtomIntGraph.T).init(undirected := TRUE);
    note: IntGraphRep.Note;
PROCEDURE Pr(<*UNUSED*> ex: BOOLEAN; e: REAL; w: CARDINAL): TEXT =
  BEGIN RETURN Fmt.Pad(Fmt.Real(e, Fmt.Style.Fix, 1), w) END Pr;
PROCEDURE PrI(ex: BOOLEAN; e: INTEGER; w: CARDINAL): TEXT =
  BEGIN IF ex THEN RETURN Fmt.Pad(Fmt.Int(e), w, '0') ELSE RETURN "" END END PrI;
BEGIN
  g.addEdge(1, 2, 1.0); g.addEdge(2, 3, 2.5); g.addEdge(1, 3, 0.5); g.addEdge(4, 1, 1.0e1);
  g.printAsMatrix(Stdio.stdout, Pr);
  TRY l := TopSort.Do(g) EXCEPT IntGraph.Cyclic => Wr.PutText(Stdio.stderr, "cyclic\n") END;
  WHILE l # NIL DO Wr.PutText(Stdio.stdout, l.head & "\n"); l := l.tail END;
  TRY
    ag.addEdge(Atom.FromText(Apple.Value), Atom.FromText(Bear.Value), 7);
    ag.addEdge(Atom.FromText(Apple.Value), Atom.FromText(Bear.Value), 8);
  EXCEPT
  | AtomIntGraph.Missing(a) => Wr.PutText(Stdio.stdout, "missing " & Atom.ToText(a) & "\n")
  | AtomIntGraph.Duplicate => Wr.PutText(Stdio.stdout, "duplicate\n")
  END;
  ag.printAsMatrix(Stdio.stdout, PrI, colWidth := 3, absentEl := "");
  TRY g.addEdge(3, 1, 0.0); EVAL TopSort.Do(g) EXCEPT IntGraph.Cyclic => Wr.PutText(Stdio.stdout, "cyclic\n") END;
  note := NEW(IntGraphRep.Note, node := 3, edge := 1.5, graph := g);
  VAR it := g.iterate(); n: INTEGER; s: CARDINAL; BEGIN
    WHILE it.next(n, s) DO Wr.PutText(Stdio.stdout, Fmt.F("%s has %s\n", Fmt.Int(n), Fmt.Int(s))) END
  END;
  Wr.Flush(Stdio.stdout);
END Tool1.
