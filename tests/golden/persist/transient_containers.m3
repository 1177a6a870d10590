(* golden: persist, with lib/Store, lib/Check *)
(* Containers rooted in RootTransient, and their parts, are not saved: references to them are
   stored as NIL (language.md 27.4). Containers rooted in Root are saved. *)
MODULE Main;

IMPORT Check, Database, Fmt, HeldPQ, HeldSeq, HeldTbl, IO, KeptTbl, Process, RTCollector, SortedHeldTbl,
       Store, TextHeldList, Transaction;

<*FATAL ANY*>

TYPE
  Root = REF RECORD
    table: HeldTbl.T;
    sorted: REFANY;
    any: ARRAY [0..2] OF REFANY;
    kept: KeptTbl.T;
  END;

  (* A subtype is as transient as its supertype. *)
  Counting = HeldTbl.Default OBJECT gets := 0 OVERRIDES get := CountingGet END;

PROCEDURE CountingGet(t: Counting; READONLY k: INTEGER; VAR v: TEXT): BOOLEAN =
  BEGIN
    INC(t.gets);
    RETURN HeldTbl.Default.get(t, k, v);
  END CountingGet;

CONST
  Keys = 1000;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;
  counting: Counting;
  sorted: SortedHeldTbl.Default;
  seq: HeldSeq.T;
  queue: HeldPQ.Default;
  v: TEXT;
  k, last: INTEGER;
  ordered: SortedHeldTbl.Iterator;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := NEW(Root);
    db.setRoot(root);
    tr.commit();
    tr.begin();
    counting := NEW(Counting).init();
    sorted := NEW(SortedHeldTbl.Default).init();
    seq := NEW(HeldSeq.T).init();
    queue := NEW(HeldPQ.Default).init();
    root.kept := NEW(KeptTbl.Default).init();
    FOR i := 1 TO Keys DO
      EVAL counting.put(i, Fmt.Int(i));
      EVAL sorted.put(Keys - i, Fmt.Int(i));
      EVAL root.kept.put(i, Fmt.Int(i));
      seq.addhi(Fmt.Int(i));
      queue.insert(NEW(HeldPQ.Elt, priority := Keys - i));
    END;
    root.table := counting;
    root.sorted := sorted;
    root.any[0] := seq;
    root.any[1] := queue;
    root.any[2] := TextHeldList.List2("a", "b");
    tr.commit();
    RTCollector.Collect();
    tr.begin();
    Check.That(root.table.get(17, v), "the table stays in memory");
    Check.Text(v, "17", "a value");
    Check.Int(NARROW(root.table, Counting).gets, 1, "a subtype");
    Check.Int(NARROW(root.sorted, SortedHeldTbl.T).size(), Keys, "sorted");
    ordered := sorted.iterateOrdered();
    last := -1;
    WHILE ordered.next(k, v) DO Check.Int(k, last + 1, "order"); last := k END;
    Check.Text(NARROW(root.any[0], HeldSeq.T).get(9), "10", "sequence");
    Check.Int(NARROW(root.any[1], HeldPQ.T).deleteMin().priority, 0, "queue");
    Check.Text(NARROW(root.any[2], TextHeldList.T).tail.head, "b", "list");
    (* They may also change outside of transactions, because no part of them is persistent. *)
    tr.commit();
    EVAL counting.put(Keys + 1, "more");
    Check.Int(counting.size(), Keys + 1, "changed outside");
    Check.Done();
    Process.Exit();
  END;
  Check.That(root.table = NIL, "the table was not saved");
  Check.That(root.sorted = NIL, "nor the sorted one");
  FOR i := 0 TO 2 DO Check.That(root.any[i] = NIL, "nor the others") END;
  Check.That(root.kept.get(17, v), "but that of Root");
  Check.Text(v, "17", "its value");
  Check.Int(root.kept.size(), Keys, "its size");
  tr.commit();
  IO.Put("read again\n");
  Check.Done();
END Main.
(* unit: HeldTbl.i3 *)
INTERFACE HeldTbl = Table(RootTransient, Integer, Text) END HeldTbl.
(* unit: HeldTbl.m3 *)
MODULE HeldTbl = Table(RootTransient, Integer, Text) END HeldTbl.
(* unit: SortedHeldTbl.i3 *)
INTERFACE SortedHeldTbl = SortedTable(RootTransient, Integer, HeldTbl) END SortedHeldTbl.
(* unit: SortedHeldTbl.m3 *)
MODULE SortedHeldTbl = SortedTable(RootTransient, Integer, Text, HeldTbl) END SortedHeldTbl.
(* unit: HeldSeq.i3 *)
INTERFACE HeldSeq = Sequence(RootTransient, Text) END HeldSeq.
(* unit: HeldSeqRep.i3 *)
INTERFACE HeldSeqRep = SequenceRep(RootTransient, Text, HeldSeq) END HeldSeqRep.
(* unit: HeldSeq.m3 *)
MODULE HeldSeq = Sequence(RootTransient, Text, HeldSeq, HeldSeqRep) END HeldSeq.
(* unit: HeldPQ.i3 *)
INTERFACE HeldPQ = PQueue(RootTransient, Integer) END HeldPQ.
(* unit: HeldPQRep.i3 *)
INTERFACE HeldPQRep = PQueueRep(RootTransient, HeldPQ) END HeldPQRep.
(* unit: HeldPQ.m3 *)
MODULE HeldPQ = PQueue(RootTransient, Integer, HeldPQ, HeldPQRep) END HeldPQ.
(* unit: TextHeldList.i3 *)
INTERFACE TextHeldList = List(RootTransient, Text) END TextHeldList.
(* unit: TextHeldList.m3 *)
MODULE TextHeldList = List(RootTransient, Text) END TextHeldList.
(* unit: KeptTbl.i3 *)
INTERFACE KeptTbl = Table(Root, Integer, Text) END KeptTbl.
(* unit: KeptTbl.m3 *)
MODULE KeptTbl = Table(Root, Integer, Text) END KeptTbl.
(* expect: all checks hold *)
(* restart *)
(* expect: read again *)
(* expect: all checks hold *)
