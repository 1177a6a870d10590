MODULE TimeZone;

IMPORT ASCII, Date, Days, Env, FileRd, Fmt, OSError, Rd, Text, Thread, Time, Word;

CONST
  Folder = "/usr/share/zoneinfo";
  SystemsOwn = "/etc/localtime";
  Day = 86400;  (* seconds *)
  MostBytes = 16_100000;
  MostHours = 167;  (* of a time in a rule: RFC 8536, 3.3.1 *)

TYPE
  (* What clocks show during some time. *)
  Kind = RECORD
      offset: INTEGER := 0;  (* seconds east *)
      isDaylight := FALSE;
      abbreviation := "UTC";
    END;

  Form = {Month, WithoutLeapDay, WithLeapDay};

  (* A day and second of each year. *)
  Change = RECORD
      form := Form.Month;
      month, week, day: CARDINAL := 0;  (* with Month: week 1 .. 5, 5 is the last; day 0 is Sunday *)
      second: INTEGER := 7200;
    END;

  Rule = REF RECORD
      standard, daylight := Kind{};
      hasDaylight := FALSE;
      start, end := Change{};  (* of daylight saving time *)
    END;

REVEAL
  T = BRANDED "TimeZone.T" REF RECORD
      name: TEXT;
      times: REF ARRAY OF INTEGER;     (* in order, when the kind changes *)
      which: REF ARRAY OF [0 .. 255];  (* the kind from then on *)
      kinds: REF ARRAY OF Kind;        (* [0] holds before the first time *)
      rule: Rule := NIL;               (* for what is behind the last time; NIL: its kind goes on *)
    END;

(* --- Finding zones *)

PROCEDURE Named(name: TEXT): T RAISES {Error} =
  VAR folder := Env.Get("TZDIR");
  BEGIN
    IF Text.Empty(name) OR NOT IsSafe(name) THEN
      RAISE Error("\"" & name & "\" is no name of a time zone");
    END;
    IF folder = NIL THEN folder := Folder END;
    RETURN FromFile(folder & "/" & name, name);
  END Named;

(* Whether the file of this name lies in the folder of zones. *)
PROCEDURE IsSafe(name: TEXT): BOOLEAN =
  VAR previous := '/';
  BEGIN
    FOR i := 0 TO Text.Length(name) - 1 DO
      WITH c = Text.GetWideChar(name, i) DO
        IF c > W'~' OR c <= W' ' THEN RETURN FALSE END;
        IF previous = '/' AND (c = W'.' OR c = W'/') THEN RETURN FALSE END;
        previous := VAL(ORD(c), CHAR);
      END;
    END;
    RETURN TRUE;
  END IsSafe;

PROCEDURE Local(): T RAISES {Error} =
  VAR name := Env.Get("TZ");
  BEGIN
    IF name = NIL THEN
      TRY
        RETURN FromFile(SystemsOwn, SystemsOwn);
      EXCEPT
      | Error => RETURN FromRule("UTC0");
      END;
    END;
    IF Text.Empty(name) THEN RETURN FromRule("UTC0") END;
    IF Text.GetWideChar(name, 0) = W':' THEN name := Text.Sub(name, 1) END;
    TRY
      RETURN Named(name);
    EXCEPT
    | Error (why) =>
      TRY
        RETURN FromRule(name);
      EXCEPT
      | Error => RAISE Error(why);
      END;
    END;
  END Local;

PROCEDURE Name(z: T): TEXT =
  BEGIN
    RETURN z.name;
  END Name;

(* --- Reading files (RFC 8536) *)

PROCEDURE FromFile(path, name: TEXT): T RAISES {Error} =
  VAR rd: Rd.T;  text: TEXT;
  BEGIN
    TRY
      rd := FileRd.Open(path);
      TRY
        text := Rd.GetText(rd, MostBytes);
      FINALLY
        Rd.Close(rd);
      END;
    EXCEPT
    | OSError.E, Rd.Failure, Thread.Alerted =>
      RAISE Error("there is no time zone \"" & name & "\": " & path
                  & " cannot be read (the system's package tzdata has these files)");
    END;
    RETURN Parsed(text, path, name);
  END FromFile;

