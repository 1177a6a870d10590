(* Counts the ways to place N queens, with sets. Usage: Main N. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

TYPE Lines = SET OF [0..63];

PROCEDURE Place(row, n: CARDINAL; columns, up, down: Lines): CARDINAL =
  VAR count: CARDINAL := 0;
  BEGIN
    IF row = n THEN RETURN 1 END;
    FOR column := 0 TO n - 1 DO
      IF NOT column IN columns AND NOT row + column IN up AND NOT row - column + 31 IN down THEN
        INC(count, Place(row + 1, n, columns + Lines{column}, up + Lines{row + column},
                         down + Lines{row - column + 31}));
      END;
    END;
    RETURN count;
  END Place;

BEGIN
  IO.Put(Fmt.Int(Place(0, Scan.Int(Params.Get(1)), Lines{}, Lines{}, Lines{})) & "\n");
END Main.
