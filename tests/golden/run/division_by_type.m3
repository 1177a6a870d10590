(* golden: run, -w *)
(* DIV and MOD give the same results for operands whose types are never negative as for any
   integers, also at the ends of the ranges; a zero divisor is found for every type. *)
MODULE Main;

IMPORT Fmt, IO, RuntimeError;

TYPE
  Byte = [0..255];
  Positive = [1..LAST(INTEGER)];
  Offset = [-3..LAST(INTEGER)];

VAR
  wrong := 0;
  characters: ARRAY [0..16] OF CHAR;

(* Rounded down, without DIV and MOD of negative operands. *)
PROCEDURE Quotient(a, b: INTEGER): INTEGER =
  BEGIN
    IF b = FIRST(INTEGER) THEN
      RETURN ORD(a = b) - ORD(a > 0);
    ELSIF b < 0 THEN
      IF a = FIRST(INTEGER) THEN RETURN Quotient(a - b, b) + 1 END;
      RETURN Quotient(-a, -b);
    ELSIF a < 0 THEN
      RETURN -1 - Quotient(-1 - a, b);
    ELSE
      WITH n = VAL(a, CARDINAL), d = VAL(b, CARDINAL) DO RETURN n DIV d END;
    END;
  END Quotient;

PROCEDURE Expect(what: TEXT; a, b, quotient, remainder: INTEGER) =
  BEGIN
    IF quotient # Quotient(a, b) OR remainder # a - b * quotient
       OR b < 0 AND (remainder <= b OR remainder > 0) OR b > 0 AND (remainder >= b OR remainder < 0) THEN
      INC(wrong);
      IO.Put(Fmt.F("%s: %s by %s", what, Fmt.Int(a), Fmt.Int(b))
               & Fmt.F(" is %s, %s\n", Fmt.Int(quotient), Fmt.Int(remainder)));
    END;
  END Expect;

PROCEDURE Cardinals(a, b: CARDINAL) =
  BEGIN
    Expect("cardinals", a, b, a DIV b, a MOD b);
  END Cardinals;

PROCEDURE ByCardinal(a: INTEGER; b: CARDINAL) =
  BEGIN
    Expect("by cardinal", a, b, a DIV b, a MOD b);
  END ByCardinal;

PROCEDURE OfCardinal(a: CARDINAL; b: INTEGER) =
  BEGIN
    Expect("of cardinal", a, b, a DIV b, a MOD b);
  END OfCardinal;

PROCEDURE Bytes(a: Byte; b: Positive) =
  BEGIN
    Expect("bytes", a, b, a DIV b, a MOD b);
    Expect("byte by constant", a, 7, a DIV 7, a MOD 7);
    Expect("byte by constant", a, 8, a DIV 8, a MOD 8);
    Expect("byte by constant", a, -7, a DIV -7, a MOD -7);
    Expect("byte by constant", a, -1, a DIV -1, a MOD -1);
    Expect("negated byte by constant", -a, 7, -a DIV 7, -a MOD 7);
  END Bytes;

PROCEDURE Offsets(a, b: Offset) =
  BEGIN
    Expect("offsets", a, b, a DIV b, a MOD b);
    Expect("offset by constant", a, 10, a DIV 10, a MOD 10);
    Expect("offset by constant", a, -10, a DIV -10, a MOD -10);
  END Offsets;

PROCEDURE Counted(READONLY a: ARRAY OF CHAR; b: INTEGER) =
  BEGIN
    Expect("counted", NUMBER(a), b, NUMBER(a) DIV b, NUMBER(a) MOD b);
    Expect("by count", b, NUMBER(a), b DIV NUMBER(a), b MOD NUMBER(a));
  END Counted;

PROCEDURE ByZero(a, b: CARDINAL) =
  BEGIN
    TRY
      IO.PutInt(a DIV b);
      IO.PutInt(a MOD b);
    EXCEPT
    | RuntimeError.E(t) => IO.Put(RuntimeError.Tag(t) & "\n");
    END;
  END ByZero;

CONST
  Numbers = ARRAY OF INTEGER{FIRST(INTEGER), FIRST(INTEGER) + 1, -16_100000001, -256, -10, -3, -2, -1,
                             1, 2, 3, 10, 255, 16_FFFFFFFF, 16_100000000, LAST(INTEGER) - 1,
                             LAST(INTEGER)};

BEGIN
  FOR i := 0 TO LAST(Numbers) DO
    WITH a = Numbers[i] DO
      IF a > 0 THEN Counted(SUBARRAY(characters, 0, MIN(a, NUMBER(characters))), Numbers[i - 5]) END;
      FOR j := 0 TO LAST(Numbers) DO
        WITH b = Numbers[j] DO
          IF a > 0 AND b > 0 THEN Cardinals(a, b) END;
          IF b > 0 THEN ByCardinal(a, b) END;
          IF a > 0 THEN OfCardinal(a, b) END;
          IF a >= -3 AND b >= -3 THEN Offsets(a, b) END;
          IF a IN SET OF Byte{0..255} AND b > 0 THEN Bytes(a, b) END;
        END;
      END;
    END;
  END;
  Cardinals(0, 3);
  OfCardinal(0, -3);
  ByZero(7, 0);
  IO.Put(Fmt.Int(wrong) & " wrong\n");
END Main.
(* expect: integer division by zero *)
(* expect: 0 wrong *)
