(* golden: run, with lib/Check, stress=101 *)
(* The length of an array and the type of an object are read once for repeated uses of one
   object, and again if a variable refers to another object. *)
MODULE Main;

IMPORT Check, IO, Text;

TYPE
  A = OBJECT METHODS name(): TEXT := NameA END;
  B = A OBJECT OVERRIDES name := NameB END;
  Array = REF ARRAY OF INTEGER;
  Matrix = REF ARRAY OF ARRAY OF CHAR;

PROCEDURE NameA(<*UNUSED*> a: A): TEXT = BEGIN RETURN "a" END NameA;
PROCEDURE NameB(<*UNUSED*> b: B): TEXT = BEGIN RETURN "b" END NameB;

VAR
  global: Array;
  texts: ARRAY [0..3] OF TEXT;
  object: A;

(* Not inlined, because it calls itself. *)
PROCEDURE Grow(by: CARDINAL) =
  BEGIN
    IF by = 0 THEN RETURN END;
    global := NEW(Array, NUMBER(global^) + 1);
    Grow(by - 1);
  END Grow;

PROCEDURE Lengths() =
  VAR a: Array;  sum := 0;  m: Matrix;
  BEGIN
    FOR n := 0 TO 2000 DO
      a := NEW(Array, n MOD 50);
      Check.Int(NUMBER(a^), n MOD 50, "a new array");
      FOR i := 0 TO LAST(a^) DO a[i] := i; INC(sum, NUMBER(a^)) END;
    END;
    Check.Int(sum, 40 * (49 * 50 * 99 DIV 6) + 0, "the sum of the squares");
    global := NEW(Array, 0);
    FOR i := 1 TO 100 DO
      Check.Int(NUMBER(global^), 3 * (i - 1), "before");
      Grow(3);
      Check.Int(NUMBER(global^), 3 * i, "after");
    END;
    FOR i := 1 TO 300 DO
      m := NEW(Matrix, i MOD 7, i MOD 11);
      Check.Int(NUMBER(m^), i MOD 7, "rows");
      IF NUMBER(m^) > 0 THEN Check.Int(NUMBER(m[0]), i MOD 11, "columns") END;
      WITH other = NEW(Matrix, i MOD 5, i MOD 3) DO m := other END;
      Check.Int(NUMBER(m^), i MOD 5, "rows of the other");
    END;
  END Lengths;

PROCEDURE Types() =
  VAR bs := 0;  o: A;  names := "";
  BEGIN
    FOR i := 0 TO 999 DO
      IF i MOD 3 = 0 THEN o := NEW(B) ELSE o := NEW(A) END;
      IF ISTYPE(o, B) THEN INC(bs) END;
      object := o;
      IF i < 6 THEN names := names & object.name() END;
      object := NEW(A);
      Check.That(NOT ISTYPE(object, B), "another");
    END;
    Check.Int(bs, 334, "of type B");
    Check.Text(names, "baabaa", "names");
  END Types;

PROCEDURE Characters() =
  VAR t: TEXT;  sum := 0;
  BEGIN
    texts[0] := "";
    texts[1] := "x";
    texts[2] := Text.FromWideChar(W'\x1234') & "yz";
    texts[3] := "a long one that is not flat, since it has been put together from two long ones, "
                  & Text.Sub("of which this one here is the second, long enough for that", 0, 40);
    FOR i := 0 TO 99 DO
      t := texts[i MOD 4];
      FOR k := 0 TO Text.Length(t) - 1 DO
        IF Text.GetWideChar(t, k) = W'\x1234' THEN INC(sum, 1000) END;
        IF i MOD 4 # 2 AND Text.GetChar(t, k) = 'x' THEN INC(sum) END;
      END;
    END;
    Check.Int(sum, 25 + 25000, "characters");
  END Characters;

BEGIN
  Lengths();
  Types();
  Characters();
  IO.Put("done\n");  (* expect: done *)
END Main.
