MODULE Decimal;

IMPORT FloatMode, Fmt, Lex, Scan, Text, TextConv, Word;

CONST
  Powers = ARRAY Scale OF INTEGER{
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
    1000000000000000000};

TYPE
  (* A number of 256 bits without a sign, the lowest 32 bits first. The greatest one that arises here is a numerator of
     Divide, 10^36 * LAST(INTEGER), of 183 bits. *)
  Big = ARRAY [0..7] OF Word.T;

CONST
  LimbBits = 32;

PROCEDURE BigOf(n: Word.T): Big =
  BEGIN
    RETURN Big{Word.Extract(n, 0, LimbBits), Word.RightShift(n, LimbBits), 0, ..};
  END BigOf;

PROCEDURE MultiplyBy(VAR a: Big; n: Word.T) =
  VAR b := a;  high := Word.RightShift(n, LimbBits);
  BEGIN
    MultiplyByLimb(a, Word.Extract(n, 0, LimbBits));
    IF high # 0 THEN
      MultiplyByLimb(b, high);
      AddShifted(a, b);
    END;
  END MultiplyBy;

PROCEDURE MultiplyByLimb(VAR a: Big; limb: Word.T) =
  VAR carry: Word.T := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO
      carry := Word.Plus(Word.Times(a[i], limb), carry);
      a[i] := Word.Extract(carry, 0, LimbBits);
      carry := Word.RightShift(carry, LimbBits);
    END;
    <*ASSERT carry = 0*>
  END MultiplyByLimb;

(* Adds b * 2^32. *)
PROCEDURE AddShifted(VAR a: Big; READONLY b: Big) =
  VAR carry: Word.T := 0;
  BEGIN
    FOR i := 1 TO LAST(a) DO
      carry := a[i] + b[i - 1] + carry;
      a[i] := Word.Extract(carry, 0, LimbBits);
      carry := Word.RightShift(carry, LimbBits);
    END;
  END AddShifted;

(* By 10^n, where n is at most 36. *)
PROCEDURE MultiplyByPower(VAR a: Big; n: CARDINAL) =
  BEGIN
    IF n > LAST(Scale) THEN
      MultiplyBy(a, Powers[LAST(Scale)]);
      DEC(n, LAST(Scale));
    END;
    MultiplyBy(a, Powers[n]);
  END MultiplyByPower;

PROCEDURE CompareBig(READONLY a, b: Big): [-1..1] =
  BEGIN
    FOR i := LAST(a) TO 0 BY -1 DO
      IF a[i] < b[i] THEN RETURN -1 END;
      IF a[i] > b[i] THEN RETURN 1 END;
    END;
    RETURN 0;
  END CompareBig;

(* a * 2 + bit. *)
PROCEDURE Shift(VAR a: Big; bit: [0..1]) =
  VAR carry: Word.T := bit;
  BEGIN
    FOR i := 0 TO LAST(a) DO
      carry := Word.Or(Word.LeftShift(a[i], 1), carry);
      a[i] := Word.Extract(carry, 0, LimbBits);
      carry := Word.RightShift(carry, LimbBits);
    END;
  END Shift;

PROCEDURE SubtractBig(VAR a: Big; READONLY b: Big) =
  VAR borrow := 0;
  BEGIN
    FOR i := 0 TO LAST(a) DO
      WITH difference = a[i] - b[i] - borrow DO
        borrow := ORD(difference < 0);
        a[i] := Word.Extract(difference, 0, LimbBits);
      END;
    END;
  END SubtractBig;

(* Bit by bit, unless both are small. *)
PROCEDURE DivideBig(READONLY n, d: Big; VAR quotient, remainder: Big) =
  VAR bit: [0..1];
  BEGIN
    IF IsSmall(n) AND IsSmall(d) THEN
      quotient := BigOf(Low(n) DIV Low(d));
      remainder := BigOf(Low(n) MOD Low(d));
      RETURN;
    END;
    quotient := Big{0, ..};
    remainder := Big{0, ..};
    FOR i := LAST(n) TO 0 BY -1 DO
      FOR k := LimbBits - 1 TO 0 BY -1 DO
        Shift(remainder, Word.Extract(n[i], k, 1));
        bit := ORD(CompareBig(remainder, d) >= 0);
        IF bit = 1 THEN SubtractBig(remainder, d) END;
        Shift(quotient, bit);
      END;
    END;
  END DivideBig;

