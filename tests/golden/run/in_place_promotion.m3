(* golden: run, @M3gcinplace=always, @M3paranoidgc, @M3nursery=256K, stress=500 *)
(* Objects are promoted in place, beside garbage and pinned objects, in several threads that are
   stopped anywhere. *)
MODULE Main;

IMPORT IO, Thread;

CONST
  Workers = 3;
  Rounds = 12;
  Cells = 2000;

TYPE
  Cell = REF RECORD value: INTEGER; next, other: Cell := NIL END;
  Table = REF ARRAY OF Cell;
  Worker = Thread.Closure OBJECT
    table: Table;
    sum := 0;
    number: INTEGER;
  OVERRIDES
    apply := Work;
  END;

PROCEDURE List(length, value: INTEGER): Cell =
  VAR head: Cell := NIL; garbage: Cell;
  BEGIN
    FOR i := 1 TO length DO
      head := NEW(Cell, value := value + i, next := head);
      garbage := NEW(Cell, value := -1, next := head);
      IF i MOD 5 = 0 THEN garbage.other := garbage; head.other := head.next END;
    END;
    RETURN head;
  END List;

PROCEDURE Sum(cell: Cell): INTEGER =
  VAR sum := 0;
  BEGIN
    WHILE cell # NIL DO
      <*ASSERT cell.value > 0*>
      IF cell.other # NIL THEN <*ASSERT cell.other = cell.next*> END;
      INC(sum, cell.value);
      cell := cell.next;
    END;
    RETURN sum;
  END Sum;

PROCEDURE Work(self: Worker): REFANY =
  BEGIN
    FOR round := 1 TO Rounds DO
      (* Old objects refer to new ones, and new ones to old ones. *)
      FOR i := 0 TO LAST(self.table^) DO
        IF (i + round) MOD 3 = 0 THEN
          self.table[i] := List(Cells DIV NUMBER(self.table^), 1000 * self.number + i);
        ELSE
          self.table[i] := NEW(Cell, value := round, next := self.table[i]);
        END;
      END;
    END;
    FOR i := 0 TO LAST(self.table^) DO INC(self.sum, Sum(self.table[i])) END;
    RETURN NIL;
  END Work;

VAR
  workers: ARRAY [1..Workers] OF Worker;
  threads: ARRAY [1..Workers] OF Thread.T;

BEGIN
  FOR i := 1 TO Workers DO
    workers[i] := NEW(Worker, number := i, table := NEW(Table, 20 * i));
    threads[i] := Thread.Fork(workers[i]);
  END;
  FOR i := 1 TO Workers DO
    EVAL Thread.Join(threads[i]);
    IO.PutInt(workers[i].sum);
    IO.Put("\n");
  END;
END Main.
(* expect: 2120222 *)
(* expect: 4090455 *)
(* expect: 6032770 *)
