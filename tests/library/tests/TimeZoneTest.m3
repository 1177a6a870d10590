MODULE TimeZoneTest;

IMPORT Date, Fmt, FmtTime, Test, Text, TimeZone;

TYPE
  Row = RECORD
      rule: TEXT;
      year, month, day, hour: CARDINAL;  (* in UTC *)
      shown: TEXT;
    END;

CONST
  (* Days are counted from 0, with the leap day, or from 1 without it. *)
  Rows = ARRAY OF Row{
    Row{"XXX3YYY,59/0,364/24", 2023, 3, 1, 2, "Tue Feb 28 23:00:00 XXX 2023"},
    Row{"XXX3YYY,59/0,364/24", 2023, 3, 1, 3, "Wed Mar  1 01:00:00 YYY 2023"},
    Row{"XXX3YYY,59/0,364/24", 2024, 2, 29, 3, "Thu Feb 29 01:00:00 YYY 2024"},
    Row{"XXX3YYY,J60/0,J365/24", 2024, 2, 29, 3, "Thu Feb 29 00:00:00 XXX 2024"},
    Row{"XXX3YYY,J60/0,J365/24", 2024, 3, 1, 3, "Fri Mar  1 01:00:00 YYY 2024"},
    (* The other half of the globe, and a week before the last. *)
    Row{"<+10>-10<+11>,M10.1.0,M4.1.0/3", 2024, 1, 1, 0, "Mon Jan  1 11:00:00 +11 2024"},
    Row{"<+10>-10<+11>,M10.1.0,M4.1.0/3", 2024, 6, 1, 0, "Sat Jun  1 10:00:00 +10 2024"},
    Row{"UTC0", 2100, 2, 28, 0, "Sun Feb 28 00:00:00 UTC 2100"}};

PROCEDURE TestRules(t: Test.T) RAISES ANY =
  BEGIN
    t.each(NUMBER(Rows), CheckRow);
  END TestRules;

PROCEDURE CheckRow(t: Test.T; row: CARDINAL) RAISES ANY =
  BEGIN
    WITH r = Rows[row], z = TimeZone.FromRule(r.rule), time = TimeZone.ToTime(DateOf(r), TimeZone.FromRule("UTC0")) DO
      t.equalText(FmtTime.DateLong(TimeZone.ToDate(time, z)), r.shown);
    END;
  END CheckRow;

PROCEDURE DateOf(READONLY r: Row): Date.T =
  BEGIN
    RETURN Date.T{r.year, VAL(r.month - 1, Date.Month), r.day, r.hour, 0, 0, 0, "", Date.WeekDay.Sun};
  END DateOf;

PROCEDURE TestTimesThatClocksShowTwiceOrNever(t: Test.T) RAISES ANY =
  VAR
    z := TimeZone.FromRule("CET-1CEST,M3.5.0,M10.5.0/3");
    twice := Date.T{2024, Date.Month.Oct, 27, 2, 30, 0, 0, "", Date.WeekDay.Sun};
    never := Date.T{2024, Date.Month.Mar, 31, 2, 30, 0, 0, "", Date.WeekDay.Sun};
    wrong := Date.T{2023, Date.Month.Feb, 29, 2, 30, 0, 0, "", Date.WeekDay.Sun};
  BEGIN
    t.equalText(Shown(TimeZone.ToTime(twice, z)), "Sun Oct 27 00:30:00 UTC 2024");
    t.equalText(Shown(TimeZone.ToTime(twice, z, TimeZone.Choice.Later)), "Sun Oct 27 01:30:00 UTC 2024");
    t.equalText(Shown(TimeZone.ToTime(never, z)), "Sun Mar 31 01:30:00 UTC 2024");
    t.equalText(Shown(TimeZone.ToTime(never, z, TimeZone.Choice.Later)), "Sun Mar 31 00:30:00 UTC 2024");
    TRY
      EVAL TimeZone.ToTime(wrong, z);
      t.fail("there was no such day");
    EXCEPT
    | Date.Error =>
    END;
  END TestTimesThatClocksShowTwiceOrNever;

PROCEDURE Shown(time: LONGREAL): TEXT =
  BEGIN
    RETURN FmtTime.Long(time, Date.UTC);
  END Shown;

PROCEDURE TestFractionsOfSecondsBelongToTheSecond(t: Test.T) RAISES ANY =
  VAR z := TimeZone.FromRule("CET-1CEST,M3.5.0,M10.5.0/3");  change := 1711846800.0D0;
  BEGIN
    t.equalInt(TimeZone.Offset(change - 0.25D0, z), 3600);
    t.equalInt(TimeZone.Offset(change, z), 7200);
    t.equalText(Fmt.Int(TimeZone.ToDate(change - 0.25D0, z).second), "59");
  END TestFractionsOfSecondsBelongToTheSecond;

PROCEDURE TestErrorsSayWhatIsWrong(t: Test.T) RAISES ANY =
  CONST Names = ARRAY OF TEXT{"Atlantis/City", "../UTC", "", "CET-1CEST,M13.5.0,M10.5.0"};
        Words = ARRAY OF TEXT{"there is no time zone \"Atlantis/City\"", "\"../UTC\" is no name",
                              "\"\" is no name", "there is no time zone"};
  BEGIN
    FOR i := 0 TO LAST(Names) DO
      TRY
        EVAL TimeZone.Named(Names[i]);
        t.fail(Names[i]);
      EXCEPT
      | TimeZone.Error (said) =>
        t.equalText(Text.Sub(said, 0, Text.Length(Words[i])), Words[i]);
      END;
    END;
  END TestErrorsSayWhatIsWrong;

BEGIN
END TimeZoneTest.
