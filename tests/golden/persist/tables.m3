(* golden: persist, with lib/Store, lib/Check *)
(* The library's containers persist like anything else. *)
MODULE Main;

IMPORT Check, Database, Fmt, IntRefTbl, RTCollector, RefList, RefSeq, Store, TextRefTbl,
  Transaction;

<*FATAL ANY*>

TYPE
  Root = REF RECORD
    byName: TextRefTbl.Default;
    byNumber: IntRefTbl.T;
    sequence: RefSeq.T;
    list: RefList.T;
    runs: CARDINAL := 0;
  END;

  Item = REF RECORD name: TEXT; number: INTEGER END;

CONST
  PerRun = 300;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

PROCEDURE Grow() =
  VAR item: Item;
  BEGIN
    FOR i := root.runs * PerRun TO (root.runs + 1) * PerRun - 1 DO
      item := NEW(Item, name := "item " & Fmt.Int(i), number := i);
      EVAL root.byName.put(item.name, item);
      EVAL root.byNumber.put(i, item);
      root.sequence.addhi(item);
      root.list := RefList.Cons(item, root.list);
    END;
    INC(root.runs);
  END Grow;

PROCEDURE CheckAll(when: TEXT) =
  VAR n := root.runs * PerRun;  right := TRUE;  a, b: REFANY := NIL;  l := root.list;
  BEGIN
    Check.Int(root.byName.size(), n, when & ": size by name");
    Check.Int(root.byNumber.size(), n, when & ": size by number");
    Check.Int(root.sequence.size(), n, when & ": size of the sequence");
    Check.Int(RefList.Length(root.list), n, when & ": length of the list");
    FOR i := 0 TO n - 1 DO
      IF NOT root.byName.get("item " & Fmt.Int(i), a) OR NOT root.byNumber.get(i, b) OR a # b
         OR a # root.sequence.get(i) OR NARROW(a, Item).number # i THEN
        right := FALSE;
      END;
    END;
    Check.That(right, when & ": contents");
    FOR i := n - 1 TO 0 BY -1 DO
      IF l.head # root.sequence.get(i) THEN right := FALSE END;
      l := l.tail;
    END;
    Check.That(right, when & ": list");
  END CheckAll;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root, byName := NEW(TextRefTbl.Default).init(),
                byNumber := NEW(IntRefTbl.Default).init(), sequence := NEW(RefSeq.T).init());
    db.setRoot(root);
  ELSE
    CheckAll("reopened");
  END;
  Grow();
  tr.commit();
  CheckAll("committed");
  RTCollector.Collect();
  CheckAll("collected");
  tr.begin();
  Grow();
  DEC(root.runs);
  tr.abort();
  CheckAll("aborted");
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
