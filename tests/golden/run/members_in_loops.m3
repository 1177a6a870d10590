(* golden: run, with lib/Check *)
(* Loops that ask for the members of small sets, or make sets, with numbers that may lie outside of the sets (ranged_loops
   of the compiler): what lies outside is no member, and a set of it is an error where it is made. *)
MODULE Main;

IMPORT Check, RuntimeError;

TYPE
  Small = SET OF [0..63];
  Shifted = SET OF [-10..40];

CONST Range = RuntimeError.T.ValueOutOfRange;

VAR
  set: Small;
  shifted: Shifted;
  (* The optimiser does not know them. *)
  first, last, offset, made := 0;

PROCEDURE Count(): CARDINAL =
  VAR count: CARDINAL := 0;
  BEGIN
    FOR i := first TO last DO
      IF i + offset IN set AND NOT offset - i IN set THEN INC(count) END;
    END;
    RETURN count;
  END Count;

PROCEDURE CountShifted(): CARDINAL =
  VAR count: CARDINAL := 0;
  BEGIN
    FOR i := last TO first BY -1 DO
      IF i IN shifted THEN INC(count) END;
    END;
    RETURN count;
  END CountShifted;

(* The same one by one. *)
PROCEDURE Has(i: INTEGER): BOOLEAN =
  BEGIN
    FOR j := 0 TO 63 DO
      IF i = j AND j MOD 3 = 0 THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Has;

PROCEDURE Slowly(): CARDINAL =
  VAR count: CARDINAL := 0;
  BEGIN
    FOR i := first TO last DO
      IF Has(i + offset) AND NOT Has(offset - i) THEN INC(count) END;
    END;
    RETURN count;
  END Slowly;

PROCEDURE Make() =
  VAR s := Small{};
  BEGIN
    FOR i := first TO last DO
      IF NOT i + offset IN s THEN s := s + Small{i + offset} END;
      INC(made);
    END;
    set := s;
  END Make;

(* With a call in the loop, and an early end. *)
PROCEDURE Place(row, n: CARDINAL; columns, up, down: Small): CARDINAL =
  VAR count: CARDINAL := 0;
  BEGIN
    IF row = n THEN RETURN 1 END;
    FOR column := 0 TO n - 1 DO
      IF NOT column IN columns AND NOT row + column IN up AND NOT row - column + 31 IN down THEN
        INC(count, Place(row + 1, n, columns + Small{column}, up + Small{row + column},
                         down + Small{row - column + 31}));
      END;
      IF count > 1000000 THEN RETURN count END;
    END;
    RETURN count;
  END Place;

PROCEDURE FarRow() = BEGIN EVAL Place(60, 66, Small{}, Small{}, Small{}) END FarRow;

PROCEDURE Set(f, l, o: INTEGER) = BEGIN first := f; last := l; offset := o END Set;

PROCEDURE Same(f, l, o: INTEGER; name: TEXT) =
  BEGIN
    Set(f, l, o);
    Check.Int(Count(), Slowly(), name);
  END Same;

BEGIN
  set := Small{};
  FOR i := 0 TO 63 BY 3 DO set := set + Small{i} END;
  Same(0, 63, 0, "all");
  Same(0, 20, 20, "within");
  Same(0, 64, 0, "one behind");
  Same(-1, 20, 0, "one before");
  Same(-100, 200, 0, "over all");
  Same(10, 5, 0, "no iteration");
  Same(0, 300, 40, "up and behind");
  Same(-300, 0, 40, "from below");
  Set(LAST(INTEGER) - 5, LAST(INTEGER), 0);
  Check.Int(Count(), 0, "to the last INTEGER");
  Set(LAST(INTEGER) - 5, LAST(INTEGER), 10);  (* the sums wrap around *)
  Check.Int(Count(), Slowly(), "around");
  Set(FIRST(INTEGER), FIRST(INTEGER) + 70, 0);
  Check.Int(Count(), 0, "from the first INTEGER");

  shifted := Shifted{-10, -9, 0, 7, 39, 40};
  Set(-10, 40, 0);  Check.Int(CountShifted(), 6, "shifted");
  Set(-9, 39, 0);   Check.Int(CountShifted(), 4, "shifted, within");
  Set(-12, 44, 0);  Check.Int(CountShifted(), 6, "shifted, over all");
  Set(-70, 300, 0); Check.Int(CountShifted(), 6, "shifted, far over all");

  Set(0, 63, 0);  made := 0;  Make();  Check.Int(made, 64, "made");
  Check.That(set = Small{0..63}, "all made");
  Set(5, 20, 43);  made := 0;  Make();  Check.That(set = Small{48..63}, "made to the end");
  Set(5, 21, 43);  made := 0;
  Check.Fails(Make, Range, "one behind");  Check.Int(made, 16, "made before");
  Set(-1, 20, 0);  made := 0;
  Check.Fails(Make, Range, "one before");  Check.Int(made, 0, "nothing made");
  Set(0, LAST(INTEGER), 60);  made := 0;
  Check.Fails(Make, Range, "far behind");  Check.Int(made, 4, "made before the end");

  Check.Int(Place(0, 6, Small{}, Small{}, Small{}), 4, "six queens");
  Check.Int(Place(0, 8, Small{}, Small{}, Small{}), 92, "eight queens");
  Check.Fails(FarRow, Range, "a row too far");
END Main.
