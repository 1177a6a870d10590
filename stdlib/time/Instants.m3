MODULE Instants;

IMPORT Days, Durations, Fmt, Text, TextConv, TextRep, Time;

PROCEDURE Now(): T =
  BEGIN
    RETURN FromTime(Time.Now());
  END Now;

PROCEDURE FromTime(time: Time.T): T =
  BEGIN
    RETURN Durations.FromSeconds(time);
  END FromTime;

PROCEDURE ToTime(t: T): Time.T =
  BEGIN
    RETURN Durations.ToSeconds(t);
  END ToTime;

PROCEDURE DayOf(t: T): Days.T =
  BEGIN
    RETURN t DIV Durations.Day;
  END DayOf;

PROCEDURE TimeOfDay(t: T): [0..Durations.Day - 1] =
  BEGIN
    RETURN t MOD Durations.Day;
  END TimeOfDay;

PROCEDURE Of(day: Days.T; timeOfDay: [0..Durations.Day - 1] := 0): T =
  BEGIN
    RETURN day * Durations.Day + timeOfDay;
  END Of;

PROCEDURE Two(n: CARDINAL): TEXT =
  BEGIN
    RETURN Fmt.Pad(Fmt.Int(n), 2, '0');
  END Two;

PROCEDURE ToText(t: T; digits: [-1..6] := -1; offset: Offset := 0): TEXT =
  VAR at := t + offset * Durations.Minute;  time, fraction: INTEGER;  result, zone: TEXT;
  BEGIN
    IF at < FIRST(T) OR LAST(T) < at THEN
      at := t;
      offset := 0;
    END;
    time := TimeOfDay(at);
    fraction := time MOD Durations.Second;
    result := Days.ToText(DayOf(at)) & "T" & Two(time DIV Durations.Hour) & ":"
              & Two(time DIV Durations.Minute MOD 60) & ":" & Two(time DIV Durations.Second MOD 60);
    IF digits < 0 THEN
      digits := 6;
      IF fraction MOD 1000 = 0 THEN digits := 3 END;
      IF fraction = 0 THEN digits := 0 END;
    END;
    IF digits > 0 THEN result := result & "." & Text.Sub(Fmt.Pad(Fmt.Int(fraction), 6, '0'), 0, digits) END;
    IF offset = 0 THEN RETURN result & "Z" END;
    IF offset < 0 THEN zone := "-" ELSE zone := "+" END;
    RETURN result & zone & Two(ABS(offset) DIV 60) & ":" & Two(ABS(offset) MOD 60);
  END ToText;

PROCEDURE Parse(t: TEXT): T RAISES {Error} =
  VAR offset: Offset;
  BEGIN
    RETURN ParseWithOffset(t, offset);
  END Parse;

PROCEDURE ParseWithOffset(t: TEXT; VAR offset: Offset): T RAISES {Error} =
  CONST DayLength = 10;
  VAR
    chars := TextRep.CharsOr(t, '\000');
    at: CARDINAL := DayLength;
    day: Days.T;
    hour, minute, second, fraction: INTEGER := 0;
    instant: INTEGER;

  PROCEDURE Wrong(why: TEXT; position: INTEGER) RAISES {Error} =
    BEGIN
      RAISE Error(TextConv.Encode(t) & " is not an instant: character " & Fmt.Int(position) & ": " & why);
    END Wrong;

  PROCEDURE Is(READONLY set: SET OF CHAR): BOOLEAN =
    BEGIN
      RETURN at < NUMBER(chars^) AND chars[at] IN set;
    END Is;

  PROCEDURE Sign(READONLY set: SET OF CHAR; why: TEXT) RAISES {Error} =
    BEGIN
      IF NOT Is(set) THEN Wrong(why, at) END;
      INC(at);
    END Sign;

  (* Two digits. *)
  PROCEDURE Number(most: CARDINAL; name: TEXT): CARDINAL RAISES {Error} =
    VAR n := 0;
    BEGIN
      FOR i := 1 TO 2 DO
        IF NOT Is(SET OF CHAR{'0'..'9'}) THEN Wrong("the " & name & " must have two digits", at) END;
        n := 10 * n + ORD(chars[at]) - ORD('0');
        INC(at);
      END;
      IF n > most THEN Wrong("the " & name & " is at most " & Fmt.Int(most), at - 2) END;
      RETURN n;
    END Number;

  PROCEDURE Fraction(): CARDINAL RAISES {Error} =
    VAR worth := Durations.Second;  n := 0;
    BEGIN
      IF NOT Is(SET OF CHAR{'0'..'9'}) THEN Wrong("a digit must follow the point", at) END;
      WHILE Is(SET OF CHAR{'0'..'9'}) DO
        worth := worth DIV 10;
        INC(n, (ORD(chars[at]) - ORD('0')) * worth);
        INC(at);
      END;
      RETURN n;
    END Fraction;

  BEGIN
    TRY
      day := Days.Parse(Text.Sub(t, 0, DayLength));
    EXCEPT
    | Days.Error (why) => RAISE Error(TextConv.Encode(t) & " is not an instant: " & why);
    END;
    Sign(SET OF CHAR{'T', 't', ' '}, "a T must stand between day and time");
    hour := Number(23, "hour");
    Sign(SET OF CHAR{':'}, "a colon must stand here");
    minute := Number(59, "minute");
    Sign(SET OF CHAR{':'}, "a colon must stand here");
    second := Number(60, "second");
    IF Is(SET OF CHAR{'.'}) THEN
      INC(at);
      fraction := Fraction();
    END;
    offset := 0;
    IF Is(SET OF CHAR{'Z', 'z'}) THEN
      INC(at);
    ELSIF Is(SET OF CHAR{'+', '-'}) THEN
      WITH sign = chars[at] DO
        INC(at);
        offset := 60 * Number(23, "hours of the offset");
        Sign(SET OF CHAR{':'}, "a colon must stand here");
        offset := offset + Number(59, "minutes of the offset");
        IF sign = '-' THEN offset := -offset END;
      END;
    ELSE
      Wrong("Z or an offset from UTC must stand here", at);
    END;
    IF at < NUMBER(chars^) THEN Wrong("the instant has ended", at) END;
    IF second = 60 THEN fraction := 0 END;
    instant := day * Durations.Day + hour * Durations.Hour + (minute - offset) * Durations.Minute
               + second * Durations.Second + fraction;
    IF second = 60 AND instant MOD Durations.Day # 0 THEN Wrong("only 23:59 in UTC may have a second 60", 17) END;
    IF instant < FIRST(T) OR LAST(T) < instant THEN
      RAISE Error(TextConv.Encode(t) & " is beyond the years 0 to 9999 of UTC");
    END;
    RETURN instant;
  END ParseWithOffset;

BEGIN
END Instants.
