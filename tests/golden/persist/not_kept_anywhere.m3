(* golden: persist, with lib/Store, lib/Check *)
(* The report of a commit names weak references wherever they are (in fields, records, arrays,
   elements, on any byte, on each page of a long object), when they become persistent and when a
   later transaction changes them; records that look alike are not reported (language.md 27.3). *)
UNSAFE MODULE Main;

IMPORT Check, Database, DatabaseStatistics, Fingerprint, IO, Store, Text, Transaction, WeakRef;

<*FATAL ANY*>

CONST
  Many = 5000;

TYPE
  Weak = WeakRef.T;
  Pair = RECORD byte: BITS 8 FOR [0 .. 255]; weak: Weak; print: Fingerprint.T END;
  Base = OBJECT weak: WeakRef.T END;
  Root = Base OBJECT
    tag: INTEGER;
    pair: Pair;
    nested: RECORD in: ARRAY [0 .. 1] OF RECORD pairs: ARRAY [1 .. 3] OF Pair END END;
    print: Fingerprint.T;
    <*TRANSIENT*> cache: WeakRef.T;
    marked: <*TRANSIENT*> RECORD weak: WeakRef.T END;
    address: ADDRESS := NIL;
    one: One;
    row: Row;
    rows: Rows;
    parts: Parts;
  END;
  One = BRANDED REF WeakRef.T;
  Row = BRANDED REF ARRAY OF WeakRef.T;
  Rows = BRANDED REF ARRAY OF ARRAY OF ARRAY [0 .. 1] OF WeakRef.T;
  Parts = BRANDED REF ARRAY OF Pair;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  target := NEW(REF INTEGER);
  weak := WeakRef.FromRef(target);
  root := NEW(Root);
  any: REFANY := root;
  none: WeakRef.T;
  report: TEXT;

PROCEDURE Tells(part: TEXT): BOOLEAN =
  BEGIN
    FOR i := 0 TO Text.Length(report) - Text.Length(part) DO
      IF Text.Equal(Text.Sub(report, i, Text.Length(part)), part) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Tells;

PROCEDURE Told(part: TEXT) =
  BEGIN
    IF NOT Tells(part) THEN IO.Put("not told: " & part & "\n" & report) END;
  END Told;

PROCEDURE Commit() =
  BEGIN
    tr.commit();
    report := DatabaseStatistics.CommitReport();
  END Commit;

(* All weak references, to `to`. *)
PROCEDURE SetAll(to: WeakRef.T) =
  BEGIN
    root.weak := to;
    root.pair.weak := to;
    root.cache := to;
    root.marked.weak := to;
    FOR i := 0 TO 1 DO
      FOR j := 1 TO 3 DO root.nested.in[i].pairs[j].weak := to END;
    END;
    root.one^ := to;
    FOR i := 0 TO LAST(root.row^) DO root.row[i] := to END;
    FOR i := 0 TO LAST(root.rows^) DO
      FOR j := 0 TO LAST(root.rows[i]) DO root.rows[i][j][1] := to END;
    END;
    FOR i := 0 TO LAST(root.parts^) DO root.parts[i].weak := to END;
  END SetAll;

PROCEDURE AllTold() =
  BEGIN
    Told("1 times  Main.Root.weak\n");
    Told("1 times  Main.Root.pair\n");
    Told("6 times  Main.Root.nested\n");
    Check.That(NOT Tells("Root.cache"), "marked");
    Check.That(NOT Tells("Root.marked"), "a marked record");
    Check.That(NOT Tells("print"), "a record of the same fields");
    Told("1 times  Main.One");
    Told("3 times  Main.Row[]");
    Told("6 times  Main.Rows[]");
    Told("5000 times  Main.Parts[]");
  END AllTold;

BEGIN
  DatabaseStatistics.ReportCommits();
  FOR i := 0 TO LAST(none.byte) DO none.byte[i] := 0 END;
  tr.begin();
  root.print := Fingerprint.FromText("a");
  root.pair.print := root.print;
  root.one := NEW(One);
  root.row := NEW(Row, 3);
  root.rows := NEW(Rows, 2, 3);
  root.parts := NEW(Parts, Many);
  SetAll(weak);
  db.setRoot(any);
  Commit();
  AllTold();

  tr.begin();
  SetAll(none);
  Commit();
  Check.That(NOT Tells("not kept"), "there are none any more");
  tr.begin();
  SetAll(weak);
  root.address := ADR(target);
  Commit();
  AllTold();
  Told("1 times  Main.Root.address\n");
  tr.begin();
  root.tag := 1;
  root.row[0] := none;
  Commit();
  Check.That(NOT Tells("not kept"), "what has not changed is not told again");
  tr.begin();
  root.parts[Many - 1].weak := none;
  root.parts[0].weak := WeakRef.FromRef(target);
  root.row[1] := WeakRef.FromRef(target);
  Commit();
  Told("1 times  Main.Parts[]");
  Told("1 times  Main.Row[]");
  Check.Done();
END Main.
(* expect: all checks hold *)
