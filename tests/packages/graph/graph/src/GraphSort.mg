GENERIC MODULE GraphSort(G, Node);
TYPE Color = {White, Gray, Black};
PROCEDURE Sort(g: G.T): Order RAISES {G.Cyclic} =
  VAR
    n := g.nodeCount();
    order := NEW(Order, n);
    top := n;
    color := NEW(REF ARRAY OF Color, n);
    names := NEW(REF ARRAY OF Node.T, n);
    k := 0;
  PROCEDURE Name(READONLY x: Node.T) = BEGIN names[k] := x; INC(k) END Name;
  PROCEDURE Index(READONLY x: Node.T): CARDINAL =
    BEGIN
      FOR i := 0 TO n - 1 DO IF Node.Equal(names[i], x) THEN RETURN i END END;
      <*ASSERT FALSE*>
    END Index;
  PROCEDURE Visit(READONLY x: Node.T) RAISES {G.Cyclic} =
    VAR i := Index(x);
    PROCEDURE Inner(READONLY y: Node.T) RAISES ANY = BEGIN Visit(y) END Inner;
    BEGIN
      CASE color[i] OF
      | Color.Black => RETURN
      | Color.Gray => RAISE G.Cyclic
      | Color.White =>
          color[i] := Color.Gray;
          TRY g.mapOverSucc(x, Inner) EXCEPT G.Cyclic => RAISE G.Cyclic | G.Missing => <*ASSERT FALSE*> ELSE <*ASSERT FALSE*> END;
          color[i] := Color.Black;
          DEC(top); order[top] := i
      END
    END Visit;
  BEGIN
    FOR i := 0 TO n-1 DO color[i] := Color.White END;
    TRY g.mapOverNodes(Name) EXCEPT ELSE END;
    FOR i := 0 TO n-1 DO Visit(names[i]) END;
    RETURN order
  END Sort;
BEGIN END GraphSort.
