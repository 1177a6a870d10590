(* golden: persist, with lib/Store, lib/Check *)
(* A text that grows by appending is saved with the array that it shares with others; an append
   to a persistent text makes a new array. *)
MODULE Main;

IMPORT Check, Database, IO, Process, Store, Text, TextWr, Transaction, Wr;

<*FATAL ANY*>

TYPE
  Root = REF RECORD first, second: TEXT END;

VAR
  db: Database.T := Store.Open();
  tr, child := NEW(Transaction.T);
  root: Root;
  grown, more: TEXT;

PROCEDURE Grow(t: TEXT; part: TEXT; n: INTEGER): TEXT =
  BEGIN
    FOR i := 1 TO n DO t := t & part END;
    RETURN t;
  END Grow;

PROCEDURE Repeated(part: TEXT; n: INTEGER): TEXT =
  VAR wr := TextWr.New();
  BEGIN
    FOR i := 1 TO n DO Wr.PutText(wr, part) END;
    RETURN TextWr.ToText(wr);
  END Repeated;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    grown := Grow("", "part ", 500);
    root := NEW(Root, first := grown);
    db.setRoot(root);
    tr.commit();
    (* Outside of transactions, and again inside one. *)
    more := Grow(grown, "then ", 300);
    Check.That(Text.Equal(grown, Repeated("part ", 500)), "grown");
    Check.That(Text.Equal(more, Repeated("part ", 500) & Repeated("then ", 300)), "more");
    tr.begin();
    root.second := Grow(root.first, "also ", 300);
    tr.commit();
    IO.Put("made\n");
    Process.Exit();
  END;
  Check.That(Text.Equal(root.first, Repeated("part ", 500)), "first");
  Check.That(Text.Equal(root.second, Repeated("part ", 500) & Repeated("also ", 300)), "second");
  tr.commit();
  more := Grow(root.first, "later ", 100);
  Check.That(Text.Equal(more, Repeated("part ", 500) & Repeated("later ", 100)), "more later");
  IO.Put("read\n");
  tr.begin();
  root.first := Grow(more, "x", 2000);
  tr.abort();
  tr.begin();
  Check.That(Text.Equal(root.first, Repeated("part ", 500)), "first after the abort");
  tr.commit();
  (* The abort of a child restores the texts that its parent has made, but not other texts. *)
  tr.begin();
  root.first := Grow("", "abcdefghij", 100);
  child.begin();
  more := Grow(root.first, "child", 3);
  child.abort();
  Check.That(Text.Equal(more, Repeated("abcdefghij", 100) & "childchildchild"), "more of the child");
  grown := Grow(root.first, "parent", 3);
  Check.That(Text.Equal(more, Repeated("abcdefghij", 100) & "childchildchild"), "more afterwards");
  Check.That(Text.Equal(grown, Repeated("abcdefghij", 100) & "parentparentparent"), "of the parent");
  tr.abort();
  IO.Put("same\n");
END Main.
(* expect: made *)
(* restart *)
(* expect: read *)
(* expect: same *)
