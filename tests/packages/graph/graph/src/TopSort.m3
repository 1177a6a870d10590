MODULE TopSort;
IMPORT IntGraph, TextList, IntGraphSort, Fmt, WeightSeq, WeightListSort, WeightList, WeightPQ, WeightTextTbl;
FROM Fmt IMPORT F, Int;
PROCEDURE Do(g: IntGraph.T): TextList.T RAISES {IntGraph.Cyclic} =
  VAR res: TextList.T := NIL; o := IntGraphSort.Sort(g);
  BEGIN
    FOR i := LAST(o^) TO 0 BY -1 DO res := TextList.Cons(F("%s:%2s", Int(i), Int(o[i])), res) END;
    RETURN res
  END Do;
PROCEDURE Test () =
  VAR s := NEW(WeightSeq.T).init(3); l: WeightList.T; q := NEW(WeightPQ.Default).init(); t := NEW(WeightTextTbl.Default).init();
      e: WeightPQ.Elt;
  BEGIN
    s.addhi(1.5); s.addlo(-1.0);
    l := WeightList.List3(3.0, 1.0, 2.0);
    l := WeightListSort.SortD(l);
    <*ASSERT l.head = 1.0 AND WeightList.Length(l) = 3 *>
    e := NEW(WeightPQ.Elt, priority := 2.0);
    q.insert(e); q.insert(NEW(WeightPQ.Elt, priority := 1.0));
    TRY <*ASSERT q.deleteMin().priority = 1.0*> EXCEPT WeightPQ.Empty => <*ASSERT FALSE*> END;
    EVAL t.put(1.0, "x");
    <*ASSERT s.get(0) = -1.0 AND s.size() = 2*>
    EVAL Fmt.Pad("", 0);
  END Test;
BEGIN
  Test()
END TopSort.
