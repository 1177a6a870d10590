(* golden: persist, @M3nursery=1M, stress=2000, with lib/Store, lib/Check *)
(* Thousands of objects become persistent, young ones and old ones. Minor collections move the
   young ones to their homes in parts; meanwhile some are written, in transactions that commit
   and that abort, and refer to fresh objects. *)
MODULE Main;

IMPORT Check, Database, Process, RTCollector, Store, Transaction;

<*FATAL ANY*>

CONST
  Count = 6000;

TYPE
  Cell = REF RECORD number: INTEGER; other: Cell END;
  Cells = REF ARRAY OF Cell;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  cells: Cells;
  junk: REF ARRAY OF CHAR;

PROCEDURE Churn(megabytes: INTEGER) =
  BEGIN
    FOR i := 1 TO megabytes * 1024 DO junk := NEW(REF ARRAY OF CHAR, 1000) END;
  END Churn;

PROCEDURE Sum(): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 0 TO LAST(cells^) DO
      INC(sum, cells[i].number);
      IF cells[i].other # NIL THEN INC(sum, 1000000 * cells[i].other.number) END;
    END;
    RETURN sum;
  END Sum;

PROCEDURE Link(step: INTEGER) =
  BEGIN
    FOR i := 0 TO LAST(cells^) BY step DO
      cells[i].other := NEW(Cell, number := 1);
      INC(cells[i].number);
    END;
  END Link;

BEGIN
  tr.begin();
  cells := db.getRoot();
  IF cells = NIL THEN
    cells := NEW(Cells, Count);
    FOR i := 0 TO Count DIV 2 - 1 DO cells[i] := NEW(Cell, number := i) END;
    RTCollector.Collect();
    FOR i := Count DIV 2 TO Count - 1 DO cells[i] := NEW(Cell, number := i) END;
    db.setRoot(cells);
    tr.commit();
    Check.Int(Sum(), 17997000, "captured");
    FOR round := 1 TO 4 DO
      Churn(2);
      tr.begin();
      Link(round * 7);
      Churn(1);
      tr.abort();
      Check.Int(Sum(), 17997000, "aborted");
    END;
    tr.begin();
    Link(10);
    Churn(3);
    Check.Int(Sum(), 617997600, "written");
    tr.commit();
    Churn(8);
    Check.Int(Sum(), 617997600, "committed");
    RTCollector.Collect();
    Check.Int(Sum(), 617997600, "collected");
    Check.Done();
    Process.Exit();
  END;
  Check.Int(Sum(), 617997600, "reopened");
  tr.commit();
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
