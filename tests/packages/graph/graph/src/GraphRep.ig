GENERIC INTERFACE GraphRep(G, Node, Edge);
IMPORT IntSeq;
TYPE Note = OBJECT node: Node.T; edge: Edge.T; graph: G.T; path: IntSeq.T END;
END GraphRep.