(* Whether a quotient without a sign is rounded up. `half` compares twice the remainder, which is not 0, with the
   divisor. *)
PROCEDURE RoundsUp(rounding: Rounding; negative, odd: BOOLEAN; half: [-1..1]): BOOLEAN =
  BEGIN
    CASE rounding OF
    | Rounding.HalfEven => RETURN half > 0 OR half = 0 AND odd;
    | Rounding.HalfUp => RETURN half >= 0;
    | Rounding.HalfDown => RETURN half > 0;
    | Rounding.Down => RETURN FALSE;
    | Rounding.Up => RETURN TRUE;
    | Rounding.Floor => RETURN negative;
    | Rounding.Ceiling => RETURN NOT negative;
    END;
  END RoundsUp;

(* x * y * 10^exponent / d, rounded; FALSE if that does not fit. The exponent is between -36 and 36, and at most 18
   unless y is 1. d is not 0. *)
PROCEDURE Quotient(x, y: Units; exponent: INTEGER; d: Units; rounding: Rounding; VAR result: Units): BOOLEAN =
  VAR
    numerator := BigOf(ABS(x));
    divisor := BigOf(ABS(d));
    quotient, remainder: Big;
    negative := (x < 0) # (y < 0) # (d < 0);
    value: Word.T;
  BEGIN
    MultiplyBy(numerator, ABS(y));
    IF exponent >= 0 THEN MultiplyByPower(numerator, exponent) ELSE MultiplyByPower(divisor, -exponent) END;
    DivideBig(numerator, divisor, quotient, remainder);
    IF NOT IsSmall(quotient) THEN RETURN FALSE END;
    value := Low(quotient);
    IF remainder # Big{0, ..} THEN
      Shift(remainder, 0);
      IF RoundsUp(rounding, negative, value MOD 2 = 1, CompareBig(remainder, divisor)) THEN
        IF value = LAST(INTEGER) THEN RETURN FALSE END;
        INC(value);
      END;
    END;
    IF negative THEN result := -value ELSE result := value END;
    RETURN TRUE;
  END Quotient;

(* Whether a fits in 63 bits; its low 64 bits. *)
PROCEDURE IsSmall(READONLY a: Big): BOOLEAN =
  BEGIN
    FOR i := 2 TO LAST(a) DO
      IF a[i] # 0 THEN RETURN FALSE END;
    END;
    RETURN a[1] < Word.LeftShift(1, LimbBits - 1);
  END IsSmall;

PROCEDURE Low(READONLY a: Big): Word.T =
  BEGIN
    RETURN Word.Or(a[0], Word.LeftShift(a[1], LimbBits));
  END Low;

PROCEDURE TooLarge(a: T; operator: TEXT; b: T; scale: INTEGER) RAISES {Error} =
  BEGIN
    RAISE Error(ToText(a) & " " & operator & " " & ToText(b) & " does not fit " & Fmt.Int(LAST(Units))
                & " units of scale " & Fmt.Int(scale));
  END TooLarge;

PROCEDURE Of(units: Units; scale: Scale := 0): T =
  BEGIN
    RETURN T{units, scale};
  END Of;

PROCEDURE Add(a, b: T): T RAISES {Error} =
  BEGIN
    RETURN Sum(a, b, "+", b);
  END Add;

PROCEDURE Subtract(a, b: T): T RAISES {Error} =
  BEGIN
    RETURN Sum(a, Negative(b), "-", b);
  END Subtract;

(* a + b; a message says a, operator, shown. *)
PROCEDURE Sum(a, b: T; operator: TEXT; shown: T): T RAISES {Error} =
  VAR scale := MAX(a.scale, b.scale);  x, y: Units;
  BEGIN
    IF NOT Quotient(a.units, 1, scale - a.scale, 1, Rounding.Down, x)
       OR NOT Quotient(b.units, 1, scale - b.scale, 1, Rounding.Down, y)
       OR x > 0 AND y > LAST(Units) - x OR x < 0 AND y < FIRST(Units) - x THEN
      TooLarge(a, operator, shown, scale);
    END;
    RETURN T{x + y, scale};
  END Sum;

