(* golden: run, with lib/Check *)
(* Several tests of membership joined by AND or OR are computed at once, and give what they give one after the other:
   elements outside of a set's range are in none, an operand before them that decides keeps later ones from failing,
   and a constructor still checks its elements. (language.md 14.4) *)
MODULE Main;

IMPORT Check, RuntimeError;

TYPE
  Lines = SET OF [0..63];
  Few = SET OF [-3..4];
  Element = [0..63];

VAR
  (* The optimiser does not know their values. *)
  zero := 0;
  none: REF ARRAY OF INTEGER := NIL;
  ints := NEW(REF ARRAY OF INTEGER, 4);
  made: Lines;

(* All tests by statements of their own. *)
PROCEDURE Slowly(x, y, z: INTEGER; a, b: Lines; c: Few): INTEGER =
  VAR inA := x IN a;  inB := y IN b;  inC := z IN c;  result := 0;
  BEGIN
    IF NOT inA THEN IF NOT inB THEN IF NOT inC THEN INC(result, 1) END END END;
    IF inA THEN IF inB THEN IF inC THEN INC(result, 2) END END END;
    IF inA THEN INC(result, 4) ELSIF NOT inB THEN INC(result, 4) ELSIF inC THEN INC(result, 4) END;
    IF inA THEN IF inB THEN INC(result, 8) ELSIF inC THEN INC(result, 8) END END;
    RETURN result;
  END Slowly;

PROCEDURE AtOnce(x, y, z: INTEGER; a, b: Lines; c: Few): INTEGER =
  VAR result := 0;
  BEGIN
    IF NOT x IN a AND NOT y IN b AND NOT z IN c THEN INC(result, 1) END;
    IF x IN a AND y IN b AND z IN c THEN INC(result, 2) END;
    IF x IN a OR NOT y IN b OR z IN c THEN INC(result, 4) END;
    IF x IN a AND (y IN b OR z IN c) THEN INC(result, 8) END;
    RETURN result;
  END AtOnce;

PROCEDURE Value(x, y: INTEGER; a, b: Lines): BOOLEAN =
  VAR both := x IN a AND y IN b - a;
  BEGIN
    RETURN both;
  END Value;

PROCEDURE Compare() =
  VAR
    elements := ARRAY [0..8] OF INTEGER{FIRST(INTEGER), -64, -3, 0, 4, 5, 63, 64, LAST(INTEGER)};
    a := Lines{0, 4, 63};
    b := Lines{5, 63};
    c := Few{-3, 4};
  BEGIN
    FOR i := 0 TO LAST(elements) DO
      FOR j := 0 TO LAST(elements) DO
        FOR k := 0 TO LAST(elements) DO
          WITH x = elements[i], y = elements[j], z = elements[k] DO
            Check.Int(AtOnce(x, y, z, a, b, c), Slowly(x, y, z, a, b, c), "at once");
          END;
        END;
      END;
    END;
    Check.That(Value(4, 5, a, b), "4 and 5");
    Check.That(NOT Value(4, 63, a, b), "63 is taken away");
    (* Sums wrap around. *)
    Check.That(NOT (LAST(INTEGER) + One() IN a OR LAST(INTEGER) + One() IN b), "wrapped");
  END Compare;

PROCEDURE One(): INTEGER = BEGIN RETURN zero + 1 END One;

(* What stands before decides: none is NIL, and ints has four elements. *)
PROCEDURE Guarded(i: INTEGER; a, b: Lines): BOOLEAN =
  BEGIN
    RETURN none # NIL AND none[i] = 1 AND i IN a AND i IN b
        OR i < NUMBER(ints^) AND ints[i] IN a AND i IN b AND NOT i + 1 IN b;
  END Guarded;

PROCEDURE Unguarded() =
  VAR i := 4 + zero;  a := Lines{0};
  BEGIN
    IF 4 IN a OR ints[i] IN a AND i IN a THEN zero := 9 END;
  END Unguarded;

PROCEDURE MakeBeyond() =
  VAR x: INTEGER := 64 + zero;
  BEGIN
    IF NOT x IN Lines{1} AND NOT x - 64 IN Lines{2} THEN made := made + Lines{x} END;
  END MakeBeyond;

PROCEDURE NarrowBeyond() =
  VAR x: INTEGER := 64 + zero;  e: Element;
  BEGIN
    IF NOT x IN made AND NOT x IN Lines{0} THEN e := x; made := Lines{e} END;
  END NarrowBeyond;

BEGIN
  Compare();
  FOR i := 0 TO 3 DO ints[i] := i END;
  Check.That(Guarded(3, Lines{3}, Lines{3}), "guarded, found");
  Check.That(NOT Guarded(4, Lines{3, 4}, Lines{3, 4}), "guarded, beyond the end");
  Check.Fails(Unguarded, RuntimeError.T.SubscriptOutOfRange, "unguarded");
  Check.Fails(MakeBeyond, RuntimeError.T.ValueOutOfRange, "constructor");
  Check.Fails(NarrowBeyond, RuntimeError.T.ValueOutOfRange, "assignment");
  Check.Done();
END Main.
(* expect: all checks hold *)
