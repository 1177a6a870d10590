MODULE DaysTest;

IMPORT Days, Durations, Fmt, Instants, Test, Time;

(* The day after so many months, or why there is none. *)
PROCEDURE Later(day: TEXT; months: INTEGER): TEXT =
  BEGIN
    TRY RETURN Days.ToText(Days.AddMonths(Days.Parse(day), months)) EXCEPT Days.Error (why) => RETURN why END;
  END Later;

(* The number of an instant, or why the text is none. *)
PROCEDURE Number(t: TEXT): TEXT =
  BEGIN
    TRY RETURN Fmt.Int(Instants.Parse(t)) EXCEPT Instants.Error (why) => RETURN why END;
  END Number;

PROCEDURE Length(t: TEXT): TEXT =
  BEGIN
    TRY RETURN Fmt.Int(Durations.Parse(t)) EXCEPT Durations.Error (why) => RETURN why END;
  END Length;

PROCEDURE TestDays(t: Test.T) RAISES {Days.Error} =
  VAR year: INTEGER;
  BEGIN
    t.equalInt(Days.Of(1970, 1, 1), 0);
    t.equalInt(Days.Of(0, 1, 1), FIRST(Days.T));
    t.equalInt(Days.Of(9999, 12, 31), LAST(Days.T));
    (* Each day follows the one before it, through all years. *)
    FOR day := FIRST(Days.T) + 1 TO LAST(Days.T) BY 7 DO
      WITH a = Days.Split(day - 1), b = Days.Split(day) DO
        IF b.day # a.day + 1 AND (b.day # 1 OR a.day # Days.DaysInMonth(a.year, a.month)) THEN
          t.fail(Days.ToText(day));
        END;
      END;
    END;
    t.check(Days.WeekDayOf(Days.Of(2026, 11, 30)) = Days.WeekDay.Monday);
    t.check(Days.Week(Days.Of(2027, 1, 3), year) = 53 AND year = 2026);
    t.check(Days.Week(Days.Of(2024, 12, 30), year) = 1 AND year = 2025);
    t.check(Days.Week(FIRST(Days.T), year) = 52 AND year = -1);
    t.equalInt(Days.DayOfYear(Days.Of(2024, 12, 31)), 366);
    t.check(Days.IsLeap(2000) AND NOT Days.IsLeap(1900) AND Days.IsLeap(0));
    t.check(ABS(FLOAT(Days.Today(), LONGREAL) * 86400.0D0 - Time.Now()) < 2.0D0 * 86400.0D0);
  END TestDays;

PROCEDURE TestMonths(t: Test.T) RAISES {Days.Error} =
  BEGIN
    t.equalText(Later("2024-01-31", 1), "2024-02-29");
    t.equalText(Later("2024-02-29", 12), "2025-02-28");
    t.equalText(Later("2024-03-31", -1), "2024-02-29");
    t.equalText(Later("2024-01-15", -13), "2022-12-15");
    t.equalText(Later("9999-12-01", 1), "9999-12-01 and 1 months is beyond the years 0 to 9999");
    t.equalText(Later("2024-13-01", 1), "\"2024-13-01\" is no day: the months are 1 to 12");
    t.equalText(Later("2024-1-01", 1), "\"2024-1-01\" is not of the form YYYY-MM-DD");
    t.equalText(Later("2024-01x01", 1), "\"2024-01x01\" is not of the form YYYY-MM-DD: character 7");
    t.equalInt(Days.Months(Days.Of(2024, 1, 31), Days.Of(2024, 2, 29)), 1);
    t.equalInt(Days.Months(Days.Of(1815, 12, 10), Days.Of(1852, 11, 27)) DIV 12, 36);
    t.equalInt(Days.Months(Days.Of(2024, 3, 1), Days.Of(2024, 1, 31)), -2);
  END TestMonths;

PROCEDURE TestInstants(t: Test.T) =
  BEGIN
    t.equalText(Number("1970-01-01T00:00:01Z"), "1000000");
    t.equalText(Number("1970-01-01t00:00:00.000001-00:01"), "60000001");
    t.equalText(Number("2016-12-31T23:59:60Z"), Number("2017-01-01T00:00:00Z"));
    t.equalText(Number("2016-12-31T23:58:60Z"),
                "\"2016-12-31T23:58:60Z\" is not an instant: character 17: only 23:59 in UTC may have a second 60");
    t.equalText(Number("2016-12-31T24:00:00Z"),
                "\"2016-12-31T24:00:00Z\" is not an instant: character 11: the hour is at most 23");
    t.equalText(Number("2016-12-31T2:00:00Z"),
                "\"2016-12-31T2:00:00Z\" is not an instant: character 12: the hour must have two digits");
    t.equalText(Number("2016-12-32T20:00:00Z"),
                "\"2016-12-32T20:00:00Z\" is not an instant: \"2016-12-32\" is no day: month 12 of 2016 has 31 days");
    t.equalText(Number("2016-12-31T20:00:00Zx"),
                "\"2016-12-31T20:00:00Zx\" is not an instant: character 20: the instant has ended");
    t.equalText(Instants.ToText(FIRST(Instants.T)), "0000-01-01T00:00:00Z");
    t.equalText(Instants.ToText(LAST(Instants.T)), "9999-12-31T23:59:59.999999Z");
    t.equalText(Instants.ToText(LAST(Instants.T), 1, 60), "9999-12-31T23:59:59.9Z");
    t.equalText(Instants.ToText(-1, 3, -90), "1969-12-31T22:29:59.999-01:30");
    t.check(ABS(Instants.ToTime(Instants.Now()) - Time.Now()) < 60.0D0);
    t.equalInt(Instants.FromTime(1.5D0), 1500000);
    t.equalInt(Instants.Of(Instants.DayOf(-1), Instants.TimeOfDay(-1)), -1);
  END TestInstants;

PROCEDURE TestDurations(t: Test.T) =
  BEGIN
    t.equalText(Durations.ToText(0), "PT0S");
    t.equalText(Durations.ToText(-Durations.Week), "-P7D");
    t.equalText(Durations.ToText(FIRST(INTEGER)), "-P106751991DT4H54.775808S");
    t.equalText(Length("-P106751991DT4H54.775808S"), "-9223372036854775808");
    t.equalText(Length("PT1,5S"), "1500000");
    t.equalText(Length("P106751991DT4H54.775808S"), "\"P106751991DT4H54.775808S\" is not a duration: character 24: the"
                                                    & " duration is longer than 106751991 days");
    t.equalText(Length("PT1M2H"),
                "\"PT1M2H\" is not a duration: character 5: one of H, M and S that has not been must stand here");
    t.equalText(Length("PT"), "\"PT\" is not a duration: character 2: a number must stand here");
    t.equalText(Length("1H"), "\"1H\" is not a duration: character 0: a P must stand here");
    t.equalText(Length("PT1.5H"), "\"PT1.5H\" is not a duration: character 5: only seconds, with an S, may have a point");
    t.check(Durations.ToSeconds(1500 * Durations.Millisecond) = 1.5D0);
    t.equalInt(Durations.FromSeconds(-0.25D0), -250 * Durations.Millisecond);
  END TestDurations;

BEGIN
END DaysTest.
