(* The program of the crash storm: storm DIR STEPS [MEGABYTES]

   Three databases, two of them in one store, hold the results of the steps 1, 2, ... N. The work of
   a step depends only on its number, so the program can repeat a state in ordinary memory and
   compare the two, object by object. Prints
     at N MS    opened, within MS milliseconds: the database has exactly the steps up to N
     N          step N has been acknowledged
     done       after STEPS steps
   and ends with status 1 and a line "wrong ..." where the state is not that of a step, 5 where its
   types are not the stored ones, 3 at any other failure. *)
MODULE Main;

IMPORT Database, Fmt, IO, Layout, Params, Process, RTCollector, Scan, Stdio, Text, Time,
       Transaction, Word, Wr;

<*FATAL ANY*>

CONST
  Slots = 12;
  LongestList = 40;
  Databases = 3;
  Name = ARRAY [0 .. Databases - 1] OF TEXT {"/a", "/a:other", "/b"};
  Block = 16000;  (* integers *)

TYPE
  Cell = Layout.Cell;
  Numbers = REF ARRAY OF INTEGER;
  Blocks = REF RECORD numbers: Numbers;  next: Blocks END;
  Root = REF RECORD
    step := 0;
    slots: ARRAY [0 .. Slots - 1] OF Cell;
    bulk: Numbers;
    peer: Cell;  (* of any database *)
    ballast: Blocks;
  END;
  World = ARRAY [0 .. Databases - 1] OF Root;
  (* A linear congruential generator; its state. *)
  Random = Word.T;

VAR
  db: ARRAY [0 .. Databases - 1] OF Database.T;
  tr := NEW(Transaction.T);
  child := NEW(Transaction.T);
  stored, shadow: World;
  megabytes := 0;
  opening: LONGREAL;

PROCEDURE Seed(n, use: INTEGER): Random =
  VAR r := Word.Plus(Word.Times(n, 2654435761), Word.Times(use, 40503));
  BEGIN
    FOR i := 1 TO 3 DO EVAL Below(r, 2) END;
    RETURN r;
  END Seed;

