(* Sorts records by two keys, by a procedure that is passed on. Usage: Main N rounds. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Word;

<*FATAL ANY*>

CONST Count = 50000;

TYPE
  Item = RECORD key: INTEGER; weight: LONGREAL; number: CARDINAL END;
  Before = PROCEDURE (READONLY a, b: Item): BOOLEAN;

VAR state: Word.T := 1;  items := NEW(REF ARRAY OF Item, Count);

PROCEDURE Next(): INTEGER =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33);
  END Next;

PROCEDURE IsBefore(READONLY a, b: Item): BOOLEAN =
  BEGIN
    RETURN a.key < b.key OR a.key = b.key AND a.weight < b.weight;
  END IsBefore;

PROCEDURE Sort(VAR a: ARRAY OF Item; before: Before) =
  VAR i, j: INTEGER;  pivot, t: Item;
  BEGIN
    IF NUMBER(a) < 2 THEN RETURN END;
    pivot := a[NUMBER(a) DIV 2];
    i := 0;
    j := LAST(a);
    WHILE i <= j DO
      WHILE before(a[i], pivot) DO INC(i) END;
      WHILE before(pivot, a[j]) DO DEC(j) END;
      IF i <= j THEN
        t := a[i];  a[i] := a[j];  a[j] := t;
        INC(i);
        DEC(j);
      END;
    END;
    Sort(SUBARRAY(a, 0, j + 1), before);
    Sort(SUBARRAY(a, i, NUMBER(a) - i), before);
  END Sort;

VAR sum := 0;
BEGIN
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO
    FOR i := 0 TO Count - 1 DO
      items[i] := Item{Next() MOD 5000, FLOAT(Next(), LONGREAL), i};
    END;
    Sort(items^, IsBefore);
    FOR i := 0 TO Count - 1 BY 100 DO INC(sum, items[i].number * (i MOD 7)) END;
  END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