PROCEDURE Multiply(a, b: T): T RAISES {Error} =
  BEGIN
    IF a.scale + b.scale > LAST(Scale) THEN
      RAISE Error(ToText(a) & " * " & ToText(b) & " has more than 18 digits behind the point");
    END;
    RETURN Times(a, b, a.scale + b.scale);
  END Multiply;

PROCEDURE Times(a, b: T; scale: Scale; rounding := Rounding.HalfEven): T RAISES {Error} =
  VAR units: Units;
  BEGIN
    IF NOT Quotient(a.units, b.units, scale - a.scale - b.scale, 1, rounding, units) THEN
      TooLarge(a, "*", b, scale);
    END;
    RETURN T{units, scale};
  END Times;

PROCEDURE Divide(a, b: T; scale: Scale; rounding := Rounding.HalfEven): T RAISES {Error} =
  VAR units: Units;
  BEGIN
    IF b.units = 0 THEN RAISE Error(ToText(a) & " / " & ToText(b) & " has no value") END;
    IF NOT Quotient(a.units, 1, b.scale + scale - a.scale, b.units, rounding, units) THEN
      TooLarge(a, "/", b, scale);
    END;
    RETURN T{units, scale};
  END Divide;

PROCEDURE Round(a: T; scale: Scale; rounding := Rounding.HalfEven): T RAISES {Error} =
  BEGIN
    RETURN Times(a, T{1, 0}, scale, rounding);
  END Round;

PROCEDURE Negative(a: T): T =
  BEGIN
    RETURN T{-a.units, a.scale};
  END Negative;

PROCEDURE Absolute(a: T): T =
  BEGIN
    RETURN T{ABS(a.units), a.scale};
  END Absolute;

PROCEDURE Compare(a, b: T): [-1..1] =
  VAR x := BigOf(ABS(a.units));  y := BigOf(ABS(b.units));  result: INTEGER;
  BEGIN
    IF a.scale = b.scale OR (a.units < 0) # (b.units < 0) THEN
      RETURN ORD(a.units > b.units) - ORD(a.units < b.units);
    END;
    MultiplyBy(x, Powers[b.scale]);
    MultiplyBy(y, Powers[a.scale]);
    result := CompareBig(x, y);
    IF a.units < 0 THEN RETURN -result END;
    RETURN result;
  END Compare;

PROCEDURE Equal(a, b: T): BOOLEAN =
  BEGIN
    RETURN Compare(a, b) = 0;
  END Equal;

PROCEDURE Hash(a: T): Word.T =
  BEGIN
    WITH normal = Normal(a) DO RETURN Word.Plus(Word.Times(normal.units, 31), normal.scale) END;
  END Hash;

PROCEDURE Normal(a: T): T =
  BEGIN
    WHILE a.scale > 0 AND a.units MOD 10 = 0 DO
      a.units := a.units DIV 10;
      DEC(a.scale);
    END;
    RETURN a;
  END Normal;

PROCEDURE Share(a: T; READONLY weights: ARRAY OF CARDINAL): REF ARRAY OF T RAISES {Error} =
  VAR
    n := NUMBER(weights);
    shares := NEW(REF ARRAY OF T, n);
    remainders := NEW(REF ARRAY OF Big, n);
    total: CARDINAL := 0;
    left: Units := a.units;
    numerator, quotient, divisor: Big;
    most: INTEGER;
  BEGIN
    FOR i := 0 TO n - 1 DO
      IF weights[i] > LAST(CARDINAL) - total THEN RAISE Error("the sum of the weights does not fit CARDINAL") END;
      INC(total, weights[i]);
    END;
    IF total = 0 THEN RAISE Error("a share needs a weight that is not 0") END;
    divisor := BigOf(total);
    FOR i := 0 TO n - 1 DO
      numerator := BigOf(ABS(a.units));
      MultiplyBy(numerator, weights[i]);
      DivideBig(numerator, divisor, quotient, remainders[i]);
      shares[i].scale := a.scale;
      shares[i].units := Low(quotient);
      IF a.units < 0 THEN shares[i].units := -shares[i].units END;
      DEC(left, shares[i].units);
    END;
    (* The remainders are `left` times the total, so that many parts have one, and none gets two units. *)
    WHILE left # 0 DO
      most := 0;
      FOR i := 1 TO n - 1 DO
        IF CompareBig(remainders[i], remainders[most]) > 0 THEN most := i END;
      END;
      remainders[most] := Big{0, ..};
      IF left > 0 THEN
        INC(shares[most].units);
        DEC(left);
      ELSE
        DEC(shares[most].units);
        INC(left);
      END;
    END;
    RETURN shares;
  END Share;

