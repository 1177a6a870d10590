(* golden: persist, with lib/Store, lib/Check *)
(* Large objects become persistent: arrays of numbers and of references, longer than pages. *)
MODULE Main;

IMPORT Check, Database, Fmt, IO, Process, RTCollector, Store, Text, Transaction;

<*FATAL ANY*>

TYPE
  Cell = REF RECORD
    number: INTEGER;
    name: TEXT;
    next: Cell;
    numbers: REF ARRAY OF INTEGER;
    cells: REF ARRAY OF Cell;
    text: TEXT;
  END;

CONST
  Numbers = 20000;
  Cells = 1500;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Cell;

PROCEDURE CheckAll(cell: Cell; plus: INTEGER; when: TEXT) =
  VAR right := TRUE;
  BEGIN
    Check.Int(NUMBER(cell.numbers^), Numbers, when & ": how many numbers");
    FOR i := 0 TO Numbers - 1 DO
      IF cell.numbers[i] # 3 * i + plus THEN right := FALSE END;
    END;
    Check.That(right, when & ": numbers");
    FOR i := 0 TO Cells - 1 DO
      IF cell.cells[i].number # i THEN right := FALSE END;
    END;
    Check.That(right, when & ": cells");
    Check.Int(Text.Length(cell.text), 50000, when & ": length of the text");
    Check.That(Text.GetChar(cell.text, 49999) = 'z', when & ": end of the text");
  END CheckAll;

PROCEDURE Build(): Cell =
  VAR
    cell := NEW(Cell, number := 17, name := "large");
    chars := NEW(REF ARRAY OF CHAR, 50000);
  BEGIN
    cell.numbers := NEW(REF ARRAY OF INTEGER, Numbers);
    FOR i := 0 TO Numbers - 1 DO cell.numbers[i] := 3 * i END;
    cell.cells := NEW(REF ARRAY OF Cell, Cells);
    FOR i := 0 TO Cells - 1 DO cell.cells[i] := NEW(Cell, number := i, name := Fmt.Int(i)) END;
    FOR i := 0 TO LAST(chars^) DO chars[i] := 'z' END;
    cell.text := Text.FromChars(chars^);
    RETURN cell;
  END Build;

PROCEDURE Add(cell: Cell; n: INTEGER) =
  BEGIN
    FOR i := 0 TO Numbers - 1 DO INC(cell.numbers[i], n) END;
  END Add;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    (* First run: the root, an object of its own page, is persistent and at home. *)
    db.setRoot(NEW(Cell, number := 0, name := "root"));
    tr.commit();
    IO.Put("made\n");
    Process.Exit();
  END;
  IF root.next = NIL THEN
    root.next := Build();
    tr.commit();
    CheckAll(root.next, 0, "captured");
    RTCollector.Collect();
    CheckAll(root.next, 0, "collected");
    tr.begin();
    Add(root.next, 5);
    tr.abort();
    CheckAll(root.next, 0, "aborted");
    tr.begin();
    Add(root.next, 7);
    tr.commit();
    RTCollector.Collect();
    CheckAll(root.next, 7, "written");
    tr.begin();
  ELSE
    CheckAll(root.next, 7, "reopened");
    Check.Text(root.next.cells[Cells - 1].name, "1499", "reopened: a small object");
  END;
  tr.commit();
  Check.Done();
END Main.
(* expect: made *)
(* restart *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