PROCEDURE Parsed(text, path, name: TEXT): T RAISES {Error} =
  CONST HeaderBytes = 44;
  VAR
    at, start, chars, times, kinds, leaps, standards, universals: CARDINAL := 0;
    z := NEW(T, name := name);

  PROCEDURE Need(bytes: CARDINAL) RAISES {Error} =
    BEGIN
      IF bytes > Text.Length(text) - at THEN RAISE Error(path & " is no whole file of a time zone") END;
    END Need;

  (* A number of so many bytes, the highest first. *)
  PROCEDURE Number(bytes: CARDINAL): INTEGER =
    VAR n: Word.T := 0;
    BEGIN
      FOR i := 1 TO bytes DO
        n := Word.Plus(Word.LeftShift(n, 8), ORD(Text.GetChar(text, at)));
        INC(at);
      END;
      RETURN Extended(n, bytes);
    END Number;

  PROCEDURE Header(): CARDINAL RAISES {Error} =
    VAR version: CHAR;
    BEGIN
      Need(HeaderBytes);
      IF NOT Text.Equal(Text.Sub(text, at, 4), "TZif") THEN
        RAISE Error(path & " is no file of a time zone");
      END;
      version := Text.GetChar(text, at + 4);
      INC(at, 20);
      universals := Count();
      standards := Count();
      leaps := Count();
      times := Count();
      kinds := Count();
      chars := Count();
      RETURN ORD(version);
    END Header;

  PROCEDURE Count(): CARDINAL RAISES {Error} =
    VAR n := Number(4);
    BEGIN
      IF n < 0 OR n > MostBytes THEN RAISE Error(path & " is no file of a time zone") END;
      RETURN n;
    END Count;

  BEGIN
    (* A first part has times of 4 bytes, for old readers; the second has those of 8. *)
    IF Header() < ORD('2') THEN RAISE Error(path & " has version 1, which is not read") END;
    WITH skipped = times * 5 + kinds * 6 + chars + leaps * 8 + standards + universals DO
      Need(skipped);
      INC(at, skipped);
    END;
    EVAL Header();
    Need(times * 9 + kinds * 6 + chars + leaps * 12 + standards + universals);
    IF kinds = 0 OR kinds > 256 THEN RAISE Error(path & " has no kinds of times") END;
    z.times := NEW(REF ARRAY OF INTEGER, times);
    z.which := NEW(REF ARRAY OF [0 .. 255], times);
    z.kinds := NEW(REF ARRAY OF Kind, kinds);
    FOR i := 0 TO times - 1 DO z.times[i] := Number(8) END;
    FOR i := 0 TO times - 1 DO
      z.which[i] := ORD(Text.GetChar(text, at));
      INC(at);
      IF z.which[i] >= kinds THEN RAISE Error(path & " names a kind of time that it lacks") END;
    END;
    start := at + 6 * kinds;
    FOR i := 0 TO kinds - 1 DO
      z.kinds[i].offset := Number(4);
      z.kinds[i].isDaylight := Text.GetChar(text, at) # '\000';
      WITH begin = start + ORD(Text.GetChar(text, at + 1)), end = Text.FindChar(text, '\000', begin) DO
        IF begin >= start + chars OR end < 0 THEN
          RAISE Error(path & " names an abbreviation that it lacks");
        END;
        z.kinds[i].abbreviation := Text.Sub(text, begin, end - begin);
      END;
      INC(at, 2);
    END;
    at := start + chars + leaps * 12 + standards + universals;
    Need(2);
    WITH end = Text.FindChar(text, '\n', at + 1) DO
      IF end < 0 THEN RAISE Error(path & " is no whole file of a time zone") END;
      IF end > at + 1 THEN z.rule := RuleOf(Text.Sub(text, at + 1, end - at - 1)) END;
    END;
    RETURN z;
  END Parsed;

(* A number of so many bytes, as one with a sign. *)
PROCEDURE Extended(n: Word.T; bytes: CARDINAL): INTEGER =
  BEGIN
    IF bytes = 4 AND Word.And(n, 16_80000000) # 0 THEN RETURN n - 16_100000000 END;
    RETURN n;
  END Extended;

(* --- Rules *)

PROCEDURE FromRule(rule: TEXT): T RAISES {Error} =
  VAR parsed := RuleOf(rule);
  BEGIN
    RETURN NEW(T, name := rule, times := NEW(REF ARRAY OF INTEGER, 0),
               which := NEW(REF ARRAY OF [0 .. 255], 0), kinds := NEW(REF ARRAY OF Kind, 1),
               rule := parsed);
  END FromRule;

