INTERFACE TopSort;
IMPORT IntGraph, TextList;
PROCEDURE Do(g: IntGraph.T): TextList.T RAISES {IntGraph.Cyclic};
(* LL = g; result in reverse *)
END TopSort.