PROCEDURE Below(VAR r: Random; n: INTEGER): INTEGER =
  BEGIN
    r := Word.Plus(Word.Times(r, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(r, 33) MOD n;
  END Below;

(* ---- The changes of objects *)

PROCEDURE Change(VAR w: World; VAR r: Random; n: INTEGER) =
  VAR
    d := ARRAY [0 .. 7] OF INTEGER {0, 0, 0, 0, 0, 1, 1, 2} [Below(r, 8)];
    root := w[d];
    slot := Below(r, Slots);
    cell := root.slots[slot];
    length := 0;
  BEGIN
    root.step := n;
    CASE Below(r, 14) OF
    | 0 .. 4 =>
        FOR i := 0 TO Below(r, 4) DO
          root.slots[slot] := NEW(Cell, number := Below(r, 1000), next := root.slots[slot]);
        END;
    | 5 .. 7 =>
        WHILE cell # NIL DO
          IF length MOD 3 = 0 THEN INC(cell.number, n) END;
          INC(length);
          IF length = LongestList THEN cell.next := NIL END;
          cell := cell.next;
        END;
    | 8 =>
        WITH other = Below(r, Slots) DO
          root.slots[slot] := root.slots[other];
          root.slots[other] := cell;
        END;
    | 9 =>
        root.bulk := NEW(Numbers, 500 + Below(r, 4000));
        FOR i := 0 TO LAST(root.bulk^) DO root.bulk[i] := n * i END;
    | 10 =>
        IF root.bulk # NIL THEN
          FOR i := Below(r, 500) TO LAST(root.bulk^) BY 300 DO root.bulk[i] := -n END;
        END;
    | 11 => IF cell # NIL THEN cell.text := "step " & Fmt.Int(n) END;
    | 12 => IF cell # NIL THEN cell.other := cell.next;  cell.next := NIL END;
    ELSE
      root.peer := w[Below(r, Databases)].slots[slot];
    END;
  END Change;

PROCEDURE Step(VAR w: World; n: INTEGER) =
  VAR r := Seed(n, 1);
  BEGIN
    FOR i := 0 TO Below(r, 5) DO Change(w, r, n) END;
    w[0].step := n;
  END Step;

(* The changes that an abort undoes. *)
PROCEDURE Trash(n: INTEGER) =
  VAR r := Seed(n, 2);
  BEGIN
    FOR i := 0 TO Below(r, 8) DO Change(stored, r, -n) END;
  END Trash;

(* ---- Comparing *)

PROCEDURE Wrong(what: TEXT; n: INTEGER) =
  BEGIN
    IO.Put("wrong " & what & " at step " & Fmt.Int(n) & "\n");
    Wr.Flush(Stdio.stdout);
    Process.Exit(1);
  END Wrong;

PROCEDURE Same(a, b: Cell): BOOLEAN =
  BEGIN
    WHILE a # NIL AND b # NIL DO
      IF a.number # b.number OR (a.text = NIL) # (b.text = NIL)
           OR a.text # NIL AND NOT Text.Equal(a.text, b.text) OR NOT Layout.Good(a)
           OR NOT Same(a.other, b.other) THEN
        RETURN FALSE;
      END;
      a := a.next;
      b := b.next;
    END;
    RETURN a = b;
  END Same;

(* The index of a cell among the cells of a world; -1: not found. *)
PROCEDURE PlaceOf(cell: Cell; READONLY w: World): INTEGER =
  VAR at := 0;  c: Cell;
  BEGIN
    FOR d := 0 TO Databases - 1 DO
      FOR s := 0 TO Slots - 1 DO
        c := w[d].slots[s];
        WHILE c # NIL DO
          IF c = cell THEN RETURN at END;
          INC(at);
          c := c.next;
        END;
      END;
    END;
    RETURN -1;
  END PlaceOf;

PROCEDURE Compare(n: INTEGER) =
  BEGIN
    FOR d := 0 TO Databases - 1 DO
      WITH a = stored[d], b = shadow[d] DO
        IF a.step # b.step THEN Wrong(Name[d] & ": step " & Fmt.Int(a.step), n) END;
        FOR s := 0 TO Slots - 1 DO
          IF NOT Same(a.slots[s], b.slots[s]) THEN Wrong(Name[d] & ": list " & Fmt.Int(s), n) END;
        END;
        IF (a.bulk = NIL) # (b.bulk = NIL) OR a.bulk # NIL AND a.bulk^ # b.bulk^ THEN
          Wrong(Name[d] & ": bulk", n);
        END;
        IF NOT Same(a.peer, b.peer) OR PlaceOf(a.peer, stored) # PlaceOf(b.peer, shadow) THEN
          Wrong(Name[d] & ": peer", n);
        END;
      END;
    END;
  END Compare;

PROCEDURE CompareBallast() =
  VAR b := stored[0].ballast;  i := 0;
  BEGIN
    WHILE b # NIL DO
      IF b.numbers[i MOD Block] # i THEN Wrong("ballast", i) END;
      INC(i);
      b := b.next;
    END;
    IF i # megabytes * (1024 * 1024 DIV (8 * Block)) THEN Wrong("ballast's length", i) END;
  END CompareBallast;

(* ---- *)

PROCEDURE Say(text: TEXT) =
  BEGIN
    IO.Put(text & "\n");
    Wr.Flush(Stdio.stdout);
  END Say;

PROCEDURE MakeBallast() =
  VAR blocks := megabytes * (1024 * 1024 DIV (8 * Block));  b: Blocks;
  BEGIN
    FOR i := blocks - 1 TO 0 BY -1 DO
      b := NEW(Blocks, numbers := NEW(Numbers, Block), next := b);
      b.numbers[i MOD Block] := i;
      IF i MOD 256 = 0 THEN
        stored[0].ballast := b;
        tr.checkpoint();
      END;
    END;
    stored[0].ballast := b;
  END MakeBallast;

(* The number of the last step in the database. It is read in a transaction, because outside of
   one another program, such as the collector, may hold the served pages. *)
PROCEDURE Open(): INTEGER =
  VAR dir := Params.Get(1);  roots := 0;  start := Time.Now();  last: INTEGER;
  BEGIN
    FOR d := 0 TO Databases - 1 DO
      TRY
        db[d] := Database.Open(dir & Name[d]);
      EXCEPT Database.DatabaseNotFound =>
        Database.Create(dir & Name[d]);
        db[d] := Database.Open(dir & Name[d]);
      END;
    END;
    opening := Time.Now() - start;
    tr.begin();
    FOR d := 0 TO Databases - 1 DO
      stored[d] := db[d].getRoot();
      shadow[d] := NEW(Root);
      INC(roots, ORD(stored[d] # NIL));
    END;
    IF roots = 0 THEN
      FOR d := 0 TO Databases - 1 DO
        stored[d] := NEW(Root);
        db[d].setRoot(stored[d]);
      END;
      MakeBallast();
    ELSIF roots # Databases THEN
      Wrong("number of roots: " & Fmt.Int(roots), 0);
    END;
    last := stored[0].step;
    FOR n := 1 TO last DO Step(shadow, n) END;
    Compare(last);
    CompareBallast();
    tr.commit();
    RETURN last;
  END Open;

(* Step n in one of many ways. If `open`, the transaction is open before or after the step. *)
PROCEDURE Do(n: INTEGER; VAR open: BOOLEAN) =
  VAR r := Seed(n, 3);
  BEGIN
    IF NOT open THEN tr.begin() END;
    open := FALSE;
    CASE Below(r, 8) OF
    | 0 =>
        child.begin();
        Trash(n);
        IF Below(r, 2) = 0 THEN RTCollector.Collect() END;
        child.abort();
        Step(stored, n);
    | 1 =>
        child.begin();
        Step(stored, n);
        child.commit();
    | 2 =>
        Step(stored, n);
        (* Objects that are not persistent yet would keep the child's changes. *)
        tr.checkpoint();
        IF Below(r, 2) = 0 THEN RTCollector.Collect() END;
        child.begin();
        Trash(n);
        child.abort();
    | 3 =>
        Trash(n);
        tr.abort();
        tr.begin();
        Step(stored, n);
    ELSE
      Step(stored, n);
    END;
    CASE Below(r, 5) OF
    | 0 => tr.chain();  open := TRUE;
    | 1 => tr.checkpoint();  open := TRUE;
    ELSE tr.commit();
    END;
    Say(Fmt.Int(n));
    IF open AND Below(r, 3) = 0 THEN
      Trash(n);
      tr.abort();
      open := FALSE;
    END;
  END Do;

(* In a transaction, because outside of one another program may hold the served pages. *)
PROCEDURE CompareIn(open: BOOLEAN; n: INTEGER) =
  BEGIN
    IF NOT open THEN tr.begin() END;
    Compare(n);
    IF NOT open THEN tr.commit() END;
  END CompareIn;

PROCEDURE Run() =
  VAR open := FALSE;  n, steps: INTEGER;
  BEGIN
    n := Open();
    Say("at " & Fmt.Int(n) & " " & Fmt.Int(ROUND(opening * 1000.0d0)));
    steps := Scan.Int(Params.Get(2));
    FOR i := 1 TO steps DO
      INC(n);
      Do(n, open);
      Step(shadow, n);
      IF n MOD 5 = 0 THEN CompareIn(open, n) END;
      IF n MOD 7 = 0 THEN RTCollector.Collect() END;
    END;
    CompareIn(open, n);
    IF open THEN tr.commit() END;
    FOR d := 0 TO Databases - 1 DO db[d].close() END;
    Say("done");
  END Run;

BEGIN
  IF Params.Count > 3 THEN megabytes := Scan.Int(Params.Get(3)) END;
  TRY
    Run();
  EXCEPT
  | Database.TypeMismatch (why) => Say("mismatch " & why);  Process.Exit(5);
  | Database.Failure (why) => Say("failure " & why);  Process.Exit(3);
  | Database.Missing (why) => Say("missing " & why);  Process.Exit(3);
  | Transaction.OutcomeUnknown (why) => Say("unknown " & why);  Process.Exit(3);
  | Transaction.Aborted => Say("aborted");  Process.Exit(3);
  END;
END Main.
