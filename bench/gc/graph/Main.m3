(* A large long-lived graph whose parts are replaced and exchanged all the time.
   bench/gc/graph.cc is its twin. *)
MODULE Main;

IMPORT IO, Word;

CONST
  Nodes = 500000;
  Steps = 6000000;

TYPE
  Part = REF RECORD a, b, c: INTEGER END;
  Node = REF RECORD part: Part; next: Node; uses := 0 END;

VAR
  nodes := NEW(REF ARRAY OF Node, Nodes);
  state := 1;
  sum := 0;

PROCEDURE Random(): INTEGER =
  BEGIN
    state := Word.And(state * 1103515245 + 12345, 16_7fffffff);
    RETURN state DIV 8 MOD Nodes;
  END Random;

PROCEDURE Change(n, m: Node; step: INTEGER) =
  VAR part: Part;
  BEGIN
    IF step MOD 3 = 0 THEN
      n.part := NEW(Part, a := step, b := n.part.a, c := n.uses);
    ELSE
      part := n.part;
      n.part := m.part;
      m.part := part;
    END;
    n.next := m;
    INC(m.uses);
  END Change;

BEGIN
  FOR i := 0 TO Nodes - 1 DO
    nodes[i] := NEW(Node, part := NEW(Part, a := i));
  END;
  FOR step := 1 TO Steps DO Change(nodes[Random()], nodes[Random()], step) END;
  FOR i := 0 TO Nodes - 1 DO
    sum := Word.And(sum * 31 + nodes[i].part.a + nodes[i].part.b + nodes[i].part.c, 16_ffffffff);
    IF nodes[i].next # NIL THEN INC(sum, nodes[i].next.uses) END;
  END;
  IO.PutInt(sum); IO.Put("\n");
END Main.
