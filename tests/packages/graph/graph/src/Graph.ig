GENERIC INTERFACE Graph(Node, Edge);

(* "Node" and "Edge" contain

|    TYPE T;
|    CONST Brand;
|    PROCEDURE Equal(a, b: T): BOOLEAN;
*)

IMPORT Wr, Thread;

CONST Brand = "(Graph " & Node.Brand & " " & Edge.Brand & ")";

EXCEPTION
  Duplicate;
  Missing(Node.T);
  Cyclic;

TYPE
  T <: Public;
  Private <: ROOT;
  Public = Private OBJECT METHODS
    <*LL.sup < SELF*>
    init(undirected: BOOLEAN := FALSE; sizeHint: CARDINAL := 5): T;
    nodeCount(): CARDINAL;
    addNode(READONLY n: Node.T) RAISES {Duplicate};
    containsNode(READONLY n: Node.T): BOOLEAN;
    addEdge(READONLY n1, n2: Node.T; e: Edge.T; addNodes := TRUE) RAISES {Missing, Duplicate};
    getEdge(READONLY n1, n2: Node.T; VAR (*OUT*) e: Edge.T): BOOLEAN RAISES {Missing};
    mapOverNodes(m: NodeMapProc) RAISES ANY;
    mapOverSucc(READONLY n: Node.T; p: NodeMapProc; data: REFANY := NIL) RAISES ANY;
    printAsMatrix(wr: Wr.T; pr: PrintProc; between: CARDINAL := 1; colWidth: CARDINAL := 5;
                  absentEl: TEXT := "-") RAISES {Wr.Failure, Thread.Alerted};
    iterate(): Iterator;
  END;

  NodeMapProc = PROCEDURE(READONLY n: Node.T) RAISES ANY;
  PrintProc = PROCEDURE(exists: BOOLEAN; e: Edge.T; width: CARDINAL): TEXT;

  Iterator <: PublicIterator;
  PublicIterator = OBJECT METHODS
    next(VAR (*OUT*) n: Node.T; VAR succ: CARDINAL): BOOLEAN;
  END;

CONST Comparable = FALSE;

PROCEDURE Equal(a, b: T): BOOLEAN;

END Graph.
