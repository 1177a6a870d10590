GENERIC MODULE ListSort(Elem);

PROCEDURE Sort(l: T; c := Elem.Compare): T =
  VAR copy, last: T := NIL;
  BEGIN
    WHILE l # NIL DO
      WITH cell = NEW(T, head := l.head, tail := NIL) DO
        IF last = NIL THEN copy := cell ELSE last.tail := cell END;
        last := cell;
      END;
      l := l.tail;
    END;
    RETURN SortD(copy, c);
  END Sort;

(* Merges runs from the bottom: pending[i] is NIL or a sorted list of 2 to the power of i cells,
   whose cells all come before the cells of the pending lists with smaller i. *)
PROCEDURE SortD(l: T; c := Elem.Compare): T =
  VAR pending: ARRAY [0..BITSIZE(INTEGER) - 1] OF T;  top: CARDINAL := 0;  run: T;  i: CARDINAL;
  BEGIN
    WHILE l # NIL DO
      run := l;
      l := l.tail;
      run.tail := NIL;
      i := 0;
      WHILE i < top AND pending[i] # NIL DO
        run := Merge(pending[i], run, c);
        pending[i] := NIL;
        INC(i);
      END;
      IF i = top THEN INC(top) END;
      pending[i] := run;
    END;
    run := NIL;
    FOR j := 0 TO top - 1 DO
      IF pending[j] # NIL THEN run := Merge(pending[j], run, c) END;
    END;
    RETURN run;
  END SortD;

(* Among equal elements, the elements of a come first. *)
PROCEDURE Merge(a, b: T; c := Elem.Compare): T =
  VAR first, last: T := NIL;
  BEGIN
    IF a = NIL THEN RETURN b END;
    IF b = NIL THEN RETURN a END;
    IF c(b.head, a.head) < 0 THEN
      first := b;
      b := b.tail;
    ELSE
      first := a;
      a := a.tail;
    END;
    last := first;
    WHILE a # NIL AND b # NIL DO
      IF c(b.head, a.head) < 0 THEN
        last.tail := b;
        last := b;
        b := b.tail;
      ELSE
        last.tail := a;
        last := a;
        a := a.tail;
      END;
    END;
    IF a # NIL THEN last.tail := a ELSE last.tail := b END;
    RETURN first;
  END Merge;

BEGIN
END ListSort.
