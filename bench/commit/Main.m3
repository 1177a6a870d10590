(* What a commit costs, beside a heap and a database of chosen sizes.

     commit DIR HEAP RESIDENT [all]

   HEAP MB of live transient objects and RESIDENT MB of persistent ones in memory. With `all` once more beside 4 MB of
   live young objects, and beside 100,000 old objects that have been committed and not moved. One line for each kind and
   number of objects: beside what, the kind and the number, the median of the commits' times in ms and of the processor
   time that they took, and the bytes that one adds to the log. *)
MODULE Main;

IMPORT
  Database, DatabaseStatistics, Fmt, IO, Params, Process, RTCollector, Scan, Text, Thread, Tick, Transaction,
  Uresource;

<*FATAL ANY*>

CONST
  Megabyte = 1024 * 1024;
  CellBytes = 64;       (* with its header *)
  BulkBytes = 256;
  Numbers = ARRAY OF INTEGER{1, 10, 400, 10000};
  NurseryBytes = 4 * Megabyte;
  Displaced = 100000;

TYPE
  Cell = REF RECORD next: Cell; a, b, c, d, e, f: INTEGER END;
  Cells = REF ARRAY OF Cell;
  (* What is only there. *)
  Bulk = REF RECORD next: Bulk; rest: ARRAY [0 .. 29] OF INTEGER END;
  Roots = REF RECORD old: REF ARRAY OF Bulk; changed: Cells; fresh: Cell; displaced: Cell END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  transient: Bulk;
  young, displaced: Cell;
  roots := NEW(Roots);

PROCEDURE List(count: INTEGER): Cell =
  VAR head: Cell := NIL;
  BEGIN
    FOR i := 1 TO count DO head := NEW(Cell, next := head, a := i) END;
    RETURN head;
  END List;

PROCEDURE Much(bytes: INTEGER): Bulk =
  VAR head: Bulk := NIL;
  BEGIN
    FOR i := 1 TO bytes DIV BulkBytes DO head := NEW(Bulk, next := head) END;
    RETURN head;
  END Much;

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

(* Of this process, in ms. *)
PROCEDURE ProcessorTime(): LONGREAL =
  VAR usage: Uresource.struct_rusage;
  BEGIN
    EVAL Uresource.getrusage(Uresource.RUSAGE_SELF, usage);
    RETURN FLOAT((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000, LONGREAL)
             + FLOAT(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec, LONGREAL) / 1000.0d0;
  END ProcessorTime;

PROCEDURE Median(VAR times: ARRAY OF LONGREAL): TEXT =
  BEGIN
    Sort(times);
    RETURN Fmt.LongReal(times[NUMBER(times) DIV 2], Fmt.Style.Fix, 4);
  END Median;

(* The cells that are changed lie on pages of their own and together, as what a transaction changes often does. *)
PROCEDURE Measure(beside, kind: TEXT; count: INTEGER; new: BOOLEAN) =
  VAR
    rounds := MAX(5, MIN(60, 8000 DIV count));
    times := NEW(REF ARRAY OF LONGREAL, rounds);
    processor := NEW(REF ARRAY OF LONGREAL, rounds);
    log: INTEGER;
    start: Tick.T;
    spent: LONGREAL;
  BEGIN
    (* What earlier commits have left to be done later is not this one's. *)
    Thread.Pause(0.4d0);
    log := DatabaseStatistics.Get(DatabaseStatistics.Kind.LogBytes);
    FOR round := 0 TO rounds - 1 DO
      tr.begin();
      IF new THEN
        roots.fresh := List(count);
      ELSE
        FOR i := 0 TO count - 1 DO INC(roots.changed[i].b) END;
      END;
      spent := ProcessorTime();
      start := Tick.Now();
      tr.commit();
      times[round] := Tick.ToSeconds(Tick.Now() - start) * 1000.0d0;
      processor[round] := ProcessorTime() - spent;
    END;
    Thread.Pause(0.4d0);
    log := DatabaseStatistics.Get(DatabaseStatistics.Kind.LogBytes) - log;
    IO.Put(Fmt.F("%s %s-%s %s", beside, kind, Fmt.Int(count), Median(times^)));
    IO.Put(Fmt.F(" ms %s processor %s log\n", Median(processor^), Fmt.Int(log DIV rounds)));
  END Measure;

PROCEDURE MeasureAll(beside: TEXT) =
  BEGIN
    FOR i := FIRST(Numbers) TO LAST(Numbers) DO
      Measure(beside, "new", Numbers[i], TRUE);
      Measure(beside, "changed", Numbers[i], FALSE);
    END;
  END MeasureAll;

PROCEDURE Build(resident: INTEGER) =
  BEGIN
    tr.begin();
    db.setRoot(roots);
    roots.changed := NEW(Cells, Numbers[LAST(Numbers)]);
    FOR i := 0 TO LAST(roots.changed^) DO roots.changed[i] := NEW(Cell) END;
    tr.checkpoint();
    RTCollector.Collect();
    roots.old := NEW(REF ARRAY OF Bulk, 64);
    FOR i := 0 TO LAST(roots.old^) DO
      roots.old[i] := Much(resident * Megabyte DIV NUMBER(roots.old^));
      tr.checkpoint();
    END;
    tr.commit();
    RTCollector.Collect();
  END Build;

BEGIN
  IF Params.Count < 4 OR Params.Count > 5 OR Params.Count = 5 AND NOT Text.Equal(Params.Get(4), "all") THEN
    IO.Put("usage: commit DIR HEAP-MB RESIDENT-MB [all]\n");
    Process.Exit(2);
  END;
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  transient := Much(Number(2) * Megabyte);
  RTCollector.Collect();
  Build(Number(3));
  IO.Put(Fmt.F("built in %s s\n", Fmt.LongReal(ProcessorTime() / 1000.0d0, Fmt.Style.Fix, 1)));
  (* The next checkpoint is about this. *)
  Thread.Pause(5.5d0);
  MeasureAll("plain");
  IF Params.Count = 5 THEN
    RTCollector.Collect();
    young := List(NurseryBytes DIV CellBytes);
    MeasureAll("nursery");
    young := NIL;
    displaced := List(Displaced);
    RTCollector.Collect();
    (* Old already, so no minor collection sends them home. *)
    tr.begin();
    roots.displaced := displaced;
    tr.commit();
    MeasureAll("displaced");
    IO.Put(Fmt.F("displaced %s\n",
                 Fmt.Int(DatabaseStatistics.Get(DatabaseStatistics.Kind.ObjectsDisplaced))));
  END;
  db.close();
END Main.
