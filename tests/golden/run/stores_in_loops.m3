(* golden: run, @M3paranoidgc, @M3nursery=256K, stress=5000 *)
(* Loops that store many references have no write barriers but mark their cards at the end, or
   earlier if a collection or an exception comes. Another thread collects all the time; old
   arrays must keep their young objects. *)
MODULE Main;

IMPORT IO, Fmt, RTCollector, RuntimeError, Thread;

TYPE
  Cell = REF RECORD value: INTEGER;  next: Cell END;
  Cells = REF ARRAY OF Cell;
  Pair = RECORD number: INTEGER;  cell: Cell END;
  Pairs = REF ARRAY OF Pair;

CONST N = 12000;  Rounds = 10;

VAR
  old := NEW(Cells, N);
  other := NEW(Cells, N);
  pairs := NEW(Pairs, N);
  places := NEW(REF ARRAY OF INTEGER, N);
  done := FALSE;
  mistakes := 0;

PROCEDURE Collect(<*UNUSED*> closure: Thread.Closure): REFANY =
  VAR list: Cell;
  BEGIN
    WHILE NOT done DO
      list := NIL;
      FOR i := 1 TO 500 DO list := NEW(Cell, value := i, next := list) END;
      IF list.value # 500 THEN INC(mistakes) END;
    END;
    RETURN NIL;
  END Collect;

PROCEDURE Young(base: INTEGER): Cells =
  VAR a := NEW(Cells, N);
  BEGIN
    FOR i := 0 TO N - 1 DO a[i] := NEW(Cell, value := base + i) END;
    RETURN a;
  END Young;

PROCEDURE Check(a: Cells; from, to, first, step: INTEGER) =
  BEGIN
    FOR i := from TO to DO
      IF a[i].value # first + (i - from) * step THEN INC(mistakes) END;
    END;
  END Check;

PROCEDURE Ascending(to, from: Cells) =
  BEGIN
    FOR i := 0 TO LAST(to^) DO to[i] := from[i] END;
  END Ascending;

PROCEDURE Descending(to, from: Cells) =
  BEGIN
    FOR i := LAST(to^) TO 0 BY -1 DO to[i] := from[LAST(from^) - i] END;
  END Descending;

PROCEDURE Part(to, from: Cells; first, last: INTEGER) =
  BEGIN
    FOR i := first TO last DO to[i] := from[i] END;
  END Part;

PROCEDURE IntoRecords(to: Pairs; from: Cells) =
  BEGIN
    FOR i := 0 TO LAST(to^) DO to[i].cell := from[i];  to[i].number := i END;
  END IntoRecords;

PROCEDURE Exchange(a, b: Cells) =
  VAR cell: Cell;
  BEGIN
    FOR i := 0 TO LAST(a^) DO cell := a[i];  a[i] := b[i];  b[i] := cell END;
  END Exchange;

(* Ends with an error at the index that is out of range. *)
PROCEDURE ByPlaces(to, from: Cells) =
  BEGIN
    FOR i := 0 TO LAST(to^) DO to[i] := from[places[i]] END;
  END ByPlaces;

(* Ends with an error at the cell that has no next. *)
PROCEDURE Nexts(to, from: Cells) =
  BEGIN
    FOR i := 0 TO LAST(to^) DO to[i] := from[i].next END;
  END Nexts;

PROCEDURE Interrupted(round: INTEGER) =
  CONST Bad = N DIV 2 + 7;
  VAR young := Young(round);  errors := 0;
  BEGIN
    FOR i := 0 TO N - 1 DO old[i] := NIL;  places[i] := i END;
    places[Bad] := N;
    TRY ByPlaces(old, young) EXCEPT RuntimeError.E => INC(errors) END;
    young := NIL;
    RTCollector.Collect();
    Check(old, 0, Bad - 1, round, 1);
    FOR i := Bad TO N - 1 DO IF old[i] # NIL THEN INC(mistakes) END END;

    young := Young(round);
    FOR i := 0 TO N - 1 DO
      IF i # Bad THEN young[i].next := NEW(Cell, value := round - i) END;
    END;
    young[Bad] := NIL;
    TRY Nexts(old, young) EXCEPT RuntimeError.E => INC(errors) END;
    young := NIL;
    RTCollector.Collect();
    Check(old, 0, Bad - 1, round, -1);
    IF errors # 2 THEN INC(mistakes) END;
  END Interrupted;

VAR thread := Thread.Fork(NEW(Thread.Closure, apply := Collect));
<*FATAL Thread.Alerted*>
BEGIN
  RTCollector.Collect();  (* the arrays are old now *)
  FOR round := 1 TO Rounds DO
    Ascending(old, Young(round));
    Descending(other, Young(-round));
    Check(old, 0, N - 1, round, 1);
    Check(other, 0, N - 1, -round + N - 1, -1);
    Exchange(old, other);
    Check(other, 0, N - 1, round, 1);
    Check(old, 0, N - 1, -round + N - 1, -1);
    IntoRecords(pairs, Young(2 * round));
    Part(old, Young(3 * round), round, N - 1 - round);
    Check(old, round, N - 1 - round, 4 * round, 1);
    FOR i := 0 TO N - 1 DO
      IF pairs[i].cell.value # 2 * round + i OR pairs[i].number # i THEN INC(mistakes) END;
    END;
    IF round MOD 5 = 0 THEN Interrupted(round) END;
  END;
  done := TRUE;
  EVAL Thread.Join(thread);
  IO.Put(Fmt.Int(mistakes) & "\n");
END Main.
(* expect: 0 *)