PROCEDURE RuleOf(text: TEXT): Rule RAISES {Error} =
  VAR rule := NEW(Rule);  at: CARDINAL := 0;

  PROCEDURE Fail() RAISES {Error} =
    BEGIN
      RAISE Error("\"" & text & "\" is no rule of a time zone: see position " & Fmt.Int(at));
    END Fail;

  (* The next character; a newline at the end. *)
  PROCEDURE Next(): CHAR =
    BEGIN
      IF at = Text.Length(text) THEN RETURN '\n' END;
      WITH c = Text.GetWideChar(text, at) DO
        IF c > W'~' THEN RETURN '?' ELSE RETURN VAL(ORD(c), CHAR) END;
      END;
    END Next;

  PROCEDURE Accept(c: CHAR): BOOLEAN =
    BEGIN
      IF Next() # c THEN RETURN FALSE END;
      INC(at);
      RETURN TRUE;
    END Accept;

  PROCEDURE Number(first, last: CARDINAL): CARDINAL RAISES {Error} =
    VAR n: CARDINAL := 0;  begin := at;
    BEGIN
      WHILE Next() IN ASCII.Digits AND at - begin < 4 DO
        n := 10 * n + ORD(Next()) - ORD('0');
        INC(at);
      END;
      IF at = begin OR n < first OR n > last THEN Fail() END;
      RETURN n;
    END Number;

  (* [+|-]hh[:mm[:ss]], in seconds. *)
  PROCEDURE Seconds(mostHours: CARDINAL): INTEGER RAISES {Error} =
    VAR negative := Accept('-');  n: INTEGER;
    BEGIN
      IF NOT negative THEN EVAL Accept('+') END;
      n := 3600 * Number(0, mostHours);
      IF Accept(':') THEN
        INC(n, 60 * Number(0, 59));
        IF Accept(':') THEN INC(n, Number(0, 59)) END;
      END;
      IF negative THEN RETURN -n ELSE RETURN n END;
    END Seconds;

  PROCEDURE Abbreviation(): TEXT RAISES {Error} =
    VAR begin := at;  end: CARDINAL;
    BEGIN
      IF Accept('<') THEN
        begin := at;
        WHILE Next() IN ASCII.AlphaNumerics OR Next() = '+' OR Next() = '-' DO INC(at) END;
        end := at;
        IF NOT Accept('>') THEN Fail() END;
      ELSE
        WHILE Next() IN ASCII.Letters DO INC(at) END;
        end := at;
      END;
      IF end < begin + 3 THEN Fail() END;
      RETURN Text.Sub(text, begin, end - begin);
    END Abbreviation;

  PROCEDURE ChangeAt(): Change RAISES {Error} =
    VAR change := Change{};
    BEGIN
      IF NOT Accept(',') THEN Fail() END;
      IF Accept('M') THEN
        change.month := Number(1, 12);
        IF NOT Accept('.') THEN Fail() END;
        change.week := Number(1, 5);
        IF NOT Accept('.') THEN Fail() END;
        change.day := Number(0, 6);
      ELSIF Accept('J') THEN
        change.form := Form.WithoutLeapDay;
        change.day := Number(1, 365);
      ELSE
        change.form := Form.WithLeapDay;
        change.day := Number(0, 365);
      END;
      IF Accept('/') THEN change.second := Seconds(MostHours) END;
      RETURN change;
    END ChangeAt;

  BEGIN
    rule.standard.abbreviation := Abbreviation();
    rule.standard.offset := -Seconds(24);
    IF Next() # '\n' THEN
      rule.hasDaylight := TRUE;
      rule.daylight := Kind{rule.standard.offset + 3600, TRUE, Abbreviation()};
      IF Next() # ',' AND Next() # '\n' THEN rule.daylight.offset := -Seconds(24) END;
      IF Next() = '\n' THEN
        (* POSIX leaves the days open; these are the usual ones. *)
        rule.start := Change{month := 3, week := 2};
        rule.end := Change{month := 11, week := 1};
      ELSE
        rule.start := ChangeAt();
        rule.end := ChangeAt();
      END;
      IF Next() # '\n' THEN Fail() END;
    END;
    RETURN rule;
  END RuleOf;

(* The number of days from the start of 1970 to that of the year. *)
PROCEDURE DaysBefore(year: INTEGER): INTEGER =
  VAR n := year - 1;
  BEGIN
    RETURN 365 * (year - 1970) + n DIV 4 - n DIV 100 + n DIV 400 - 477;
  END DaysBefore;

