MODULE Days;

IMPORT Fmt, Text, TextConv, Time;

CONST
  (* In 400 years; from 0000-03-01, where a year begins here so that the leap day is its last one, to 1970-01-01. *)
  DaysOf400 = 146097;
  FromMarch = 719468;

PROCEDURE Of(year, month, day: INTEGER): T RAISES {Error} =
  VAR why := Problem(year, month, day);
  BEGIN
    IF why # NIL THEN
      RAISE Error("there is no day " & Fmt.Int(day) & " of month " & Fmt.Int(month) & " of " & Fmt.Int(year) & ": "
                  & why);
    END;
    RETURN Number(year, month, day);
  END Of;

(* Why there is no such day, or NIL. *)
PROCEDURE Problem(year, month, day: INTEGER): TEXT =
  BEGIN
    IF year < FIRST(Year) OR LAST(Year) < year THEN RETURN "the years are 0 to 9999" END;
    IF month < FIRST(Month) OR LAST(Month) < month THEN RETURN "the months are 1 to 12" END;
    IF day < 1 OR DaysInMonth(year, month) < day THEN
      RETURN "month " & Fmt.Int(month) & " of " & Fmt.Int(year) & " has " & Fmt.Int(DaysInMonth(year, month)) & " days";
    END;
    RETURN NIL;
  END Problem;

(* Months from March on have 31, 30, 31, 30, 31 days again and again: 153 in five. *)
PROCEDURE Number(year: INTEGER; month: Month; day: INTEGER): INTEGER =
  VAR fromMarch := (month + 9) MOD 12;  y := year - ORD(month < 3);
  BEGIN
    RETURN y * 365 + y DIV 4 - y DIV 100 + y DIV 400 + (153 * fromMarch + 2) DIV 5 + day - 1 - FromMarch;
  END Number;

PROCEDURE Split(t: T): Parts =
  VAR
    all := t + FromMarch;
    inEra := all MOD DaysOf400;
    (* Each 1461st day, 36525th but each 146097th day is a leap day. *)
    year := (inEra - inEra DIV 1460 + inEra DIV 36524 - inEra DIV (DaysOf400 - 1)) DIV 365;
    inYear := inEra - (365 * year + year DIV 4 - year DIV 100);
    fromMarch := (5 * inYear + 2) DIV 153;
    month := (fromMarch + 2) MOD 12 + 1;
  BEGIN
    RETURN Parts{year := year + all DIV DaysOf400 * 400 + ORD(month < 3), month := month,
                 day := inYear - (153 * fromMarch + 2) DIV 5 + 1};
  END Split;

(* 1970-01-01 was a Thursday. *)
PROCEDURE WeekDayOf(t: T): WeekDay =
  BEGIN
    RETURN VAL((t + ORD(WeekDay.Thursday)) MOD 7, WeekDay);
  END WeekDayOf;

PROCEDURE DayOfYear(t: T): [1..366] =
  BEGIN
    RETURN t - Number(Split(t).year, 1, 1) + 1;
  END DayOfYear;

(* A week belongs to the year of its Thursday. *)
PROCEDURE Week(t: T; VAR year: INTEGER): [1..53] =
  VAR thursday := t + ORD(WeekDay.Thursday) - ORD(WeekDayOf(t));
  BEGIN
    IF thursday < FIRST(T) THEN
      year := -1;
    ELSIF thursday > LAST(T) THEN
      year := 10000;
    ELSE
      year := Split(thursday).year;
    END;
    RETURN (thursday - Number(year, 1, 1)) DIV 7 + 1;
  END Week;

PROCEDURE IsLeap(year: INTEGER): BOOLEAN =
  BEGIN
    RETURN year MOD 4 = 0 AND (year MOD 100 # 0 OR year MOD 400 = 0);
  END IsLeap;

PROCEDURE DaysInMonth(year: INTEGER; month: Month): [28..31] =
  BEGIN
    CASE month OF
    | 2 => RETURN 28 + ORD(IsLeap(year));
    | 4, 6, 9, 11 => RETURN 30;
    ELSE RETURN 31;
    END;
  END DaysInMonth;

PROCEDURE Beyond(t: T; n: INTEGER; unit: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error(ToText(t) & " and " & Fmt.Int(n) & " " & unit & " is beyond the years 0 to 9999");
  END Beyond;

PROCEDURE Plus(t: T; n: INTEGER): T RAISES {Error} =
  BEGIN
    IF n < FIRST(T) - t OR LAST(T) - t < n THEN Beyond(t, n, "days") END;
    RETURN t + n;
  END Plus;

PROCEDURE AddMonths(t: T; n: INTEGER): T RAISES {Error} =
  CONST Most = 12 * NUMBER(Year);
  VAR parts := Split(t);  months: INTEGER;
  BEGIN
    IF n < -Most OR Most < n THEN Beyond(t, n, "months") END;
    months := 12 * parts.year + parts.month - 1 + n;
    IF months < 0 OR Most <= months THEN Beyond(t, n, "months") END;
    WITH year = months DIV 12, month = months MOD 12 + 1 DO
      RETURN Number(year, month, MIN(parts.day, DaysInMonth(year, month)));
    END;
  END AddMonths;

PROCEDURE Months(from, to: T): INTEGER =
  VAR a := Split(from);  b := Split(to);  n := 12 * (b.year - a.year) + b.month - a.month;
  BEGIN
    (* In the same month as `to`, `from` becomes the last day if the month is too short for it. *)
    IF MIN(a.day, DaysInMonth(b.year, b.month)) > b.day THEN DEC(n) END;
    RETURN n;
  END Months;

PROCEDURE ToText(t: T): TEXT =
  VAR parts := Split(t);
  BEGIN
    RETURN Fmt.F("%04s-%02s-%02s", Fmt.Int(parts.year), Fmt.Int(parts.month), Fmt.Int(parts.day));
  END ToText;

PROCEDURE Parse(t: TEXT): T RAISES {Error} =
  CONST Form = "dddd-dd-dd";
  VAR numbers := ARRAY [0..2] OF INTEGER{0, 0, 0};  at := 0;  why: TEXT;
  BEGIN
    IF Text.Length(t) # Text.Length(Form) THEN RAISE Error(TextConv.Encode(t) & " is not of the form YYYY-MM-DD") END;
    FOR i := 0 TO Text.Length(Form) - 1 DO
      WITH ch = Text.GetWideChar(t, i) DO
        IF Text.GetChar(Form, i) = '-' AND ch = W'-' THEN
          INC(at);
        ELSIF Text.GetChar(Form, i) = 'd' AND W'0' <= ch AND ch <= W'9' THEN
          numbers[at] := 10 * numbers[at] + ORD(ch) - ORD('0');
        ELSE
          RAISE Error(TextConv.Encode(t) & " is not of the form YYYY-MM-DD: character " & Fmt.Int(i));
        END;
      END;
    END;
    why := Problem(numbers[0], numbers[1], numbers[2]);
    IF why # NIL THEN RAISE Error(TextConv.Encode(t) & " is no day: " & why) END;
    RETURN Number(numbers[0], numbers[1], numbers[2]);
  END Parse;

PROCEDURE Today(): T =
  BEGIN
    RETURN FLOOR(Time.Now() / 86400.0D0);
  END Today;

BEGIN
END Days.
