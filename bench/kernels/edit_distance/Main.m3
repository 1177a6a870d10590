(* Distances between texts. Usage: Main N, the number of pairs. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Text;

<*FATAL ANY*>

PROCEDURE Distance(a, b: TEXT): CARDINAL =
  VAR
    n := Text.Length(a);
    m := Text.Length(b);
    row := NEW(REF ARRAY OF CARDINAL, m + 1);
    diagonal, above: CARDINAL;
  BEGIN
    FOR j := 0 TO m DO row[j] := j END;
    FOR i := 1 TO n DO
      diagonal := row[0];
      row[0] := i;
      FOR j := 1 TO m DO
        above := row[j];
        IF Text.GetChar(a, i - 1) = Text.GetChar(b, j - 1) THEN
          row[j] := diagonal;
        ELSE
          row[j] := 1 + MIN(diagonal, MIN(above, row[j - 1]));
        END;
        diagonal := above;
      END;
    END;
    RETURN row[m];
  END Distance;

VAR sum := 0;  a, b: TEXT;
BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    a := "the quick brown fox " & Fmt.Int(i * 7919) & " jumps over the lazy dog and runs";
    b := "a quack brown box " & Fmt.Int(i * 104729) & " jumped over a lazy cog and ran away";
    INC(sum, Distance(a, b));
  END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
