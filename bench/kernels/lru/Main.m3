(* A cache of objects that drops the one used least recently: a table and a doubly linked list.
   Usage: Main N, the number of requests. *)
MODULE Main;

IMPORT Fmt, IO, IntRefTbl, Params, Scan, Word;

<*FATAL ANY*>

CONST Capacity = 200000;

TYPE
  Node = REF RECORD key, value: INTEGER; next, previous: Node := NIL END;

VAR
  table := NEW(IntRefTbl.Default).init();
  first, last: Node := NIL;
  state: Word.T := 1;
  hits, sum: INTEGER := 0;

PROCEDURE Next(): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33);
  END Next;

PROCEDURE Unlink(n: Node) =
  BEGIN
    IF n.previous = NIL THEN first := n.next ELSE n.previous.next := n.next END;
    IF n.next = NIL THEN last := n.previous ELSE n.next.previous := n.previous END;
  END Unlink;

PROCEDURE PutFirst(n: Node) =
  BEGIN
    n.previous := NIL;
    n.next := first;
    IF first = NIL THEN last := n ELSE first.previous := n END;
    first := n;
  END PutFirst;

PROCEDURE Request(key: INTEGER): INTEGER =
  VAR r: REFANY;  n: Node;
  BEGIN
    IF table.get(key, r) THEN
      n := r;
      INC(hits);
      IF n # first THEN Unlink(n); PutFirst(n) END;
      RETURN n.value;
    END;
    IF table.size() = Capacity THEN
      EVAL table.delete(last.key, r);
      Unlink(last);
    END;
    n := NEW(Node, key := key, value := key * 3);
    EVAL table.put(key, n);
    PutFirst(n);
    RETURN n.value;
  END Request;

BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    (* The smaller of two numbers: some keys come more often. *)
    INC(sum, Request(MIN(Next() MOD 600000, Next() MOD 600000)));
  END;
  IO.Put(Fmt.Int(hits) & " " & Fmt.Int(sum) & "\n");
END Main.
