(* Large arrays of numbers and of references; the last ones are kept. bench/gc/arrays.cc is its
   twin. *)
MODULE Main;

IMPORT IO;

CONST
  Rounds = 6000;
  Kept = 32;
  Least = 5000;

TYPE
  Numbers = REF ARRAY OF INTEGER;
  Rows = REF ARRAY OF Numbers;

VAR
  kept: ARRAY [0..Kept - 1] OF Rows;
  rows: Rows;
  sum := 0;
BEGIN
  FOR round := 0 TO Rounds - 1 DO
    rows := NEW(Rows, 4);
    FOR i := 0 TO LAST(rows^) DO
      rows[i] := NEW(Numbers, Least + round MOD 100 * 200);
      FOR j := 0 TO LAST(rows[i]^) BY 8 DO rows[i][j] := round + j END;
    END;
    IF kept[round MOD Kept] # NIL THEN INC(sum, kept[round MOD Kept][3][8]) END;
    kept[round MOD Kept] := rows;
    INC(sum, NUMBER(rows[0]^));
  END;
  IO.PutInt(sum); IO.Put("\n");
END Main.
