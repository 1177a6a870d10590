(* Rep has the representation of R.T: RealRep, LongRealRep or ExtendedRep. *)
GENERIC MODULE Float(R, Rep);

IMPORT Word;

CONST
  One = Word.Shift(1, Rep.FractionBits);
  Fraction = Word.Minus(One, 1);
  Quiet = Word.Shift(1, Rep.FractionBits - 1);
  MaxExponent = Word.Shift(1, Rep.ExponentBits) - 1;  (* of infinities and NaNs *)
  Bias = MaxExponent DIV 2;
  SignBit = Rep.FractionBits + Rep.ExponentBits;

PROCEDURE FractionOf(bits: Word.T): Word.T =
  BEGIN
    RETURN Word.And(bits, Fraction);
  END FractionOf;

(* As it is stored. *)
PROCEDURE ExponentOf(bits: Word.T): INTEGER =
  BEGIN
    RETURN Word.Extract(bits, Rep.FractionBits, Rep.ExponentBits);
  END ExponentOf;

PROCEDURE Scalb(x: T; n: INTEGER): T =
  BEGIN
    RETURN Rep.Scalb(x, n);
  END Scalb;

PROCEDURE Logb(x: T): T =
  VAR bits := Rep.ToBits(x);  zero := x - x;
  BEGIN
    CASE Class(x) OF
    | IEEEClass.SignalingNaN, IEEEClass.QuietNaN => RETURN x + x;
    | IEEEClass.Infinity => RETURN ABS(x);
    | IEEEClass.Zero => RETURN FLOAT(-1, T) / ABS(zero);
    | IEEEClass.Denormal => RETURN FLOAT(1 - Bias, T);
    | IEEEClass.Normal => RETURN FLOAT(ExponentOf(bits) - Bias, T);
    END;
  END Logb;

PROCEDURE ILogb(x: T): INTEGER =
  VAR bits := Rep.ToBits(x);  n := 1 - Bias;
  BEGIN
    CASE Class(x) OF
    | IEEEClass.SignalingNaN, IEEEClass.QuietNaN => RETURN 0;
    | IEEEClass.Infinity => RETURN LAST(INTEGER);
    | IEEEClass.Zero => RETURN FIRST(INTEGER);
    | IEEEClass.Normal => RETURN ExponentOf(bits) - Bias;
    | IEEEClass.Denormal =>
      bits := FractionOf(bits);
      WHILE bits < One DO
        bits := 2 * bits;
        DEC(n);
      END;
      RETURN n;
    END;
  END ILogb;

PROCEDURE NextAfter(x, y: T): T =
  VAR bits := Rep.ToBits(x);
  BEGIN
    IF IsNaN(x) OR IsNaN(y) THEN RETURN x + y END;
    IF x = y THEN RETURN y END;
    IF Word.Extract(bits, 0, SignBit) = 0 THEN
      (* The smallest number, with the sign of y. *)
      RETURN Rep.FromBits(Word.Insert(1, Sign(y), SignBit, 1));
    END;
    (* Read as integers, absolute values have the order of the numbers. *)
    IF (x < y) = (Sign(x) = 0) THEN
      bits := Word.Plus(bits, 1);
    ELSE
      bits := Word.Minus(bits, 1);
    END;
    RETURN Rep.FromBits(bits);
  END NextAfter;

PROCEDURE CopySign(x, y: T): T =
  BEGIN
    RETURN Rep.FromBits(Word.Insert(Rep.ToBits(x), Sign(y), SignBit, 1));
  END CopySign;

PROCEDURE Finite(x: T): BOOLEAN =
  BEGIN
    RETURN ExponentOf(Rep.ToBits(x)) # MaxExponent;
  END Finite;

PROCEDURE IsNaN(x: T): BOOLEAN =
  VAR bits := Rep.ToBits(x);
  BEGIN
    RETURN ExponentOf(bits) = MaxExponent AND FractionOf(bits) # 0;
  END IsNaN;

PROCEDURE Sign(x: T): [0..1] =
  BEGIN
    RETURN Word.Extract(Rep.ToBits(x), SignBit, 1);
  END Sign;

PROCEDURE Differs(x, y: T): BOOLEAN =
  BEGIN
    RETURN x < y OR y < x;
  END Differs;

PROCEDURE Unordered(x, y: T): BOOLEAN =
  BEGIN
    RETURN NOT (x <= y OR y <= x);
  END Unordered;

PROCEDURE Sqrt(x: T): T =
  BEGIN
    RETURN Rep.Sqrt(x);
  END Sqrt;

