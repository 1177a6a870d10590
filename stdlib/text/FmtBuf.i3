(* The conversions of Fmt into the caller's array. The result is the number of characters; it is a
   checked run-time error if the array is too short. *)
INTERFACE FmtBuf;

IMPORT Fmt, Word;
IMPORT Real AS R, LongReal AS LR, Extended AS ER;

TYPE
  T = ARRAY OF CHAR;
  Base = Fmt.Base;
  Style = Fmt.Style;

(* These work as the procedures of Fmt with these names. *)
PROCEDURE Int(VAR b: T; n: INTEGER; base: Base := 10): CARDINAL;
PROCEDURE Unsigned(VAR b: T; n: Word.T; base: Base := 16): CARDINAL;
PROCEDURE Real(VAR b: T; x: REAL; style := Style.Auto; prec: CARDINAL := R.MaxSignifDigits - 1;
               literal := FALSE): CARDINAL;
PROCEDURE LongReal(VAR b: T; x: LONGREAL; style := Style.Auto;
                   prec: CARDINAL := LR.MaxSignifDigits - 1; literal := FALSE): CARDINAL;
PROCEDURE Extended(VAR b: T; x: EXTENDED; style := Style.Auto;
                   prec: CARDINAL := ER.MaxSignifDigits - 1; literal := FALSE): CARDINAL;

END FmtBuf.
