MODULE FmtBuf;

IMPORT Fmt, RuntimeError, Text, Word;
IMPORT Real AS R, LongReal AS LR, Extended AS ER;

(* The error is raised before b is changed. *)
PROCEDURE Put(VAR b: T; t: TEXT): CARDINAL =
  VAR length := Text.Length(t);
  BEGIN
    IF length > NUMBER(b) THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    Text.SetChars(b, t);
    RETURN length;
  END Put;

PROCEDURE Int(VAR b: T; n: INTEGER; base: Base := 10): CARDINAL =
  BEGIN
    RETURN Put(b, Fmt.Int(n, base));
  END Int;

PROCEDURE Unsigned(VAR b: T; n: Word.T; base: Base := 16): CARDINAL =
  BEGIN
    RETURN Put(b, Fmt.Unsigned(n, base));
  END Unsigned;

PROCEDURE Real(VAR b: T; x: REAL; style := Style.Auto; prec: CARDINAL := R.MaxSignifDigits - 1;
               literal := FALSE): CARDINAL =
  BEGIN
    RETURN Put(b, Fmt.Real(x, style, prec, literal));
  END Real;

PROCEDURE LongReal(VAR b: T; x: LONGREAL; style := Style.Auto;
                   prec: CARDINAL := LR.MaxSignifDigits - 1; literal := FALSE): CARDINAL =
  BEGIN
    RETURN Put(b, Fmt.LongReal(x, style, prec, literal));
  END LongReal;

PROCEDURE Extended(VAR b: T; x: EXTENDED; style := Style.Auto;
                   prec: CARDINAL := ER.MaxSignifDigits - 1; literal := FALSE): CARDINAL =
  BEGIN
    RETURN Put(b, Fmt.Extended(x, style, prec, literal));
  END Extended;

BEGIN
END FmtBuf.
