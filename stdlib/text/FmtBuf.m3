UNSAFE MODULE FmtBuf;

IMPORT Fmt, RTSystem, RuntimeError, Text, Word;
IMPORT Real AS R, LongReal AS LR, Extended AS ER;

(* The error is raised before b is changed. *)
PROCEDURE Put(VAR b: T; t: TEXT): CARDINAL =
  VAR length := Text.Length(t);
  BEGIN
    IF length > NUMBER(b) THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    Text.SetChars(b, t);
    RETURN length;
  END Put;

PROCEDURE PutInteger(VAR b: T; n: Word.T; base: Base; negative: BOOLEAN): CARDINAL =
  VAR length := RTSystem.IntegerChars(n, base, negative, b);
  BEGIN
    IF length < 0 THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
    RETURN length;
  END PutInteger;

PROCEDURE Int(VAR b: T; n: INTEGER; base: Base := 10): CARDINAL =
  BEGIN
    (* The magnitude of FIRST(INTEGER) is not an INTEGER, but fits in a word. *)
    IF n < 0 THEN RETURN PutInteger(b, Word.Minus(0, n), base, TRUE) END;
    RETURN PutInteger(b, n, base, FALSE);
  END Int;

PROCEDURE Unsigned(VAR b: T; n: Word.T; base: Base := 16): CARDINAL =
  BEGIN
    RETURN PutInteger(b, n, base, FALSE);
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
