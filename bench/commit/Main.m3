(* What a commit costs, beside a heap and a database of chosen sizes.

     commit DIR HEAP RESIDENT DISPLACED

   HEAP MB of live transient objects and RESIDENT MB of persistent ones in memory; with DISPLACED not 0, so many old
   objects that have been committed and not moved. One line for each kind and number of objects: the kind and the number, the
   median of the commits' times in ms, and the bytes that one adds to the log. *)
MODULE Main;

IMPORT Database, DatabaseStatistics, Fmt, IO, Params, Process, RTCollector, Scan, Tick, Transaction;

<*FATAL ANY*>

CONST
  Megabyte = 1024 * 1024;
  CellBytes = 64;       (* with its header *)
  Numbers = ARRAY OF INTEGER{1, 10, 400, 10000};

TYPE
  Cell = REF RECORD next: Cell; a, b, c, d, e, f: INTEGER END;
  Cells = REF ARRAY OF Cell;
  Roots = REF RECORD old: Cells; changed: Cells; fresh: Cell; displaced: Cell END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  transient, displaced: Cell;
  roots := NEW(Roots);

PROCEDURE List(count: INTEGER): Cell =
  VAR head: Cell := NIL;
  BEGIN
    FOR i := 1 TO count DO head := NEW(Cell, next := head, a := i) END;
    RETURN head;
  END List;

PROCEDURE Number(i: INTEGER): INTEGER =
  BEGIN
    RETURN Scan.Int(Params.Get(i));
  END Number;

(* There are few. *)
PROCEDURE Sort(VAR times: ARRAY OF LONGREAL) =
  VAR time: LONGREAL;  j: INTEGER;
  BEGIN
    FOR i := 1 TO LAST(times) DO
      time := times[i];
      j := i;
      WHILE j > 0 AND times[j - 1] > time DO
        times[j] := times[j - 1];
        DEC(j);
      END;
      times[j] := time;
    END;
  END Sort;

(* The cells that are changed lie on pages of their own and together, as what a transaction changes often does. *)
PROCEDURE Measure(kind: TEXT; count: INTEGER; new: BOOLEAN) =
  VAR
    rounds := MAX(5, MIN(200, 20000 DIV count));
    times := NEW(REF ARRAY OF LONGREAL, rounds);
    log: INTEGER;
    start: Tick.T;
  BEGIN
    log := DatabaseStatistics.Get(DatabaseStatistics.Kind.LogBytes);
    FOR round := 0 TO rounds - 1 DO
      tr.begin();
      IF new THEN
        roots.fresh := List(count);
      ELSE
        FOR i := 0 TO count - 1 DO INC(roots.changed[i].b) END;
      END;
      start := Tick.Now();
      tr.commit();
      times[round] := Tick.ToSeconds(Tick.Now() - start) * 1000.0d0;
    END;
    Sort(times^);
    IO.Put(Fmt.F("%s-%s %s ms %s\n", kind, Fmt.Int(count),
                 Fmt.LongReal(times[rounds DIV 2], Fmt.Style.Fix, 4),
                 Fmt.Int((DatabaseStatistics.Get(DatabaseStatistics.Kind.LogBytes) - log) DIV rounds)));
  END Measure;

PROCEDURE Build(resident: INTEGER) =
  BEGIN
    tr.begin();
    db.setRoot(roots);
    roots.changed := NEW(Cells, Numbers[LAST(Numbers)]);
    FOR i := 0 TO LAST(roots.changed^) DO roots.changed[i] := NEW(Cell) END;
    tr.checkpoint();
    RTCollector.Collect();
    roots.old := NEW(Cells, 64);
    FOR i := 0 TO LAST(roots.old^) DO
      roots.old[i] := List(resident * Megabyte DIV CellBytes DIV NUMBER(roots.old^));
      tr.checkpoint();
    END;
    tr.commit();
    RTCollector.Collect();
  END Build;

BEGIN
  IF Params.Count # 5 THEN
    IO.Put("usage: commit DIR HEAP-MB RESIDENT-MB DISPLACED\n");
    Process.Exit(2);
  END;
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  transient := List(Number(2) * Megabyte DIV CellBytes);
  displaced := List(Number(4));
  RTCollector.Collect();
  Build(Number(3));
  (* Old already, so no minor collection sends them home. *)
  tr.begin();
  roots.displaced := displaced;
  tr.commit();
  FOR i := FIRST(Numbers) TO LAST(Numbers) DO
    Measure("new", Numbers[i], TRUE);
    Measure("changed", Numbers[i], FALSE);
  END;
  IO.Put(Fmt.F("displaced %s\n",
               Fmt.Int(DatabaseStatistics.Get(DatabaseStatistics.Kind.ObjectsDisplaced))));
  db.close();
END Main.
