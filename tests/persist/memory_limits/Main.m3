MODULE Main;

(* memory_limits STORE NAME MEGABYTES [ADD]: does one kind of work with about that much data, and prints a sum that
   the rig knows. memory_limits.py measures the memory that it takes meanwhile. *)

IMPORT Database, Fmt, IntRefBPlusTree, IntRefTbl, IntTextBPlusTree, IO, Params, Process, Random, Scan, Text, Thread,
       Transaction;

<*FATAL ANY*>

CONST Megabyte = 1000000;

TYPE
  Data = REF ARRAY OF CHAR;
  Cell = REF RECORD next: Cell;  data: Data END;
  Small = REF RECORD next: Small;  number: INTEGER END;
  Numbers = REF ARRAY OF INTEGER;
  Large = REF RECORD next: Large;  numbers: Numbers END;
  Record = REF RECORD id: INTEGER;  text: ARRAY [0..43] OF CHAR END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  rnd := NEW(Random.Default).init(fixed := TRUE);
  megabytes: INTEGER;
  sum := 0;

(* A list of cells of 1,000 characters, with a checkpoint after each `between` of them; 0: none. *)
PROCEDURE MakeList(between: INTEGER): Cell =
  VAR list: Cell := NIL;
  BEGIN
    FOR i := 1 TO megabytes * Megabyte DIV 1000 DO
      list := NEW(Cell, next := list, data := NEW(Data, 960));
      list.data[0] := VAL(i MOD 128, CHAR);
      INC(sum, i MOD 128);
      IF between # 0 AND i MOD between = 0 THEN db.setRoot(list);  tr.checkpoint() END;
    END;
    db.setRoot(list);
    RETURN list;
  END MakeList;

PROCEDURE SumOfList(): INTEGER =
  VAR list: Cell := db.getRoot();  found := 0;
  BEGIN
    WHILE list # NIL DO INC(found, ORD(list.data[0]));  list := list.next END;
    RETURN found;
  END SumOfList;

(* One transaction makes all objects. *)
PROCEDURE Transaction1() =
  BEGIN
    tr.begin();
    EVAL MakeList(0);
    tr.commit();
  END Transaction1;

PROCEDURE SmallObjects() =
  VAR list: Small := NIL;
  BEGIN
    tr.begin();
    FOR i := 1 TO megabytes * Megabyte DIV 24 DO
      list := NEW(Small, next := list, number := i);
      INC(sum, i MOD 7);
    END;
    db.setRoot(list);
    tr.commit();
  END SmallObjects;

PROCEDURE Arrays() =
  VAR list: Large := NIL;
  BEGIN
    tr.begin();
    FOR i := 1 TO megabytes DO
      list := NEW(Large, next := list, numbers := NEW(Numbers, Megabyte DIV 8));
      FOR j := 0 TO LAST(list.numbers^) DO list.numbers[j] := i + j END;
      INC(sum, i);
      IF i MOD 16 = 0 THEN db.setRoot(list);  tr.checkpoint() END;
    END;
    db.setRoot(list);
    tr.commit();
  END Arrays;

(* A hash table, whose array of buckets is one large object that grows. *)
PROCEDURE Table() =
  VAR table := NEW(IntRefTbl.Default).init();  count := megabytes * Megabyte DIV 80;
  BEGIN
    tr.begin();
    db.setRoot(table);
    FOR i := 1 TO count DO
      EVAL table.put(i, NEW(Small, number := i));
      INC(sum, i MOD 7);
      IF i MOD (count DIV 3) = 0 THEN tr.checkpoint() END;
    END;
    tr.commit();
  END Table;

PROCEDURE Texts() =
  VAR tree := NEW(IntTextBPlusTree.T).init();  count := megabytes * Megabyte DIV 350;  part := "";
  BEGIN
    tr.begin();
    db.setRoot(tree);
    FOR i := 1 TO count DO
      part := Fmt.Pad(Fmt.Int(i), i MOD 500);
      EVAL tree.put(rnd.integer(0, LAST(INTEGER) DIV 2), part & Fmt.Int(i));
      INC(sum, Text.Length(part));
      IF i MOD (count DIV 4) = 0 THEN tr.checkpoint() END;
    END;
    tr.commit();
  END Texts;

