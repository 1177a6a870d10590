(* golden: persist, with lib/Store, lib/Check *)
(* Every kind of write in a read-only transaction raises ReadOnly, and nothing of the write stays. *)
MODULE Main;

IMPORT Check, Database, Rd, RTCollector, Store, Text, TextRd, Transaction;

<*FATAL ANY*>

CONST Long = 20000;

TYPE
  Node = REF RECORD n: INTEGER; <*TRANSIENT*> seen := FALSE; next: Node := NIL END;
  Numbers = REF ARRAY OF INTEGER;
  Chars = REF ARRAY OF CHAR;
  Root = REF RECORD node: Node; numbers: Numbers; chars: Chars; name: TEXT END;
  Writer = Transaction.Closure OBJECT
      what: INTEGER;
      after := FALSE;  (* apply went on after the write *)
      times := 0;
    OVERRIDES
      apply := Write;
    END;

VAR
  db: Database.T := Store.Open();
  tr, reader, child, grandchild := NEW(Transaction.T);
  root: Root;
  zeros: Numbers := NEW(Numbers, Long);

(* How many ways to write there are. *)
CONST Ways = 11;

PROCEDURE WriteOne(what: INTEGER) =
  BEGIN
    CASE what OF
    | 1 => root.node.n := -1;
    | 2 => INC(root.node.next.n);
    | 3 => root.numbers[0] := -1;
    | 4 => root.numbers[Long - 1] := -1;
    | 5 => SUBARRAY(root.numbers^, 1, Long - 1) := SUBARRAY(zeros^, 1, Long - 1);
    | 6 => root.numbers^ := zeros^;
    | 7 => EVAL Rd.GetSub(TextRd.New("overwritten"), root.chars^);
    | 8 => db.setRoot(NEW(Root));
    | 9 => db.bind("name", root.node);
    | 10 => root.node.next := NEW(Node, n := 77);
    ELSE root.node.seen := TRUE;
    END;
  END WriteOne;

PROCEDURE Write(w: Writer) =
  BEGIN
    INC(w.times);
    CheckRoot("before the write");
    WriteOne(w.what);
    w.after := TRUE;
  END Write;

PROCEDURE CheckRoot(what: TEXT) =
  BEGIN
    root := db.getRoot();
    Check.Int(root.node.n, 1, what);
    Check.Int(root.node.next.n, 2, what);
    Check.That(root.node.next.next = NIL AND NOT root.node.seen, what);
    FOR i := 0 TO Long - 1 DO <*ASSERT root.numbers[i] = i*> END;
    Check.That(Text.Equal(Text.FromChars(SUBARRAY(root.chars^, 0, 4)), "char"), what);
  END CheckRoot;

PROCEDURE Raises(what: INTEGER): BOOLEAN =
  BEGIN
    TRY
      WriteOne(what);
      RETURN FALSE;
    EXCEPT
    | Transaction.ReadOnly => RETURN TRUE;
    END;
  END Raises;

PROCEDURE LockRaises(t: Transaction.T; object: REFANY; mode: Transaction.LockMode): BOOLEAN =
  BEGIN
    TRY
      t.lock(object, mode);
      RETURN FALSE;
    EXCEPT
    | Transaction.ReadOnly => RETURN TRUE;
    END;
  END LockRaises;

PROCEDURE All(where: TEXT) =
  BEGIN
    (* The transaction stays open, and sees what was there. *)
    reader.beginReadOnly();
    FOR what := 1 TO Ways DO
      Check.That(Raises(what), where & ": a write raises " & Text.FromChar(VAL(ORD('a') + what, CHAR)));
      CheckRoot(where & ", after a write");
    END;
    Check.That(NOT LockRaises(reader, root.node, Transaction.LockMode.READ), where & ": lock to read");
    Check.That(LockRaises(reader, root.node, Transaction.LockMode.WRITE), where & ": lock to write");
    Check.That(LockRaises(reader, root.numbers, Transaction.LockMode.WRITE), where & ": lock the large");
    (* An object that is not persistent can be written. *)
    zeros[0] := 1;  zeros[0] := 0;
    Check.That(NOT LockRaises(reader, NEW(Node), Transaction.LockMode.WRITE), where & ": lock a new one");
    Check.That(reader.isOpen(), where & ": still open");

    (* A child, and a child of that, are read-only. *)
    child.begin();
    grandchild.beginReadOnly();
    FOR what := 1 TO Ways DO Check.That(Raises(what), where & ": in a grandchild") END;
    CheckRoot(where & ", in a grandchild");
    grandchild.abort();
    Check.That(Raises(1), where & ": in a child");
    grandchild.begin();
    child.commit();
    Check.That(NOT grandchild.isOpen() AND NOT child.isOpen() AND reader.isOpen(), where & ": ends");
    child.begin();
    reader.checkpoint();
    Check.That(NOT child.isOpen() AND reader.isOpen(), where & ": checkpoint");
    reader.chain();
    Check.That(reader.isOpen() AND Raises(2), where & ": chain");
    reader.commit();
    Check.That(NOT reader.isOpen(), where & ": closed");

    (* The exception goes through RunReadOnly, which does not repeat. *)
    FOR what := 1 TO Ways DO
      WITH w = NEW(Writer, what := what) DO
        TRY
          Transaction.RunReadOnly(w);
          Check.That(FALSE, where & ": RunReadOnly goes on");
        EXCEPT
        | Transaction.ReadOnly => Check.That(w.times = 1 AND NOT w.after, where & ": RunReadOnly");
        END;
      END;
    END;

    (* In a transaction that writes, a child may be read-only. *)
    tr.begin();
    root.node.n := 10;
    child.beginReadOnly();
    Check.Int(root.node.n, 10, where & ": a child sees its parent's writes");
    FOR what := 1 TO Ways DO Check.That(Raises(what), where & ": in a read-only child") END;
    grandchild.begin();
    Check.That(Raises(1) AND Raises(3), where & ": inside of a read-only child");
    child.checkpoint();
    Check.That(Raises(1), where & ": after a checkpoint");
    Check.That(LockRaises(child, root.node, Transaction.LockMode.WRITE), where & ": lock in a child");
    child.chain();
    Check.That(Raises(1), where & ": after a chain");
    child.commit();
    Check.Int(root.node.n, 10, where & ": the parent's write stays");
    INC(root.node.n);
    tr.abort();
    reader.beginReadOnly();
    CheckRoot(where & ", at the end");
    reader.abort();
  END All;

BEGIN
  reader := NEW(Transaction.T);  child := NEW(Transaction.T);  grandchild := NEW(Transaction.T);
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root, node := NEW(Node, n := 1, next := NEW(Node, n := 2)),
                numbers := NEW(Numbers, Long), chars := NEW(Chars, 20), name := "root");
    FOR i := 0 TO Long - 1 DO root.numbers[i] := i END;
    root.chars[0] := 'c';  root.chars[1] := 'h';  root.chars[2] := 'a';  root.chars[3] := 'r';
    db.setRoot(root);
  END;
  tr.commit();
  All("displaced");
  RTCollector.Collect();
  All("at home");
  (* Pages that stayed open from one transaction to the next. *)
  tr.begin();
  FOR i := 1 TO 4 DO
    INC(root.node.n);  INC(root.numbers[7]);
    IF i < 4 THEN tr.chain() END;
    DEC(root.node.n);  DEC(root.numbers[7]);
  END;
  tr.commit();
  All("after chains");
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
