(* golden: run *)
(* Loops over arrays whose only reference is in the loop, with collections in them. *)
MODULE Main;

IMPORT IO;

TYPE
  Item = RECORD a, b, c: INTEGER; r: REF INTEGER; x, y: INTEGER END;
  Items = REF ARRAY OF Item;
  Block = OBJECT pad: INTEGER; items: ARRAY [5..60] OF REF INTEGER END;

VAR garbage: REFANY;

PROCEDURE Trash(n: INTEGER): INTEGER =
  BEGIN
    garbage := NEW(REF ARRAY OF INTEGER, n);
    RETURN n;
  END Trash;

PROCEDURE New(n: INTEGER): Items =
  VAR items := NEW(Items, n);
  BEGIN
    FOR i := 0 TO n - 1 DO
      items[i].r := NEW(REF INTEGER);
      items[i].r^ := i;
      items[i].c := i;
    END;
    RETURN items;
  END New;

PROCEDURE Sum(items: Items): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := NUMBER(items^) - 1 TO 0 BY -1 DO
      sum := sum + items[i].r^ * Trash(1);
      sum := sum + items[i].c;
    END;
    RETURN sum;
  END Sum;

PROCEDURE SumOpen(READONLY items: ARRAY OF Item): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 0 TO LAST(items) BY 2 DO
      sum := sum + Trash(2) * items[i].r^;
    END;
    RETURN sum;
  END SumOpen;

PROCEDURE SumWith(): INTEGER =
  VAR sum := 0;
  BEGIN
    WITH items = New(40)^ DO
      FOR i := 0 TO LAST(items) DO
        WITH e = items[LAST(items) - i] DO
          INC(sum, Trash(1) * e.r^);
        END;
      END;
    END;
    RETURN sum;
  END SumWith;

PROCEDURE SumBlock(): INTEGER =
  VAR sum := 0;  b := NEW(Block);
  BEGIN
    FOR i := 5 TO 60 DO
      b.items[i] := NEW(REF INTEGER);
      b.items[i]^ := i;
    END;
    FOR i := 60 TO 5 BY -1 DO sum := sum + b.items[i]^ + Trash(1) END;
    RETURN sum;
  END SumBlock;

BEGIN
  FOR round := 1 TO 20 DO
    <*ASSERT Sum(New(50)) = 2450*>
    <*ASSERT SumOpen(New(50)^) = 1200*>
    <*ASSERT SumWith() = 780*>
    <*ASSERT SumBlock() = 1876*>
  END;
  IO.Put("done\n");
END Main.
(* expect: done *)
