(* Trees made from the top and from the bottom beside a long-lived tree and a large array (after Ellis,
   Kovac and Boehm's GCBench). bench/gc/gcbench.cc is its twin. *)
MODULE Main;

IMPORT IO;

CONST
  Stretch = 20;
  LongLived = 18;
  ArraySize = 4000000;
  Shallowest = 4;
  Deepest = 18;

TYPE
  Node = REF RECORD left, right: Node; i, j: INTEGER END;

PROCEDURE NodesOf(depth: INTEGER): INTEGER =
  VAR n := 1;
  BEGIN
    FOR i := 0 TO depth DO n := 2 * n END;
    RETURN n - 1;
  END NodesOf;

PROCEDURE Populate(depth: INTEGER; n: Node) =
  BEGIN
    IF depth > 0 THEN
      n.left := NEW(Node);
      n.right := NEW(Node);
      Populate(depth - 1, n.left);
      Populate(depth - 1, n.right);
    END;
  END Populate;

PROCEDURE Make(depth: INTEGER): Node =
  BEGIN
    IF depth = 0 THEN RETURN NEW(Node) END;
    RETURN NEW(Node, left := Make(depth - 1), right := Make(depth - 1));
  END Make;

VAR
  n, long: Node;
  array: REF ARRAY OF LONGREAL;
BEGIN
  n := Make(Stretch);
  n := NIL;
  long := NEW(Node);
  Populate(LongLived, long);
  array := NEW(REF ARRAY OF LONGREAL, ArraySize);
  FOR i := 1 TO ArraySize DIV 2 - 1 DO array[i] := 1.0d0 / FLOAT(i, LONGREAL) END;
  FOR depth := Shallowest TO Deepest BY 2 DO
    FOR i := 1 TO 2 * NodesOf(Stretch) DIV NodesOf(depth) DO
      n := NEW(Node);
      Populate(depth, n);
      n := Make(depth);
      n := NIL;
    END;
  END;
  IF long.left # NIL AND array[1000] = 1.0d0 / 1000.0d0 THEN IO.Put("done\n") END;
END Main.
