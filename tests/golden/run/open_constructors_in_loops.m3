(* golden: run *)
(* Constructors of open arrays whose elements are open arrays take an amount of stack that only
   the run time knows: loops of every kind give it back in each iteration. *)
MODULE Main;
IMPORT IO, Fmt;

TYPE
  Row = ARRAY OF INTEGER;
  Adder = PROCEDURE (READONLY a: ARRAY OF Row): INTEGER;

CONST Turns = 400000;

VAR adder: Adder := Last;

PROCEDURE Last(READONLY a: ARRAY OF Row): INTEGER =
  BEGIN
    RETURN a[LAST(a), LAST(a[0])];
  END Last;

PROCEDURE Loops(READONLY r: Row): INTEGER =
  VAR n := 0; k := 0;
  BEGIN
    WITH outer = ARRAY OF Row{r, r, r} DO
      FOR i := 1 TO Turns DO INC(n, adder(ARRAY OF Row{r, r})); END;
      WHILE k < Turns * adder(ARRAY OF Row{r, r}) DIV 3 DO INC(k); END;
      REPEAT DEC(k) UNTIL k <= adder(ARRAY OF Row{r, r});
      LOOP
        WITH a = ARRAY OF Row{r, outer[2]}, b = adder(a) DO
          INC(k, b);
          IF k >= Turns THEN EXIT END;
          FOR j := 1 TO 2 DO INC(n, adder(a) + adder(ARRAY OF Row{a[0]})); END;
          <*ASSERT a[1, 2] = 3*>
        END;
      END;
      <*ASSERT NUMBER(outer) = 3 AND outer[0, 0] = 1 AND outer[2, 2] = 3*>
    END;
    RETURN n;
  END Loops;

BEGIN
  IO.Put(Fmt.Int(Loops(Row{1, 2, 3})) & "\n");
END Main.

(* expect: 2799984 *)
