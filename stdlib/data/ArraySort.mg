GENERIC MODULE ArraySort(Elem);

CONST
  Short = 12;  (* sorted by insertion *)

PROCEDURE Sort(VAR a: ARRAY OF Elem.T; cmp := Elem.Compare) =
  VAR depth: CARDINAL := 0;  n := NUMBER(a);
  BEGIN
    WHILE n > 1 DO n := n DIV 2; INC(depth, 2) END;
    IF cmp = Elem.Compare THEN
      IF IsSorted(a) THEN RETURN END;
      IF BYTESIZE(Elem.T) <= BYTESIZE(INTEGER) THEN
        PartWithoutJumps(a, depth);
      ELSE
        PartByCompare(a, 0, NUMBER(a), depth);
      END;
      InsertByCompare(a);
    ELSE
      Part(a, 0, NUMBER(a), depth, cmp);
      Insert(a, cmp);
    END;
  END Sort;

(* A sorted array is not written, since it may be persistent. *)
PROCEDURE IsSorted(READONLY a: ARRAY OF Elem.T): BOOLEAN =
  BEGIN
    FOR i := 1 TO LAST(a) DO
      IF Elem.Compare(a[i - 1], a[i]) > 0 THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END IsSorted;

(* Quicksort of a[low..high-1] down to short parts; `depth` limits the number of partitions; if
   the parts do not shrink fast enough, heap sort takes over. *)
PROCEDURE Part(VAR a: ARRAY OF Elem.T; low, high: CARDINAL; depth: CARDINAL;
               cmp := Elem.Compare) =
  VAR i, j: INTEGER;  pivot, t: Elem.T;
  BEGIN
    WHILE high - low > Short DO
      IF depth = 0 THEN
        HeapSort(SUBARRAY(a, low, high - low), cmp);
        RETURN;
      END;
      DEC(depth);
      (* The median of the first, the middle and the last; the outer two then stop the scans. *)
      WITH first = a[low], middle = a[low + (high - low) DIV 2], last = a[high - 1] DO
        IF cmp(middle, first) < 0 THEN t := first; first := middle; middle := t END;
        IF cmp(last, middle) < 0 THEN
          t := middle; middle := last; last := t;
          IF cmp(middle, first) < 0 THEN t := first; first := middle; middle := t END;
        END;
        pivot := middle;
      END;
      i := low;
      j := high - 1;
      LOOP
        REPEAT INC(i) UNTIL i >= high OR cmp(a[i], pivot) >= 0;
        REPEAT DEC(j) UNTIL j < low OR cmp(pivot, a[j]) >= 0;
        IF i >= j THEN EXIT END;
        t := a[i]; a[i] := a[j]; a[j] := t;
      END;
      (* Now a[low..i-1] <= pivot <= a[i..high-1], and neither part is empty: i > low, and i < high
         unless cmp is no order. *)
      i := MIN(i, high - 1);
      IF i - low < high - i THEN
        Part(a, low, i, depth, cmp);
        low := i;
      ELSE
        Part(a, i, high, depth, cmp);
        high := i;
      END;
    END;
  END Part;

PROCEDURE Insert(VAR a: ARRAY OF Elem.T; cmp := Elem.Compare) =
  VAR x: Elem.T;  j: INTEGER;
  BEGIN
    FOR i := 1 TO LAST(a) DO
      IF cmp(a[i], a[i - 1]) < 0 THEN
        x := a[i];
        j := i - 1;
        REPEAT
          a[j + 1] := a[j];
          DEC(j);
        UNTIL j < 0 OR cmp(x, a[j]) >= 0;
        a[j + 1] := x;
      END;
    END;
  END Insert;

(* The procedures from here to InsertByCompare call Elem.Compare directly, so that the compiler
   can inline it. *)

(* Small elements are moved in any case, whatever the comparison's result, so that there is no
   jump to predict. *)
PROCEDURE PartWithoutJumps(VAR a: ARRAY OF Elem.T; depth: CARDINAL) =
  VAR pivot, x: Elem.T;  n: CARDINAL;
  BEGIN
    IF NUMBER(a) <= Short THEN RETURN END;
    IF depth = 0 THEN HeapSort(a, Elem.Compare); RETURN END;
    MedianToFront(a);
    pivot := a[0];
    n := 0;
    FOR i := 1 TO LAST(a) DO
      (* a[1..n] < pivot <= a[n+1..i-1] *)
      x := a[i];
      a[i] := a[n + 1];
      a[n + 1] := x;
      INC(n, ORD(Elem.Compare(x, pivot) < 0));
    END;
    a[0] := a[n];
    a[n] := pivot;
    PartWithoutJumps(SUBARRAY(a, 0, n), depth - 1);
    INC(n);
    IF n < NUMBER(a) DIV 8 THEN
      (* There may be many elements equal to the pivot. *)
      FOR i := n TO LAST(a) DO
        x := a[i];
        a[i] := a[n];
        a[n] := x;
        INC(n, ORD(Elem.Compare(pivot, x) >= 0));
      END;
    END;
    PartWithoutJumps(SUBARRAY(a, n, NUMBER(a) - n), depth - 1);
  END PartWithoutJumps;