(* The year of a day, counted from the start of 1970. *)
PROCEDURE YearOf(day: INTEGER): INTEGER =
  VAR year := 1970 + (day * 400) DIV 146097;
  BEGIN
    WHILE DaysBefore(year) > day DO DEC(year) END;
    WHILE DaysBefore(year + 1) <= day DO INC(year) END;
    RETURN year;
  END YearOf;

(* When the change is in a year, in seconds of the clock that is changed. *)
PROCEDURE ChangeIn(READONLY change: Change; year: INTEGER): INTEGER =
  CONST Before = ARRAY Days.Month OF CARDINAL{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  VAR day := DaysBefore(year);  first, last: INTEGER;
  BEGIN
    CASE change.form OF
    | Form.WithLeapDay => INC(day, change.day);
    | Form.WithoutLeapDay =>
      INC(day, change.day - 1);
      IF Days.IsLeap(year) AND change.day >= 60 THEN INC(day) END;
    | Form.Month =>
      first := day + Before[change.month] + ORD(Days.IsLeap(year) AND change.month > 2);
      last := first + Days.DaysInMonth(year, change.month) - 1;
      (* The start of 1970 was a Thursday. *)
      day := first + (change.day - 4 - first) MOD 7 + 7 * (change.week - 1);
      WHILE day > last DO DEC(day, 7) END;
    END;
    RETURN day * Day + change.second;
  END ChangeIn;

PROCEDURE KindByRule(rule: Rule; second: INTEGER): Kind =
  VAR year, start, end: INTEGER;  isDaylight: BOOLEAN;
  BEGIN
    IF NOT rule.hasDaylight THEN RETURN rule.standard END;
    year := YearOf((second + rule.standard.offset) DIV Day);
    start := ChangeIn(rule.start, year) - rule.standard.offset;
    end := ChangeIn(rule.end, year) - rule.daylight.offset;
    IF start < end THEN
      isDaylight := start <= second AND second < end;
    ELSE
      isDaylight := second < end OR start <= second;
    END;
    IF isDaylight THEN RETURN rule.daylight ELSE RETURN rule.standard END;
  END KindByRule;

(* --- Times and dates *)

PROCEDURE KindAt(second: INTEGER; z: T): Kind =
  VAR low: CARDINAL := 0;  high := NUMBER(z.times^);
  BEGIN
    (* The number of times that are at most `second`. *)
    WHILE low < high DO
      WITH middle = (low + high) DIV 2 DO
        IF z.times[middle] <= second THEN low := middle + 1 ELSE high := middle END;
      END;
    END;
    IF low = NUMBER(z.times^) AND z.rule # NIL THEN RETURN KindByRule(z.rule, second) END;
    IF low = 0 THEN RETURN z.kinds[0] END;
    RETURN z.kinds[z.which[low - 1]];
  END KindAt;

PROCEDURE ToDate(t: Time.T; z: T): Date.T =
  VAR kind := KindAt(FLOOR(t), z);  d := Date.FromTime(t + FLOAT(kind.offset, Time.T), Date.UTC);
  BEGIN
    d.offset := -kind.offset;
    d.zone := kind.abbreviation;
    RETURN d;
  END ToDate;

PROCEDURE Offset(t: Time.T; z: T): INTEGER =
  BEGIN
    RETURN KindAt(FLOOR(t), z).offset;
  END Offset;

PROCEDURE IsDaylight(t: Time.T; z: T): BOOLEAN =
  BEGIN
    RETURN KindAt(FLOOR(t), z).isDaylight;
  END IsDaylight;

PROCEDURE ToTime(READONLY d: Date.T; z: T; choice: Choice): Time.T RAISES {Date.Error} =
  VAR shown, before, behind, first, second: INTEGER;  utc := d;
  BEGIN
    utc.offset := 0;
    shown := ROUND(Date.ToTime(utc));
    before := KindAt(shown - Day, z).offset;
    behind := KindAt(shown + Day, z).offset;
    first := shown - before;
    second := shown - behind;
    WITH firstIs = KindAt(first, z).offset = before, secondIs = KindAt(second, z).offset = behind DO
      IF firstIs AND NOT secondIs THEN
        second := first;
      ELSIF secondIs AND NOT firstIs THEN
        first := second;
      END;
    END;
    (* Both are right, or none is. *)
    IF choice = Choice.Earlier THEN
      RETURN FLOAT(first, Time.T);
    ELSE
      RETURN FLOAT(second, Time.T);
    END;
  END ToTime;

BEGIN
END TimeZone.
