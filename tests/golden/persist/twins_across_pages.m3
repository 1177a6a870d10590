(* golden: persist, with lib/Store, lib/Check, @M3twins=8K *)
(* An instruction that stores to both sides of a boundary of pages ends, though there is room for one image
   before changes only: the array assignments take instructions of 32 bytes and more. *)
MODULE Main;

IMPORT Check, Database, Store, Transaction;

<*FATAL ANY*>

TYPE
  Row = REF ARRAY OF CHAR;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  row: Row;
  wrong := 0;

BEGIN
  tr.begin();
  row := NEW(Row, 40000);
  FOR i := 0 TO LAST(row^) DO row[i] := VAL(i MOD 251, CHAR) END;
  db.setRoot(row);
  tr.commit();
  row := NIL;
  db.close();
  db := Store.Open();
  tr.begin();
  row := db.getRoot();
  FOR at := 8000 TO 8400 DO SUBARRAY(row^, at, 100) := SUBARRAY(row^, 0, 100) END;
  tr.commit();
  row := NIL;
  db.close();
  db := Store.Open();
  tr.begin();
  row := db.getRoot();
  FOR i := 8000 TO 8499 DO
    IF ORD(row[i]) # MAX(0, i - 8400) THEN INC(wrong) END;
  END;
  tr.commit();
  Check.Int(wrong, 0, "characters that differ");
  Check.Done();  (* expect: all checks hold *)
END Main.
