MODULE JsonNumber;

IMPORT Text, TextRep, Word;

CONST
  Digits = SET OF CHAR{'0'..'9'};

PROCEDURE Problem(READONLY chars: ARRAY OF CHAR; VAR at: CARDINAL): TEXT =
  BEGIN
    at := 0;
    IF Is(chars, at, SET OF CHAR{'-'}) THEN INC(at) END;
    IF Is(chars, at, SET OF CHAR{'0'}) THEN
      INC(at);
      IF Is(chars, at, Digits) THEN RETURN "a digit may not follow a 0 that begins a number" END;
    ELSIF NOT PassDigits(chars, at) THEN
      RETURN "a number must have a digit here";
    END;
    IF Is(chars, at, SET OF CHAR{'.'}) THEN
      INC(at);
      IF NOT PassDigits(chars, at) THEN RETURN "a digit must follow the point of a number" END;
    END;
    IF Is(chars, at, SET OF CHAR{'e', 'E'}) THEN
      INC(at);
      IF Is(chars, at, SET OF CHAR{'+', '-'}) THEN INC(at) END;
      IF NOT PassDigits(chars, at) THEN RETURN "a number's exponent must have a digit here" END;
    END;
    IF at < NUMBER(chars) THEN RETURN "this character does not belong to a number" END;
    RETURN NIL;
  END Problem;

<*INLINE*>
PROCEDURE Is(READONLY chars: ARRAY OF CHAR; at: CARDINAL; READONLY set: SET OF CHAR): BOOLEAN =
  BEGIN
    RETURN at < NUMBER(chars) AND chars[at] IN set;
  END Is;

(* Moves `at` past digits; whether there are any. *)
PROCEDURE PassDigits(READONLY chars: ARRAY OF CHAR; VAR at: CARDINAL): BOOLEAN =
  VAR start := at;
  BEGIN
    WHILE Is(chars, at, Digits) DO INC(at) END;
    RETURN at > start;
  END PassDigits;

PROCEDURE Split(number: TEXT): Parts =
  CONST Most = 100000000000000000;
  VAR
    chars := TextRep.Chars(number);
    digits := NEW(REF ARRAY OF CHAR, NUMBER(chars^));
    first, count, i: CARDINAL := 0;
    exponent, written := 0;  (* the one that the digits give, and the one behind the e *)
    parts := Parts{};
    inFraction, minus := FALSE;
  BEGIN
    WHILE i < NUMBER(chars^) AND chars[i] # 'e' AND chars[i] # 'E' DO
      CASE chars[i] OF
      | '-' => parts.negative := TRUE;
      | '.' => inFraction := TRUE;
      ELSE
        digits[count] := chars[i];
        INC(count);
        IF inFraction THEN DEC(exponent) END;
      END;
      INC(i);
    END;
    INC(i);
    WHILE i < NUMBER(chars^) DO
      CASE chars[i] OF
      | '-' => minus := TRUE;
      | '+' =>
      ELSE
        IF written < Most THEN written := 10 * written + ORD(chars[i]) - ORD('0') END;
      END;
      INC(i);
    END;
    WHILE first < count AND digits[first] = '0' DO INC(first) END;
    WHILE count > first AND digits[count - 1] = '0' DO
      DEC(count);
      INC(exponent);
    END;
    IF first = count THEN RETURN Parts{} END;
    IF minus THEN written := -written END;
    parts.digits := Text.FromChars(SUBARRAY(digits^, first, count - first));
    parts.exponent := MAX(-Most, MIN(exponent + written, Most));
    RETURN parts;
  END Split;

PROCEDURE IsInt(number: TEXT; VAR n: INTEGER): BOOLEAN =
  CONST MostDigits = 19;
  VAR parts := Split(number);  value: Word.T := 0;  length := Text.Length(parts.digits);
  BEGIN
    IF parts.exponent < 0 OR length > MostDigits OR parts.exponent > MostDigits - length THEN RETURN FALSE END;
    FOR i := 0 TO length - 1 DO
      value := Word.Plus(Word.Times(10, value), ORD(Text.GetChar(parts.digits, i)) - ORD('0'));
    END;
    FOR i := 1 TO parts.exponent DO value := Word.Times(10, value) END;
    IF parts.negative THEN
      IF Word.GT(value, Word.LeftShift(1, Word.Size - 1)) THEN RETURN FALSE END;
      n := Word.Minus(0, value);
    ELSE
      IF Word.GT(value, LAST(INTEGER)) THEN RETURN FALSE END;
      n := value;
    END;
    RETURN TRUE;
  END IsInt;

BEGIN
END JsonNumber.
