(* The cost of a commit, with a heap and a database of chosen sizes.

     commit DIR HEAP RESIDENT

   The program has HEAP MB of live transient objects and RESIDENT MB of persistent ones in memory.
   It reads commands from its input, so that several of these programs can take turns:

     new COUNT COMMITS      COMMITS commits, each of COUNT new objects
     changed COUNT COMMITS  COMMITS commits, each of COUNT changed objects
     young                  each later `new` and `changed` begins with 4 MB of live young objects
     displaced              each later one begins with 100,000 old displaced objects and no young ones

   For each command it prints a line for each commit (its elapsed time and its processor time, in
   ms), and then a line with the number of bytes written to all logs since the start. *)
MODULE Main;

IMPORT
  Database, DatabaseStatistics, Fmt, IO, Params, Process, RTCollector, Scan, Text, Thread, Tick, Transaction,
  Uresource;

<*FATAL ANY*>

CONST
  Megabyte = 1024 * 1024;
  CellBytes = 64;  (* with its header *)
  BulkBytes = 256;
  Changeable = 10000;
  NurseryBytes = 4 * Megabyte;
  Displaced = 100000;

TYPE
  Cell = REF RECORD next: Cell; a, b, c, d, e, f: INTEGER END;
  Cells = REF ARRAY OF Cell;
  (* Objects that only fill the heap. *)
  Bulk = REF RECORD next: Bulk; rest: ARRAY [0 .. 29] OF INTEGER END;
  Roots = REF RECORD old: REF ARRAY OF Bulk; changed: Cells; fresh: Cell; displaced: Cell END;

VAR
  db: Database.T;
  tr := NEW(Transaction.T);
  transient: Bulk;
  young, displaced: Cell;
  withYoung := FALSE;
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

(* The processor time of this process, in ms. *)
PROCEDURE ProcessorTime(): LONGREAL =
  VAR usage: Uresource.struct_rusage;
  BEGIN
    EVAL Uresource.getrusage(Uresource.RUSAGE_SELF, usage);
    RETURN FLOAT((usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000, LONGREAL)
      + FLOAT(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec, LONGREAL) / 1000.0d0;
  END ProcessorTime;

PROCEDURE Ms(time: LONGREAL): TEXT =
  BEGIN
    RETURN Fmt.LongReal(time, Fmt.Style.Fix, 4);
  END Ms;

(* The cells that are changed lie together on pages of their own, as is common for the objects of
   a transaction. *)
PROCEDURE Commits(new: BOOLEAN; count, commits: INTEGER) =
  VAR
    start: Tick.T;
    spent: LONGREAL;
    times, processor := NEW(REF ARRAY OF LONGREAL, commits);
  BEGIN
    IF withYoung THEN young := List(NurseryBytes DIV CellBytes) END;
    FOR i := 0 TO commits - 1 DO
      tr.begin();
      IF new THEN
        roots.fresh := List(count);
      ELSE
        FOR j := 0 TO count - 1 DO INC(roots.changed[j].b) END;
      END;
      spent := ProcessorTime();
      start := Tick.Now();
      tr.commit();
      times[i] := Tick.ToSeconds(Tick.Now() - start) * 1000.0d0;
      processor[i] := ProcessorTime() - spent;
    END;
    FOR i := 0 TO commits - 1 DO IO.Put(Fmt.F("%s %s\n", Ms(times[i]), Ms(processor[i]))) END;
  END Commits;

PROCEDURE MakeDisplaced() =
  BEGIN
    withYoung := FALSE;
    young := NIL;
    displaced := List(Displaced);
    RTCollector.Collect();
    (* The objects are already old, so no minor collection moves them to their homes. *)
    tr.begin();
    roots.displaced := displaced;
    tr.commit();
  END MakeDisplaced;

PROCEDURE Answer() =
  BEGIN
    IO.Put(Fmt.F("log %s\n", Fmt.Int(DatabaseStatistics.Get(DatabaseStatistics.Kind.LogBytes))));
  END Answer;

(* FALSE if the line is not one of the commands. *)
PROCEDURE Obey(line: TEXT): BOOLEAN =
  VAR first := Text.FindChar(line, ' ');  last := Text.FindCharR(line, ' ');
  BEGIN
    IF Text.Equal(line, "young") THEN
      withYoung := TRUE;
    ELSIF Text.Equal(line, "displaced") THEN
      MakeDisplaced();
    ELSIF 0 < first AND first < last THEN
      Commits(Text.Equal(Text.Sub(line, 0, first), "new"), Scan.Int(Text.Sub(line, first + 1, last - first - 1)),
              Scan.Int(Text.Sub(line, last + 1)));
    ELSE
      RETURN FALSE;
    END;
    Answer();
    RETURN TRUE;
  END Obey;

PROCEDURE Build(resident: INTEGER) =
  BEGIN
    tr.begin();
    db.setRoot(roots);
    roots.changed := NEW(Cells, Changeable);
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
  IF Params.Count # 4 THEN
    IO.Put("usage: commit DIR HEAP-MB RESIDENT-MB\n");
    Process.Exit(2);
  END;
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  transient := Much(Number(2) * Megabyte);
  RTCollector.Collect();
  Build(Number(3));
  Answer();
  WHILE NOT IO.EOF() DO
    WITH line = IO.GetLine() DO
      IF NOT Obey(line) THEN
        IO.Put("commit: there is no command " & line & "\n");
        Process.Exit(2);
      END;
    END;
  END;
  db.close();
END Main.
