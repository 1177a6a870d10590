GENERIC MODULE Graph(Node, Edge);

IMPORT Wr, Thread, Text, Fmt;

REVEAL
  Private = MUTEX BRANDED Brand & "Private" OBJECT
    undirected := FALSE;
    nodes: REF ARRAY OF NodeRep := NIL;
    n: CARDINAL := 0;
  END;
  T = Public BRANDED Brand OBJECT
    <*UNUSED*> stamp: INTEGER := 0;
  METHODS
    find(READONLY n: Node.T): [-1 .. LAST(INTEGER)] := Find;
  OVERRIDES
    init := Init;
    nodeCount := NodeCount;
    addNode := AddNode;
    containsNode := ContainsNode;
    addEdge := AddEdge;
    getEdge := GetEdge;
    mapOverNodes := MapOverNodes;
    mapOverSucc := MapOverSucc;
    printAsMatrix := PrintAsMatrix;
    iterate := Iterate;
  END;
  Iterator = PublicIterator BRANDED Brand & "Iterator" OBJECT
    g: T;
    i := 0;
  OVERRIDES
    next := Next;
  END;

TYPE
  EdgeList = REF RECORD
    to: CARDINAL;
    value: Edge.T;
    next: EdgeList;
  END;
  NodeRep = RECORD
    value: Node.T;
    edges: EdgeList := NIL;
  END;

PROCEDURE Init(self: T; undirected: BOOLEAN; sizeHint: CARDINAL): T =
  BEGIN
    self.undirected := undirected;
    self.n := 0;
    self.nodes := NEW(REF ARRAY OF NodeRep, MAX(sizeHint, 1));
    RETURN self;
  END Init;

PROCEDURE NodeCount(self: T): CARDINAL =
  BEGIN LOCK self DO RETURN self.n END END NodeCount;

PROCEDURE Find(self: T; READONLY n: Node.T): [-1 .. LAST(INTEGER)] =
  BEGIN
    FOR i := 0 TO self.n - 1 DO
      WITH rep = self.nodes[i] DO
        IF Node.Equal(rep.value, n) THEN RETURN i END;
      END;
    END;
    RETURN -1;
  END Find;

PROCEDURE AddNode(self: T; READONLY n: Node.T) RAISES {Duplicate} =
  BEGIN
    LOCK self DO
      IF self.find(n) >= 0 THEN RAISE Duplicate END;
      IF self.n > LAST(self.nodes^) THEN
        WITH new = NEW(REF ARRAY OF NodeRep, 2 * NUMBER(self.nodes^)) DO
          SUBARRAY(new^, 0, NUMBER(self.nodes^)) := self.nodes^;
          self.nodes := new;
        END;
      END;
      self.nodes[self.n] := NodeRep{value := n};
      INC(self.n);
    END;
  END AddNode;

PROCEDURE ContainsNode(self: T; READONLY n: Node.T): BOOLEAN =
  BEGIN
    LOCK self DO RETURN self.find(n) # -1 END;
  END ContainsNode;

PROCEDURE AddEdge(self: T; READONLY n1, n2: Node.T; e: Edge.T; addNodes: BOOLEAN)
  RAISES {Missing, Duplicate} =
  VAR i, j: INTEGER;
  PROCEDURE Sure(READONLY n: Node.T): INTEGER RAISES {Missing} =
    <*FATAL Duplicate*>
    VAR k := self.find(n);
    BEGIN
      IF k < 0 THEN
        IF NOT addNodes THEN RAISE Missing(n) END;
        self.addNode(n);
        k := self.n - 1;
      END;
      RETURN k;
    END Sure;
  PROCEDURE Link(a, b: INTEGER) RAISES {Duplicate} =
    VAR p := self.nodes[a].edges;
    BEGIN
      WHILE p # NIL DO
        IF p.to = b THEN RAISE Duplicate END;
        p := p.next;
      END;
      WITH list = self.nodes[a].edges DO
        list := NEW(EdgeList, to := b, value := e, next := list);
      END;
    END Link;
  BEGIN
    i := Sure(n1); j := Sure(n2);
    Link(i, j);
    IF self.undirected AND i # j THEN Link(j, i) END;
  END AddEdge;

PROCEDURE GetEdge(self: T; READONLY n1, n2: Node.T; VAR e: Edge.T): BOOLEAN RAISES {Missing} =
  VAR i := self.find(n1); j := self.find(n2); p: EdgeList;
  BEGIN
    IF i < 0 THEN RAISE Missing(n1) END;
    IF j < 0 THEN RAISE Missing(n2) END;
    p := self.nodes[i].edges;
    LOOP
      IF p = NIL THEN EXIT END;
      IF p.to = j THEN e := p.value; RETURN TRUE END;
      p := p.next;
    END;
    RETURN FALSE;
  END GetEdge;

PROCEDURE MapOverNodes(self: T; m: NodeMapProc) RAISES ANY =
  BEGIN
    FOR i := FIRST(self.nodes^) TO self.n-1 DO m(self.nodes[i].value) END
  END MapOverNodes;

PROCEDURE MapOverSucc(self: T; READONLY n: Node.T; p: NodeMapProc; <*UNUSED*> data: REFANY)
  RAISES ANY =
  VAR i := self.find(n);
  BEGIN
    IF i < 0 THEN RAISE Missing(n) END;
    VAR e := self.nodes[i].edges; BEGIN
      WHILE e # NIL DO
        p(self.nodes[e.to].value);
        e := e.next
      END
    END
  END MapOverSucc;

PROCEDURE PrintAsMatrix(self: T; wr: Wr.T; pr: PrintProc; between, colWidth: CARDINAL;
                        absentEl: TEXT) RAISES {Wr.Failure, Thread.Alerted} =
  VAR e: Edge.T; <*NOWARN*> none: Edge.T;
  BEGIN
    FOR i := 0 TO self.n - 1 DO
      FOR j := 0 TO self.n - 1 DO
        <*FATAL Missing*>
        VAR t: TEXT; BEGIN
          IF GetEdge(self, self.nodes[i].value, self.nodes[j].value, e) THEN
            t := pr(TRUE, e, colWidth);
          ELSE
            t := absentEl;
          END;
          Wr.PutText(wr, Fmt.Pad(t, colWidth));
          FOR k := 1 TO between DO Wr.PutChar(wr, ' ') END;
        END;
      END;
      Wr.PutText(wr, Wr.EOL);
    END;
    IF Text.Empty(absentEl) THEN EVAL pr(FALSE, none, 0) END;
  END PrintAsMatrix;

PROCEDURE Iterate(self: T): Iterator =
  BEGIN RETURN NEW(Iterator, g := self) END Iterate;

PROCEDURE Next(it: Iterator; VAR n: Node.T; VAR succ: CARDINAL): BOOLEAN =
  VAR e: EdgeList;
  BEGIN
    IF it.i >= it.g.n THEN RETURN FALSE END;
    n := it.g.nodes[it.i].value;
    succ := 0;
    e := it.g.nodes[it.i].edges;
    WHILE e # NIL DO INC(succ); e := e.next; END;
    INC(it.i);
    RETURN TRUE;
  END Next;

PROCEDURE Equal(a, b: T): BOOLEAN = BEGIN RETURN a = b END Equal;

BEGIN
  <*ASSERT NOT Comparable*>
END Graph.
