(* golden: persist, with lib/Store, lib/Check, @M3dbcache=2M *)
(* C code may lock the process's memory: the run time's reserved addresses are not filled by that,
   and frames of databases are still closed and used for other pages. *)
(* unit: Memory.i3 *)
UNSAFE INTERFACE Memory;
TYPE Int = [-16_80000000 .. 16_7fffffff];
<*EXTERNAL mlockall*> PROCEDURE LockAll(flags: Int): Int;
END Memory.
(* unit: Main.m3 *)
UNSAFE MODULE Main;

IMPORT Check, Database, Memory, RTCollector, Store, Transaction;

<*FATAL ANY*>

CONST
  CurrentAndFuture = 3;
  Cells = 5000;  (* 4 MB, and frames have less *)

TYPE
  Cell = REF RECORD number: INTEGER; next: Cell; filler: ARRAY [0..99] OF INTEGER END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  first: Cell;

PROCEDURE Make() =
  BEGIN
    tr.begin();
    first := NIL;
    FOR i := 1 TO Cells DO first := NEW(Cell, number := i, next := first) END;
    db.setRoot(first);
    tr.commit();
    first := NIL;
  END Make;

PROCEDURE Sum(): INTEGER =
  VAR sum := 0;  cell: Cell;
  BEGIN
    tr.begin();
    cell := db.getRoot();
    WHILE cell # NIL DO INC(sum, cell.number); cell := cell.next END;
    tr.commit();
    RETURN sum;
  END Sum;

BEGIN
  (* A user may have no right to lock: then everything is as before. *)
  EVAL Memory.LockAll(CurrentAndFuture);
  db := Store.Open();
  Make();
  FOR i := 1 TO 3 DO
    Check.Int(Sum(), Cells * (Cells + 1) DIV 2, "read");
    RTCollector.Collect();
  END;
  EVAL Memory.LockAll(CurrentAndFuture);
  Check.Int(Sum(), Cells * (Cells + 1) DIV 2, "read afterwards");
  Check.Done();
END Main.
(* expect: all checks hold *)
