(* golden: persist, @M3gcremember=object, @M3paranoidgc, @M3nursery=1M, stress=2000, with lib/Store, lib/Check *)
(* An array on several pages has a home and does not live there yet; it refers to fresh objects, and is remembered. Collections
   update it also when all its pages are protected, between transactions. *)
MODULE Main;

IMPORT Check, Database, RTCollector, Store, Transaction;

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
    FOR i := 0 TO LAST(cells^) DO INC(sum, cells[i].number) END;
    RETURN sum;
  END Sum;

BEGIN
  tr.begin();
  cells := db.getRoot();
  IF cells = NIL THEN
    cells := NEW(Cells, Count);
    FOR i := 0 TO LAST(cells^) DO cells[i] := NEW(Cell, number := i) END;
    RTCollector.Collect();
    db.setRoot(cells);
    tr.commit();
    FOR round := 1 TO 4 DO
      tr.begin();
      FOR i := 0 TO LAST(cells^) BY 7 DO cells[i] := NEW(Cell, number := cells[i].number + 1) END;
      tr.commit();
      Churn(3);
    END;
    tr.begin();
    Check.Int(Sum(), 17997000 + 4 * 858, "changed");
    tr.commit();
  ELSE
    Check.Int(Sum(), 17997000 + 4 * 858, "read");
    tr.commit();
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
