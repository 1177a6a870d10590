(* golden: persist, with lib/Store, lib/Check, @M3twins=24K *)
(* Pages that refer to new objects keep their images before changes until the commit. When these take all the
   room of @M3twins, a store to another page, which opens its neighbours too, ends all the same. *)
MODULE Main;

IMPORT Check, Database, Store, Transaction;

<*FATAL ANY*>

CONST
  Kept = 3;  (* pages of @M3twins *)

TYPE
  Row = REF RECORD new: REF INTEGER; a: ARRAY [0 .. 899] OF INTEGER END;  (* a page *)
  Rows = REF ARRAY OF Row;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  rows: Rows;
  state := 3;
  stores, sum := 0;

PROCEDURE Random(n: INTEGER): INTEGER =
  BEGIN
    state := (state * 1103515245 + 12345) MOD 2147483648;
    RETURN (state DIV 65536) MOD n;
  END Random;

PROCEDURE Change(times: INTEGER) =
  BEGIN
    FOR i := 1 TO times DO INC(rows[Random(20)].a[0]); INC(stores) END;
  END Change;

BEGIN
  tr.begin();
  rows := NEW(Rows, 100);
  FOR i := 0 TO LAST(rows^) DO rows[i] := NEW(Row) END;
  db.setRoot(rows);
  tr.commit();
  rows := NIL;
  db.close();
  db := Store.Open();
  FOR round := 1 TO 300 DO
    tr.begin();
    rows := db.getRoot();
    Change(Random(6 * Kept) + 1);
    tr.commit();
    tr.begin();
    rows := db.getRoot();
    FOR i := 1 TO Kept DO rows[20 + Random(80)].new := NEW(REF INTEGER) END;
    Change(Random(6 * Kept));
    tr.commit();
  END;
  rows := NIL;
  db.close();
  db := Store.Open();
  tr.begin();
  rows := db.getRoot();
  FOR i := 0 TO 19 DO INC(sum, rows[i].a[0]) END;
  tr.commit();
  Check.Int(sum, stores, "stores that are in the rows");
  Check.Done();  (* expect: all checks hold *)
END Main.