(* The median of the first, the middle and the last element. *)
PROCEDURE MedianToFront(VAR a: ARRAY OF Elem.T) =
  VAR t: Elem.T;
  BEGIN
    WITH first = a[0], middle = a[LAST(a) DIV 2], last = a[LAST(a)] DO
      IF Elem.Compare(first, middle) < 0 THEN t := first; first := middle; middle := t END;
      IF Elem.Compare(last, first) < 0 THEN
        t := first; first := last; last := t;
        IF Elem.Compare(first, middle) < 0 THEN t := first; first := middle; middle := t END;
      END;
    END;
  END MedianToFront;

PROCEDURE PartByCompare(VAR a: ARRAY OF Elem.T; low, high: CARDINAL; depth: CARDINAL) =
  VAR i, j: INTEGER;  pivot, t: Elem.T;
  BEGIN
    WHILE high - low > Short DO
      IF depth = 0 THEN
        HeapSort(SUBARRAY(a, low, high - low), Elem.Compare);
        RETURN;
      END;
      DEC(depth);
      (* The median of the first, the middle and the last; the outer two then stop the scans. *)
      WITH first = a[low], middle = a[low + (high - low) DIV 2], last = a[high - 1] DO
        IF Elem.Compare(middle, first) < 0 THEN t := first; first := middle; middle := t END;
        IF Elem.Compare(last, middle) < 0 THEN
          t := middle; middle := last; last := t;
          IF Elem.Compare(middle, first) < 0 THEN t := first; first := middle; middle := t END;
        END;
        pivot := middle;
      END;
      i := low;
      j := high - 1;
      LOOP
        REPEAT INC(i) UNTIL i >= high OR Elem.Compare(a[i], pivot) >= 0;
        REPEAT DEC(j) UNTIL j < low OR Elem.Compare(pivot, a[j]) >= 0;
        IF i >= j THEN EXIT END;
        t := a[i]; a[i] := a[j]; a[j] := t;
      END;
      (* Now a[low..i-1] <= pivot <= a[i..high-1], and neither part is empty: i > low, and i < high
         unless cmp is no order. *)
      i := MIN(i, high - 1);
      IF i - low < high - i THEN
        PartByCompare(a, low, i, depth);
        low := i;
      ELSE
        PartByCompare(a, i, high, depth);
        high := i;
      END;
    END;
  END PartByCompare;

PROCEDURE InsertByCompare(VAR a: ARRAY OF Elem.T) =
  VAR x: Elem.T;  j: INTEGER;
  BEGIN
    FOR i := 1 TO LAST(a) DO
      IF Elem.Compare(a[i], a[i - 1]) < 0 THEN
        x := a[i];
        j := i - 1;
        REPEAT
          a[j + 1] := a[j];
          DEC(j);
        UNTIL j < 0 OR Elem.Compare(x, a[j]) >= 0;
        a[j + 1] := x;
      END;
    END;
  END InsertByCompare;

PROCEDURE HeapSort(VAR a: ARRAY OF Elem.T; cmp := Elem.Compare) =
  VAR t: Elem.T;
  BEGIN
    FOR i := NUMBER(a) DIV 2 - 1 TO 0 BY -1 DO Sink(a, i, cmp) END;
    FOR last := LAST(a) TO 1 BY -1 DO
      t := a[0]; a[0] := a[last]; a[last] := t;
      Sink(SUBARRAY(a, 0, last), 0, cmp);
    END;
  END HeapSort;

(* Restores the heap, whose greatest element is the first, when element i may be too small. *)
PROCEDURE Sink(VAR a: ARRAY OF Elem.T; i: CARDINAL; cmp := Elem.Compare) =
  VAR x := a[i];  child: CARDINAL;
  BEGIN
    LOOP
      child := 2 * i + 1;
      IF child > LAST(a) THEN EXIT END;
      IF child < LAST(a) AND cmp(a[child], a[child + 1]) < 0 THEN INC(child) END;
      IF cmp(x, a[child]) >= 0 THEN EXIT END;
      a[i] := a[child];
      i := child;
    END;
    a[i] := x;
  END Sink;

BEGIN
END ArraySort.
