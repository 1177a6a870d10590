(* golden: persist, with lib/Store, lib/Check *)
(* Every kind of container of the library persists: it grows, changes, is restored by an abort,
   and is intact after a restart. *)
MODULE Main;

IMPORT Check, Database, Fmt, IntIntBPlusTree, IntListSort, IntList, IntPQ, IntSet, IntSetDef,
  IntSetList, IntTextTbl, MProperty, Property, RTCollector, SortedTextIntTbl, Store, Text, TextArraySort,
  TextSeq, Transaction;

<*FATAL ANY*>

TYPE
  Names = REF ARRAY OF TEXT;
  Root = REF RECORD
    runs: CARDINAL := 0;
    hash: IntTextTbl.T;
    sorted: SortedTextIntTbl.T;
    tree: IntIntBPlusTree.T;
    sequence: TextSeq.T;
    queue: IntPQ.Default;
    set, list: IntSet.T;
    properties: Property.Set;
    numbers: IntList.T;
    names: Names;
  END;
  Color = OBJECT name: TEXT END;
  Weight = OBJECT grams: INTEGER END;

CONST
  PerRun = 200;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

PROCEDURE New(): Root =
  BEGIN
    RETURN NEW(Root, hash := NEW(IntTextTbl.Default).init(),
               sorted := NEW(SortedTextIntTbl.Default).init(),
               tree := NEW(IntIntBPlusTree.T).init(4), sequence := NEW(TextSeq.T).init(),
               queue := NEW(IntPQ.Default).init(), set := NEW(IntSetDef.T).init(),
               list := NEW(IntSetList.T).init(), properties := MProperty.New(), numbers := NIL,
               names := NEW(Names, 0));
  END New;

(* Names that all have the same length, so that their order is that of the numbers. *)
PROCEDURE Name(i: INTEGER): TEXT =
  BEGIN
    RETURN "n" & Fmt.Pad(Fmt.Int(i), 6, '0');
  END Name;

(* The numbers of one run, in a mixed order; every fifth number is removed again. *)
PROCEDURE Grow() =
  VAR n, v: INTEGER;  t: TEXT;  names: Names;
  BEGIN
    FOR i := 0 TO PerRun - 1 DO
      n := root.runs * PerRun + i * 77 MOD PerRun;
      EVAL root.hash.put(n, Name(n));
      EVAL root.sorted.put(Name(n), n);
      EVAL root.tree.put(n, -n);
      root.queue.insert(NEW(IntPQ.Elt, priority := n));
      EVAL root.set.insert(n);
      IF i < 10 THEN EVAL root.list.insert(n) END;
      root.numbers := IntList.Cons(n, root.numbers);
    END;
    FOR i := 0 TO PerRun - 1 BY 5 DO
      n := root.runs * PerRun + i;
      EVAL root.hash.delete(n, t);
      EVAL root.sorted.delete(Name(n), v);
      EVAL root.tree.delete(n, v);
      EVAL root.set.delete(n);
    END;
    FOR i := 0 TO PerRun - 1 DO
      root.sequence.addhi(Name(i));
      IF i MOD 2 = 0 THEN EVAL root.sequence.remlo() ELSE root.sequence.addlo(Name(-i)) END;
    END;
    FOR i := 1 TO PerRun DIV 2 DO EVAL root.queue.deleteMin() END;
    root.numbers := IntListSort.SortD(root.numbers);
    root.properties.put(NEW(Color, name := "color " & Fmt.Int(root.runs)));
    root.properties.put(NEW(Weight, grams := root.runs));
    names := NEW(Names, NUMBER(root.names^) + 2);
    SUBARRAY(names^, 2, NUMBER(root.names^)) := root.names^;
    names[0] := Name(root.runs);
    names[1] := Name(1000 - root.runs);
    TextArraySort.Sort(names^);
    root.names := names;
    INC(root.runs);
  END Grow;

PROCEDURE CheckAll(when: TEXT) =
  VAR all := root.runs * PerRun;  right := TRUE;  present: BOOLEAN;  t: TEXT;  v, k := 0;
      sorted := root.sorted.iterateOrdered();  tree := root.tree.iterateOrdered(FALSE);
      l := root.numbers;  e: INTEGER;  it := root.set.iterate();  count := 0;
  BEGIN
    FOR i := 0 TO all - 1 DO
      present := i MOD 5 # 0;
      IF root.hash.get(i, t) # present OR root.set.member(i) # present
         OR root.tree.get(i, v) # present THEN
        right := FALSE;
      END;
      IF present AND (NOT Text.Equal(t, Name(i)) OR v # -i) THEN right := FALSE END;
      IF present AND NOT (sorted.next(t, v) AND Text.Equal(t, Name(i)) AND v = i) THEN
        right := FALSE;
      END;
      IF l = NIL OR l.head # i THEN right := FALSE ELSE l := l.tail END;
    END;
    FOR i := all - 1 TO 0 BY -1 DO
      IF i MOD 5 # 0 AND NOT (tree.next(k, v) AND k = i AND v = -i) THEN right := FALSE END;
    END;
    Check.That(right AND NOT sorted.next(t, v) AND NOT tree.next(k, v) AND l = NIL,
               when & ": contents");
    IntIntBPlusTree.Validate(root.tree);
    Check.Int(root.hash.size(), all DIV 5 * 4, when & ": size");
    WHILE it.next(e) DO INC(count) END;
    Check.Int(count, all DIV 5 * 4, when & ": set");
    Check.Int(root.list.size(), 10 * root.runs, when & ": list");
    Check.That(root.list.member(77 MOD PerRun), when & ": member of the list");
    Check.Int(root.sequence.size(), root.runs * PerRun, when & ": sequence");
    Check.Text(root.sequence.gethi(), Name(PerRun - 1), when & ": end of the sequence");
    Check.Int(root.queue.size(), root.runs * (PerRun DIV 2), when & ": queue");
    Check.Int(root.queue.min().priority, root.runs * (PerRun DIV 2), when & ": its least");
    Check.Text(NARROW(root.properties.get(TYPECODE(Color)), Color).name,
               "color " & Fmt.Int(root.runs - 1), when & ": property");
    Check.Int(NARROW(root.properties.get(TYPECODE(Weight)), Weight).grams, root.runs - 1,
              when & ": other property");
    right := NUMBER(root.names^) = 2 * root.runs;
    FOR i := 0 TO root.runs - 1 DO
      IF NOT Text.Equal(root.names[i], Name(i)) THEN right := FALSE END;
    END;
    Check.That(right, when & ": sorted names");
  END CheckAll;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    root := New();
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
  tr.abort();
  CheckAll("aborted");
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