PROCEDURE Class(x: T): IEEEClass =
  VAR bits := Rep.ToBits(x);  exponent := ExponentOf(bits);  fraction := FractionOf(bits);
  BEGIN
    IF exponent = MaxExponent THEN
      IF fraction = 0 THEN RETURN IEEEClass.Infinity END;
      IF Word.And(fraction, Quiet) # 0 THEN RETURN IEEEClass.QuietNaN END;
      RETURN IEEEClass.SignalingNaN;
    ELSIF exponent = 0 THEN
      IF fraction = 0 THEN RETURN IEEEClass.Zero END;
      RETURN IEEEClass.Denormal;
    END;
    RETURN IEEEClass.Normal;
  END Class;

PROCEDURE FromDecimal(sign: [0..1]; READONLY digits: ARRAY OF [0..9]; exp: INTEGER): T =
  CONST
    FarAway = 100000;  (* different from all exponents of numbers *)
    SmallNumber = 40;  (* enough for the rest of the text *)
  VAR
    a := NEW(REF ARRAY OF CHAR, NUMBER(digits) + SmallNumber);
    n: CARDINAL := 0;
    e: INTEGER;
    scale: CARDINAL := FarAway;

  PROCEDURE Add(c: CHAR) =
    BEGIN
      a[n] := c;
      INC(n);
    END Add;

  BEGIN
    IF sign = 1 THEN Add('-') END;
    IF NUMBER(digits) = 0 THEN Add('0') END;
    FOR i := 0 TO LAST(digits) DO
      Add(VAL(ORD('0') + digits[i], CHAR));
      IF i = 0 THEN Add('.') END;
    END;
    IF NUMBER(digits) < 2 THEN
      IF NUMBER(digits) = 0 THEN Add('.') END;
      Add('0');
    END;
    e := MAX(-FarAway - NUMBER(digits), MIN(exp, FarAway + NUMBER(digits)));
    Add('e');
    IF e < 0 THEN
      Add('-');
      e := -e;
    END;
    WHILE scale <= e DIV 10 DO scale := 10 * scale END;
    REPEAT
      Add(VAL(ORD('0') + e DIV scale MOD 10, CHAR));
      scale := scale DIV 10;
    UNTIL scale = 0;
    RETURN Rep.Parse(SUBARRAY(a^, 0, n));
  END FromDecimal;

PROCEDURE ToDecimal(x: T): DecimalApprox =
  VAR result: DecimalApprox;  chars: ARRAY [0..31] OF CHAR;  exponent: INTEGER;
  BEGIN
    result.class := Class(x);
    result.sign := Sign(x);
    result.len := 1;
    result.exp := 0;
    result.errorSign := 0;
    FOR i := 0 TO LAST(result.digits) DO result.digits[i] := 0 END;
    IF result.class = IEEEClass.Normal OR result.class = IEEEClass.Denormal THEN
      result.len := Rep.Shortest(ABS(x), chars, exponent);
      result.exp := exponent;
      FOR i := 0 TO result.len - 1 DO result.digits[i] := ORD(chars[i]) - ORD('0') END;
      result.errorSign := ErrorSign(x, SUBARRAY(chars, 0, result.len), exponent);
    END;
    RETURN result;
  END ToDecimal;

(* Compares d.ddd * 10^exponent with ABS(x). This needs all digits of x; no finite number has
   more than 767 significant digits. *)
PROCEDURE ErrorSign(x: T; READONLY digits: ARRAY OF CHAR; exponent: INTEGER): [-1..1] =
  VAR exact: ARRAY [0..799] OF CHAR;  n := Rep.Scientific(ABS(x), 780, exact);
      at := 0;  power := 0;  negative := FALSE;  digit: CHAR;
  BEGIN
    (* d.ddddde+dd *)
    FOR i := 782 + 1 TO n - 1 DO
      IF exact[i] = '-' THEN
        negative := TRUE;
      ELSIF exact[i] # '+' THEN
        power := 10 * power + ORD(exact[i]) - ORD('0');
      END;
    END;
    IF negative THEN power := -power END;
    IF exponent > power THEN RETURN 1 END;  (* 9.99... was rounded to 10 *)
    FOR i := 0 TO 780 DO
      IF i < NUMBER(digits) THEN digit := digits[i] ELSE digit := '0' END;
      IF digit # exact[at] THEN
        IF digit < exact[at] THEN RETURN -1 ELSE RETURN 1 END;
      END;
      IF at = 0 THEN at := 2 ELSE INC(at) END;
    END;
    RETURN 0;
  END ErrorSign;

BEGIN
END Float.
