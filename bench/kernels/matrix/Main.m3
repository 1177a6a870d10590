(* Products of matrices that are arrays of two open dimensions. Usage: Main N, the number of products. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan;

<*FATAL ANY*>

CONST Size = 200;

TYPE Matrix = REF ARRAY OF ARRAY OF LONGREAL;

PROCEDURE Times(a, b, c: Matrix) =
  VAR sum: LONGREAL;
  BEGIN
    FOR i := 0 TO LAST(a^) DO
      FOR j := 0 TO LAST(b[0]) DO
        sum := 0.0d0;
        FOR k := 0 TO LAST(b^) DO sum := sum + a[i, k] * b[k, j] END;
        c[i, j] := sum;
      END;
    END;
  END Times;

VAR a, b, c := NEW(Matrix, Size, Size);  sum := 0.0d0;
BEGIN
  FOR i := 0 TO Size - 1 DO
    FOR j := 0 TO Size - 1 DO
      a[i, j] := FLOAT(i + j, LONGREAL);
      b[i, j] := FLOAT(i - j, LONGREAL);
    END;
  END;
  FOR round := 1 TO Scan.Int(Params.Get(1)) DO
    Times(a, b, c);
    sum := sum + c[round MOD Size, 7];
  END;
  IO.Put(Fmt.Int(ROUND(sum)) & "\n");
END Main.
