(* The representation of EXTENDED, for Float: sign, exponent and fraction of IEEE 754. *)
INTERFACE ExtendedRep;

IMPORT Word;

TYPE
  T = EXTENDED;

CONST
  FractionBits = 52;
  ExponentBits = 11;

PROCEDURE ToBits(x: T): Word.T;
PROCEDURE FromBits(w: Word.T): T;

PROCEDURE Scalb(x: T; n: INTEGER): T;
PROCEDURE Sqrt(x: T): T;

(* The number in a, as RTSystem.Parse reads it. *)
PROCEDURE Parse(READONLY a: ARRAY OF CHAR): T;

(* As RTSystem.Shortest. *)
PROCEDURE Shortest(x: T; VAR digits: ARRAY OF CHAR; VAR exponent: INTEGER): INTEGER;

(* As RTSystem.Scientific. *)
PROCEDURE Scientific(x: T; decimals: INTEGER; VAR a: ARRAY OF CHAR): INTEGER;

END ExtendedRep.
