(* Makes binary trees and counts their nodes. Usage: Main N, the depth of the largest. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

TYPE Node = REF RECORD left, right: Node := NIL END;

PROCEDURE Make(depth: CARDINAL): Node =
  BEGIN
    IF depth = 0 THEN RETURN NEW(Node) END;
    RETURN NEW(Node, left := Make(depth - 1), right := Make(depth - 1));
  END Make;

PROCEDURE Count(n: Node): CARDINAL =
  BEGIN
    IF n.left = NIL THEN RETURN 1 END;
    RETURN 1 + Count(n.left) + Count(n.right);
  END Count;

VAR n := Scan.Int(Params.Get(1));  long := Make(n);  depth := 4;  sum: INTEGER;  times: INTEGER;
BEGIN
  WHILE depth <= n DO
    times := 1;
    FOR i := depth TO n + 3 DO times := times * 2 END;
    sum := 0;
    FOR i := 1 TO times DO INC(sum, Count(Make(depth))) END;
    IO.Put(Fmt.Int(depth) & " " & Fmt.Int(sum) & "\n");
    INC(depth, 2);
  END;
  IO.Put(Fmt.Int(Count(long)) & "\n");
END Main.
