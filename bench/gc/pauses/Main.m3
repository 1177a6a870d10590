(* How long are the pauses with a large live graph that is changed all the time?

     pauses [MEGABYTES [DISPLACED [DIR]]]

   MEGABYTES of live nodes, 1000 if not given. A step replaces a subtree of the graph by a new
   one, or links two old nodes, and makes some garbage. If DISPLACED is not 0, a database in DIR
   is opened first, and DISPLACED old nodes are committed: they stay displaced until a collection
   of the old generation moves them to their homes. *)
MODULE Main;

IMPORT Database, Fmt, IO, Params, Process, Random, Scan, Transaction;

<*FATAL ANY*>

CONST
  Megabyte = 1024 * 1024;
  NodeBytes = 48;       (* with its header *)
  Leaves = 256;         (* approximate number of nodes of a subtree *)
  Steps = 400000;

TYPE
  Node = REF RECORD left, right, link: Node; a, b: INTEGER END;
  Graph = REF ARRAY OF Node;
  Roots = REF RECORD nodes: Graph END;

VAR random := NEW(Random.Default).init(TRUE);

PROCEDURE Tree(nodes: INTEGER): Node =
  VAR half: INTEGER;
  BEGIN
    IF nodes <= 0 THEN RETURN NIL END;
    half := (nodes - 1) DIV 2;
    RETURN NEW(Node, left := Tree(half), right := Tree(nodes - 1 - half), a := nodes);
  END Tree;

PROCEDURE Number(i, default: INTEGER): INTEGER =
  BEGIN
    IF Params.Count <= i THEN RETURN default END;
    RETURN Scan.Int(Params.Get(i));
  END Number;

PROCEDURE Build(count: INTEGER): Graph =
  VAR graph := NEW(Graph, count);
  BEGIN
    FOR i := 0 TO LAST(graph^) DO graph[i] := Tree(Leaves) END;
    RETURN graph;
  END Build;

PROCEDURE Change(graph: Graph; steps: INTEGER): INTEGER =
  VAR n, m, garbage: Node;  sum := 0;
  BEGIN
    FOR step := 1 TO steps DO
      m := graph[random.integer(0, LAST(graph^))];
      n := graph[random.integer(0, LAST(graph^))];
      IF step MOD 16 = 0 THEN
        m.left := Tree(m.left.a);
      ELSE
        n.link := m.right;
        m.right.link := NEW(Node, a := step);
      END;
      garbage := Tree(32);
      INC(sum, garbage.a);
    END;
    RETURN sum;
  END Change;

(* The nodes are old when they are committed, so they are displaced. *)
PROCEDURE Displace(count: INTEGER; dir: TEXT) =
  VAR db: Database.T;  tr := NEW(Transaction.T);  roots := NEW(Roots);
  BEGIN
    Database.Create(dir);
    db := Database.Open(dir);
    tr.begin();
    roots.nodes := Build(count DIV Leaves);
    EVAL Change(roots.nodes, Steps DIV 10);
    db.setRoot(roots);
    tr.commit();
  END Displace;

VAR graph: Graph;
BEGIN
  IF Params.Count > 4 OR Number(2, 0) > 0 AND Params.Count # 4 THEN
    IO.Put("usage: pauses [MEGABYTES [DISPLACED DIR]]\n");
    Process.Exit(2);
  END;
  graph := Build(Number(1, 1000) * Megabyte DIV NodeBytes DIV Leaves);
  IF Number(2, 0) > 0 THEN Displace(Number(2, 0), Params.Get(3)) END;
  IO.Put(Fmt.Int(Change(graph, Steps)) & "\n");
END Main.
