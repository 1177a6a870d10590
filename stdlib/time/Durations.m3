MODULE Durations;

IMPORT Fmt, Text, TextConv, TextRep, Word;

PROCEDURE ToText(t: T): TEXT =
  VAR result := "P";  rest: Word.T;

  (* Takes the greatest number of these units out of `rest`. Of FIRST(T) only the word without a sign is right. *)
  PROCEDURE Take(unit: CARDINAL): CARDINAL =
    VAR n := Word.Divide(rest, unit);
    BEGIN
      rest := Word.Mod(rest, unit);
      RETURN n;
    END Take;

  PROCEDURE Put(unit: CARDINAL; letter: TEXT) =
    VAR n := Take(unit);
    BEGIN
      IF n > 0 THEN result := result & Fmt.Int(n) & letter END;
    END Put;

  BEGIN
    IF t < 0 THEN
      result := "-P";
      rest := Word.Minus(0, t);
    ELSE
      rest := t;
    END;
    Put(Day, "D");
    IF rest = 0 AND t # 0 THEN RETURN result END;
    result := result & "T";
    Put(Hour, "H");
    Put(Minute, "M");
    IF rest = 0 AND t # 0 THEN RETURN result END;
    result := result & Fmt.Int(Take(Second));
    RETURN result & Fraction(rest) & "S";
  END ToText;

(* "" or a point and up to six digits, without zeros at the end. *)
PROCEDURE Fraction(microseconds: [0..Second - 1]): TEXT =
  VAR digits := Fmt.Pad(Fmt.Int(microseconds), 6, '0');  n := 6;
  BEGIN
    IF microseconds = 0 THEN RETURN "" END;
    WHILE Text.GetChar(digits, n - 1) = '0' DO DEC(n) END;
    RETURN "." & Text.Sub(digits, 0, n);
  END Fraction;

PROCEDURE Parse(t: TEXT): T RAISES {Error} =
  CONST
    Letters = ARRAY [0..4] OF CHAR{'W', 'D', 'H', 'M', 'S'};
    Units = ARRAY [0..4] OF INTEGER{Week, Day, Hour, Minute, Second};
  VAR
    chars := TextRep.CharsOr(t, '\000');
    at: CARDINAL := 0;
    negative, inTime, any, timed := FALSE;
    next: CARDINAL := 0;  (* the first unit that may come *)
    number, sum, unit: INTEGER;

  PROCEDURE Is(READONLY set: SET OF CHAR): BOOLEAN =
    BEGIN
      RETURN at < NUMBER(chars^) AND chars[at] IN set;
    END Is;

  PROCEDURE Wrong(why: TEXT) RAISES {Error} =
    BEGIN
      RAISE Error(TextConv.Encode(t) & " is not a duration: character " & Fmt.Int(at) & ": " & why);
    END Wrong;

  (* Sums are kept negative, since FIRST(T) has no positive number. *)
  PROCEDURE AddUnits(n, of: INTEGER) RAISES {Error} =
    BEGIN
      IF Word.GT(n, Word.Divide(Word.Minus(sum, FIRST(T)), of)) THEN
        Wrong("the duration is longer than 106751991 days");
      END;
      DEC(sum, n * of);
    END AddUnits;

  PROCEDURE Number() RAISES {Error} =
    BEGIN
      number := 0;
      WHILE Is(SET OF CHAR{'0'..'9'}) DO
        IF number > LAST(INTEGER) DIV 10 - 1 THEN Wrong("the number is too large") END;
        number := 10 * number + ORD(chars[at]) - ORD('0');
        INC(at);
      END;
    END Number;

  (* Behind the point of the seconds. *)
  PROCEDURE Digits() RAISES {Error} =
    VAR worth := Second DIV 10;
    BEGIN
      IF NOT Is(SET OF CHAR{'0'..'9'}) THEN Wrong("a digit must follow the point") END;
      WHILE Is(SET OF CHAR{'0'..'9'}) DO
        IF worth > 0 THEN AddUnits((ORD(chars[at]) - ORD('0')) * worth, 1) END;
        worth := worth DIV 10;
        INC(at);
      END;
    END Digits;

  BEGIN
    sum := 0;
    IF Is(SET OF CHAR{'-', '+'}) THEN
      negative := chars[at] = '-';
      INC(at);
    END;
    IF NOT Is(SET OF CHAR{'P'}) THEN Wrong("a P must stand here") END;
    INC(at);
    WHILE at < NUMBER(chars^) DO
      IF NOT inTime AND chars[at] = 'T' THEN
        inTime := TRUE;
        next := MAX(next, 2);
        INC(at);
      ELSIF NOT Is(SET OF CHAR{'0'..'9'}) THEN
        Wrong("a number must stand here");
      ELSE
        Number();
        unit := 4;
        IF Is(SET OF CHAR{'.', ','}) AND inTime THEN
          INC(at);
          Digits();
          IF NOT Is(SET OF CHAR{'S'}) THEN Wrong("only seconds, with an S, may have a point") END;
        ELSE
          unit := next;
          WHILE unit <= 4 AND NOT Is(SET OF CHAR{Letters[unit]}) DO INC(unit) END;
          IF NOT inTime AND unit > 1 THEN
            Wrong("a number of weeks (W) or days (D), or a T, must stand here");
          ELSIF unit > 4 THEN
            Wrong("one of H, M and S that has not been must stand here");
          END;
        END;
        IF unit < next THEN Wrong("the seconds have already been") END;
        AddUnits(number, Units[unit]);
        INC(at);
        next := unit + 1;
        any := TRUE;
        timed := inTime;
      END;
    END;
    IF NOT any OR inTime AND NOT timed THEN Wrong("a number must stand here") END;
    IF negative THEN RETURN sum END;
    IF sum = FIRST(T) THEN Wrong("the duration is longer than 106751991 days") END;
    RETURN -sum;
  END Parse;

PROCEDURE ToSeconds(t: T): LONGREAL =
  BEGIN
    RETURN FLOAT(t, LONGREAL) / 1.0D6;
  END ToSeconds;

PROCEDURE FromSeconds(seconds: LONGREAL): T =
  BEGIN
    RETURN ROUND(seconds * 1.0D6);
  END FromSeconds;

BEGIN
END Durations.