PROCEDURE ToText(a: T; thousands := ""; point := "."): TEXT =
  VAR digits := Fmt.Pad(Fmt.Int(ABS(a.units)), a.scale + 1, '0');  n := Text.Length(digits) - a.scale;  result := "";
  BEGIN
    IF a.units < 0 THEN result := "-" END;
    FOR i := 0 TO n - 1 DO
      IF i > 0 AND (n - i) MOD 3 = 0 THEN result := result & thousands END;
      result := result & Text.Sub(digits, i, 1);
    END;
    IF a.scale > 0 THEN result := result & point & Text.Sub(digits, n) END;
    RETURN result;
  END ToText;

PROCEDURE Parse(t: TEXT; thousands := ""; point := "."): T RAISES {Error} =
  VAR
    a := T{};
    at, group: CARDINAL := 0;  (* group: digits since the start or the last `thousands` *)
    negative, inFraction, any, grouped := FALSE;

  PROCEDURE Wrong(why: TEXT) RAISES {Error} =
    BEGIN
      RAISE Error(TextConv.Encode(t) & " is not a decimal number: character " & Fmt.Int(at) & ": " & why);
    END Wrong;

  PROCEDURE Is(sign: TEXT): BOOLEAN =
    BEGIN
      RETURN NOT Text.Empty(sign) AND Text.Equal(Text.Sub(t, at, Text.Length(sign)), sign);
    END Is;

  PROCEDURE CheckGroup() RAISES {Error} =
    BEGIN
      IF grouped AND group # 3 THEN Wrong("three digits must stand in front of this place") END;
    END CheckGroup;

  BEGIN
    IF Is("-") OR Is("+") THEN
      negative := Is("-");
      at := 1;
    END;
    WHILE at < Text.Length(t) DO
      WITH digit = ORD(Text.GetWideChar(t, at)) - ORD('0') DO
        IF 0 <= digit AND digit <= 9 THEN
          IF a.units > (LAST(Units) - digit) DIV 10 THEN Wrong("the number has too many digits") END;
          IF inFraction THEN
            IF a.scale = LAST(Scale) THEN Wrong("more than 18 digits stand behind the point") END;
            INC(a.scale);
          END;
          a.units := 10 * a.units + digit;
          any := TRUE;
          INC(group);
          INC(at);
        ELSIF NOT inFraction AND any AND Is(point) THEN
          CheckGroup();
          inFraction := TRUE;
          any := FALSE;
          INC(at, Text.Length(point));
        ELSIF NOT inFraction AND any AND Is(thousands) THEN
          CheckGroup();
          IF group > 3 THEN Wrong("more than three digits stand in front of this place") END;
          grouped := TRUE;
          any := FALSE;
          group := 0;
          INC(at, Text.Length(thousands));
        ELSE
          Wrong("a digit must stand here");
        END;
      END;
    END;
    IF NOT any THEN Wrong("a digit must stand here") END;
    IF NOT inFraction THEN CheckGroup() END;
    IF negative THEN a.units := -a.units END;
    RETURN a;
  END Parse;

PROCEDURE ToInt(a: T): INTEGER RAISES {Error} =
  BEGIN
    WITH normal = Normal(a) DO
      IF normal.scale > 0 THEN RAISE Error(ToText(a) & " is not an integer") END;
      RETURN normal.units;
    END;
  END ToInt;

PROCEDURE ToLongReal(a: T): LONGREAL =
  <*FATAL Lex.Error, FloatMode.Trap*>
  BEGIN
    RETURN Scan.LongReal(ToText(a));
  END ToLongReal;

BEGIN
END Decimal.
