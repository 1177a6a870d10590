(* What do allocation, the write barrier and checks cost? Each line of output is NAME RESULT TIME
   ms PAUSES ms: the collector's pauses are part of the time. bench/mutator/mutator.cc does the
   same work in C++ with an arena, which has no pauses, and must come to the same results. *)
MODULE Main;

IMPORT Clock, Fmt, IO, Word;

TYPE
  Cell = REF RECORD next: Cell;  value: INTEGER END;
  Tree = REF RECORD left, right: Tree;  key: INTEGER END;
  Vector = REF ARRAY OF INTEGER;

VAR
  start, pausesBefore: INTEGER;

PROCEDURE Begin() =
  BEGIN
    pausesBefore := Clock.Collector(Clock.Pauses);
    start := Clock.Now();
  END Begin;

PROCEDURE Milliseconds(us: INTEGER): TEXT =
  BEGIN
    RETURN Fmt.LongReal(FLOAT(us, LONGREAL) / 1.0d3, Fmt.Style.Fix, 3) & " ms";
  END Milliseconds;

PROCEDURE End(name: TEXT; result: INTEGER) =
  VAR us := Clock.Now() - start;  pauses := Clock.Collector(Clock.Pauses) - pausesBefore;
  BEGIN
    IO.Put(name & " " & Fmt.Int(result) & " " & Milliseconds(us) & " " & Milliseconds(pauses) & "\n");
  END End;

PROCEDURE MakeList(n: INTEGER): Cell =
  VAR list: Cell := NIL;
  BEGIN
    FOR i := 1 TO n DO list := NEW(Cell, next := list, value := i) END;
    RETURN list;
  END MakeList;

PROCEDURE Sum(list: Cell): INTEGER =
  VAR sum := 0;
  BEGIN
    WHILE list # NIL DO INC(sum, list.value); list := list.next END;
    RETURN sum;
  END Sum;

PROCEDURE Reverse(list: Cell): Cell =
  VAR result, next: Cell := NIL;
  BEGIN
    WHILE list # NIL DO
      next := list.next;
      list.next := result;
      result := list;
      list := next;
    END;
    RETURN result;
  END Reverse;

PROCEDURE Lists() =
  VAR sum := 0;  list: Cell;
  BEGIN
    Begin();
    FOR round := 1 TO 20000 DO INC(sum, Sum(MakeList(1000))) END;
    End("list-make", sum);
    list := MakeList(1000);
    Begin();
    FOR round := 1 TO 50000 DO list := Reverse(list) END;
    End("list-reverse", Sum(list));
  END Lists;

PROCEDURE Insert(VAR t: Tree; key: INTEGER) =
  BEGIN
    IF t = NIL THEN
      t := NEW(Tree, key := key);
    ELSIF key < t.key THEN
      Insert(t.left, key);
    ELSIF key > t.key THEN
      Insert(t.right, key);
    END;
  END Insert;

PROCEDURE Depths(t: Tree; depth: INTEGER): INTEGER =
  BEGIN
    IF t = NIL THEN RETURN 0 END;
    RETURN depth + Depths(t.left, depth + 1) + Depths(t.right, depth + 1);
  END Depths;

PROCEDURE Make(depth: INTEGER): Tree =
  BEGIN
    IF depth = 0 THEN RETURN NEW(Tree) END;
    RETURN NEW(Tree, left := Make(depth - 1), right := Make(depth - 1));
  END Make;

PROCEDURE Trees() =
  VAR t: Tree;  state: Word.T := 1;  sum := 0;

  PROCEDURE MakeMany(name: TEXT) =
    BEGIN
      sum := 0;
      Begin();
      FOR round := 1 TO 3000 DO INC(sum, Depths(Make(12), 0)) END;
      End(name, sum);
    END MakeMany;

  BEGIN
    MakeMany("tree-make");
    MakeMany("tree-make-emptied");
    sum := 0;
    Begin();
    FOR round := 1 TO 200 DO
      t := NIL;
      FOR i := 1 TO 5000 DO
        state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
        Insert(t, Word.RightShift(state, 33));
      END;
      INC(sum, Depths(t, 0));
    END;
    End("tree-insert", sum);
    Begin();
    FOR round := 1 TO 5000 DO INC(sum, Depths(t, 0)) END;
    End("tree-walk", sum);
  END Trees;

PROCEDURE Arrays() =
  VAR a: Vector;  cells := NEW(REF ARRAY OF Cell, 1024);  sum := 0;
  BEGIN
    Begin();
    FOR round := 1 TO 10000000 DO
      a := NEW(Vector, 4);
      a[1] := round;
      INC(sum, a[1]);
    END;
    End("array-make", sum);
    a := NEW(Vector, 1000);
    sum := 0;
    Begin();
    FOR round := 1 TO 200000 DO
      FOR i := 0 TO LAST(a^) DO a[i] := a[i] + round; INC(sum, a[i]) END;
    END;
    End("array-sum", sum);
    Begin();
    FOR round := 1 TO 20000 DO
      FOR i := 0 TO LAST(a^) DO a[i] := Word.And(999 - i * 7919, 1023) END;
      FOR i := 1 TO LAST(a^) DO  (* insertion sort moves few elements here *)
        IF a[i] < a[i - 1] THEN
          VAR x := a[i]; BEGIN a[i] := a[i - 1]; a[i - 1] := x END;
        END;
        INC(sum, a[i]);
      END;
    END;
    End("array-swap", sum);
    Begin();
    FOR i := 0 TO LAST(cells^) DO cells[i] := NEW(Cell, value := i) END;
    FOR round := 1 TO 60000 DO
      FOR i := 0 TO LAST(cells^) DO cells[i] := cells[Word.And(i + 5, 1023)] END;
    END;
    End("array-of-references", cells[17].value);
  END Arrays;

BEGIN
  Lists();
  Trees();
  Arrays();
END Main.
