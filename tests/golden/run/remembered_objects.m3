(* golden: run, @M3gcremember=object, @M3paranoidgc, @M3nursery=1M, stress=500 *)
(* Old objects are made to refer to young ones in all ways: by fields, elements, VAR parameters,
   WITH, and copies of several words. The young objects live, move and are dropped. *)
MODULE Main;

IMPORT IO, RTCollector;

TYPE
  Cell = REF RECORD value: INTEGER; next: Cell END;
  Pair = RECORD a, b: Cell END;
  Box = REF RECORD pairs: ARRAY [0..40] OF Pair; one: Cell END;

VAR
  boxes: ARRAY [0..19] OF Box;
  large := NEW(REF ARRAY OF Cell, 3000);
  junk: Cell;
  sum := 0;

PROCEDURE New(value: INTEGER): Cell =
  BEGIN
    RETURN NEW(Cell, value := value, next := NEW(Cell, value := 1));
  END New;

PROCEDURE Set(VAR cell: Cell; value: INTEGER) =
  BEGIN
    cell := New(value);
  END Set;

PROCEDURE Churn() =
  BEGIN
    FOR i := 1 TO 60000 DO junk := NEW(Cell, value := i) END;
  END Churn;

PROCEDURE SumOf(cell: Cell): INTEGER =
  BEGIN
    IF cell = NIL THEN RETURN 0 ELSE RETURN cell.value + SumOf(cell.next) END;
  END SumOf;

BEGIN
  FOR i := FIRST(boxes) TO LAST(boxes) DO boxes[i] := NEW(Box) END;
  RTCollector.Collect();
  FOR round := 1 TO 12 DO
    FOR i := FIRST(boxes) TO LAST(boxes) DO
      boxes[i].one := New(round);
      Set(boxes[i].pairs[(i + round) MOD 41].a, i);
      WITH pair = boxes[i].pairs[(7 * i + round) MOD 41] DO pair.b := New(2 * i) END;
      boxes[i].pairs[40 - i] := Pair{New(3), NIL};
      large[(i * 149 + round * 31) MOD NUMBER(large^)] := New(i);
      IF round MOD 4 = 0 THEN boxes[i].pairs[round] := Pair{NIL, NIL} END;
    END;
    SUBARRAY(large^, round * 100, 20) := SUBARRAY(large^, 0, 20);
    Churn();
  END;
  FOR i := FIRST(boxes) TO LAST(boxes) DO
    INC(sum, SumOf(boxes[i].one));
    FOR j := FIRST(boxes[i].pairs) TO LAST(boxes[i].pairs) DO
      INC(sum, SumOf(boxes[i].pairs[j].a) + SumOf(boxes[i].pairs[j].b));
    END;
  END;
  FOR i := FIRST(large^) TO LAST(large^) DO INC(sum, SumOf(large[i])) END;
  IO.PutInt(sum); IO.Put("\n");
END Main.
(* expect: 9552 *)
