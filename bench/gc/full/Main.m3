(* How long does a full collection of a large live heap take? `full [MEGABYTES]` prints the least
   time of several. *)
MODULE Main;

IMPORT Fmt, IO, Params, RTCollector, Scan, Time;

<*FATAL ANY*>

CONST
  Megabyte = 1024 * 1024;
  NodeBytes = 48;  (* with its header *)
  Leaves = 256;
  Rounds = 4;

TYPE
  Node = REF RECORD left, right, link: Node; a, b: INTEGER END;
  Graph = REF ARRAY OF Node;

PROCEDURE Tree(nodes: INTEGER): Node =
  VAR half: INTEGER;
  BEGIN
    IF nodes <= 0 THEN RETURN NIL END;
    half := (nodes - 1) DIV 2;
    RETURN NEW(Node, left := Tree(half), right := Tree(nodes - 1 - half), a := nodes);
  END Tree;

VAR
  graph: Graph;
  megabytes := 1000;
  start: Time.T;
  least := LAST(Time.T);
BEGIN
  IF Params.Count > 1 THEN megabytes := Scan.Int(Params.Get(1)) END;
  graph := NEW(Graph, megabytes * Megabyte DIV NodeBytes DIV Leaves);
  FOR i := 0 TO LAST(graph^) DO graph[i] := Tree(Leaves) END;
  FOR round := 1 TO Rounds DO
    start := Time.Now();
    RTCollector.Collect();
    least := MIN(least, Time.Now() - start);
  END;
  IO.Put(Fmt.LongReal(least * 1.0d3, Fmt.Style.Fix, 0) & " ms\n");
END Main.
