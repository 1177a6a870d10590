(* Values read from readers. Each procedure takes the longest prefix of the input that can begin
   a value, and no more. It raises Error if this prefix is not a whole value: from `16_zz` it
   takes `16_`, from `1.5e+x` it takes `1.5e+`. *)
INTERFACE Lex;

IMPORT FloatMode, Long, Rd, Word;
FROM Thread IMPORT Alerted;

(* The input does not have the expected form. *)
EXCEPTION Error;

CONST
  Blanks = SET OF CHAR{' ', '\t', '\n', '\r', '\013', '\f'};
  NonBlanks = SET OF CHAR{'!'..'~'};

(* The longest prefix of characters in cs; Skip throws it away. *)
PROCEDURE Scan(rd: Rd.T; READONLY cs: SET OF CHAR := NonBlanks): TEXT RAISES {Rd.Failure, Alerted};
PROCEDURE Skip(rd: Rd.T; READONLY cs: SET OF CHAR := Blanks) RAISES {Rd.Failure, Alerted};

(* Reads t. *)
PROCEDURE Match(rd: Rd.T; t: TEXT) RAISES {Error, Rd.Failure, Alerted};

(* The others skip blanks first. *)

(* TRUE or FALSE, in upper or lower case. *)
PROCEDURE Bool(rd: Rd.T): BOOLEAN RAISES {Error, Rd.Failure, Alerted};

(* [sign] digits, or [sign] base_digits with a base 2 to 16 in decimal. Letters are digits only
   if the base is above 10; decimal digits are always digits, and Error is raised if one is not
   in the base (`8_9`). Trap(IntOverflow) if the number does not fit. *)
PROCEDURE Int(rd: Rd.T; defaultBase: [2..16] := 10): INTEGER
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};
PROCEDURE LongInt(rd: Rd.T; defaultBase: [2..16] := 10): LONGINT
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};

(* The same without a sign. *)
PROCEDURE Unsigned(rd: Rd.T; defaultBase: [2..16] := 16): Word.T
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};
PROCEDURE LongUnsigned(rd: Rd.T; defaultBase: [2..16] := 16): Long.T
  RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};

(* [sign] digits [exponent], rounded correctly; a point may stand anywhere in the digits;
   the exponent begins with e, d or x, in lower or upper case. Trap(Overflow) if the
   number does not fit. Also [sign] INF, [sign] INFINITY and NAN, in lower or upper case. *)
PROCEDURE Real(rd: Rd.T): REAL RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};
PROCEDURE LongReal(rd: Rd.T): LONGREAL RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};
PROCEDURE Extended(rd: Rd.T): EXTENDED RAISES {Error, FloatMode.Trap, Rd.Failure, Alerted};

END Lex.