(* Each page of a store is changed in one transaction that commits, and in one that aborts. *)
PROCEDURE Updates() =
  PROCEDURE Each() =
    VAR list: Cell := db.getRoot();
    BEGIN
      WHILE list # NIL DO
        list.data[0] := VAL((ORD(list.data[0]) + 1) MOD 128, CHAR);
        list.data[900] := 'x';
        list := list.next;
      END;
    END Each;
  BEGIN
    tr.begin();
    EVAL MakeList(4000);
    tr.commit();
    tr.begin();
    Each();
    tr.commit();
    sum := SumIn();
    tr.begin();
    Each();
    tr.abort();
  END Updates;

PROCEDURE SumIn(): INTEGER =
  VAR found: INTEGER;
  BEGIN
    tr.begin();
    found := SumOfList();
    tr.commit();
    RETURN found;
  END SumIn;

(* Records below a tree in random order; then each is read, and random ones. *)
PROCEDURE Reading() =
  VAR
    tree := NEW(IntRefBPlusTree.T).init();
    count := megabytes * Megabyte DIV 90;
    it: IntRefBPlusTree.Iterator;
    key: INTEGER;
    value: REFANY;
  BEGIN
    tr.begin();
    db.setRoot(tree);
    FOR i := 0 TO count - 1 DO
      EVAL tree.put(i * 7919 MOD count, NEW(Record, id := i));
      INC(sum, i MOD 11);
      IF i MOD 20000 = 0 THEN tr.checkpoint() END;
    END;
    tr.commit();
    tr.begin();
    tree := db.getRoot();
    it := tree.iterateOrdered();
    WHILE it.next(key, value) DO DEC(sum, NARROW(value, Record).id MOD 11) END;
    FOR i := 1 TO count DIV 4 DO
      IF tree.get(rnd.integer(0, count - 1), value) THEN INC(sum, NARROW(value, Record).id * 0 + 1) END;
    END;
    tr.commit();
  END Reading;

(* Threads that keep objects of their own and make garbage, while all of them commit. *)
TYPE
  Worker = Thread.Closure OBJECT number, kept: INTEGER OVERRIDES apply := Work END;
  Root = OBJECT lists: ARRAY [0..3] OF Cell END;

PROCEDURE Work(self: Worker): REFANY =
  VAR
    kept := NEW(REF ARRAY OF Data, self.kept);
    mine := NEW(Transaction.T);
    root: Root;
  BEGIN
    FOR step := 1 TO megabytes DO
      FOR i := 1 TO 1000 DO kept[(step * 1000 + i) MOD self.kept] := NEW(Data, 960) END;
      mine.begin();
      root := db.getRoot();
      FOR i := 1 TO 200 DO
        root.lists[self.number] := NEW(Cell, next := root.lists[self.number], data := NEW(Data, 960));
        root.lists[self.number].data[0] := VAL(1, CHAR);
      END;
      mine.commit();
    END;
    RETURN NIL;
  END Work;

PROCEDURE Threads() =
  VAR threads: ARRAY [0..3] OF Thread.T;  root := NEW(Root);  cell: Cell;
  BEGIN
    tr.begin();
    db.setRoot(root);
    tr.commit();
    FOR i := 0 TO 3 DO threads[i] := Thread.Fork(NEW(Worker, number := i, kept := megabytes * 30)) END;
    FOR i := 0 TO 3 DO EVAL Thread.Join(threads[i]) END;
    tr.begin();
    root := db.getRoot();
    FOR i := 0 TO 3 DO
      cell := root.lists[i];
      WHILE cell # NIL DO INC(sum, ORD(cell.data[0]));  cell := cell.next END;
    END;
    tr.commit();
    <*ASSERT sum = 4 * megabytes * 200*>
  END Threads;

VAR name := Params.Get(2);
BEGIN
  megabytes := Scan.Int(Params.Get(3));
  TRY
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    IF Text.Equal(name, "transaction") THEN
      Transaction1();
      <*ASSERT SumIn() = sum*>
    ELSIF Text.Equal(name, "small") THEN
      SmallObjects();
    ELSIF Text.Equal(name, "arrays") THEN
      Arrays();
    ELSIF Text.Equal(name, "table") THEN
      Table();
    ELSIF Text.Equal(name, "texts") THEN
      Texts();
    ELSIF Text.Equal(name, "updates") THEN
      Updates();
    ELSIF Text.Equal(name, "reading") THEN
      Reading();
    ELSIF Text.Equal(name, "threads") THEN
      Threads();
    ELSE
      Process.Exit(2);
    END;
  EXCEPT Database.Failure(why) =>
    IO.Put("failure: " & why & "\n");
    Process.Exit(1);
  END;
  IO.Put("sum " & Fmt.Int(sum) & "\n");
END Main.
