(* FmtTime, FmtBuf, ETimer, Tick. *)
MODULE TimesAndBuffersTest;

IMPORT Test, Date, ETimer, Fmt, FmtBuf, FmtTime, RuntimeError, Text, TextWr, Thread, Tick, Time,
  Word;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

PROCEDURE TestTimes(<*UNUSED*> running: Test.T) =
  VAR d := Date.FromTime(951782405.0d0, Date.UTC);
  BEGIN
    test.equalText(FmtTime.Long(951782405.0d0, Date.UTC), "Tue Feb 29 00:00:05 UTC 2000", "Long");
    test.equalText(FmtTime.Short(951782405.0d0, Date.UTC), "29-Feb-2000 00:00", "Short");
    test.equalText(FmtTime.DateLong(d), "Tue Feb 29 00:00:05 UTC 2000", "DateLong");
    d.day := 2;
    d.hour := 23;
    d.minute := 7;
    test.equalText(FmtTime.DateLong(d), "Tue Feb  2 23:07:05 UTC 2000", "DateLong");
    test.equalText(FmtTime.DateShort(d), "02-Feb-2000 23:07", "DateShort");
    test.equalText(FmtTime.Long(0.0d0), FmtTime.DateLong(Date.FromTime(0.0d0)), "the local zone");
    test.equalText(FmtTime.Month[Date.Month.Dec] & FmtTime.WeekDay[Date.WeekDay.Sun], "DecSun", "names");
  END TestTimes;

(* Whether the date exists. *)
PROCEDURE Exists(year: CARDINAL; month: Date.Month; day: CARDINAL; second := 0): BOOLEAN =
  VAR d := Date.FromTime(0.0d0, Date.UTC);
  BEGIN
    d.year := year;
    d.month := month;
    d.day := day;
    d.hour := 23;
    d.minute := 59;
    d.second := second;
    TRY EVAL Date.ToTime(d); RETURN TRUE EXCEPT Date.Error => RETURN FALSE END;
  END Exists;

PROCEDURE TestDates(<*UNUSED*> running: Test.T) =
  CONST
    Late = 6.0d16;  (* in the year 1901312238 *)
  <*FATAL Date.Error*>
  BEGIN
    test.check(Exists(2000, Date.Month.Feb, 29), "29 February");
    test.check(NOT Exists(2001, Date.Month.Feb, 29), "none");
    test.check(Exists(2016, Date.Month.Dec, 31, 60), "a leap second");
    test.check(NOT Exists(2001, Date.Month.Feb, 30, 60), "a leap second of no day");
    test.check(Date.ToTime(Date.FromTime(Late, Date.UTC)) = Late, "a late year");
    test.check(NOT Exists(LAST(CARDINAL), Date.Month.Jan, 1), "one that is too late");
  END TestDates;

PROCEDURE TestBuffers(<*UNUSED*> running: Test.T) =
  VAR b: ARRAY [0..29] OF CHAR;  short: ARRAY [0..1] OF CHAR;

  PROCEDURE Is(n: CARDINAL; want: TEXT) =
    BEGIN
      test.equalText(Text.FromChars(SUBARRAY(b, 0, n)), want, "FmtBuf");
    END Is;

  BEGIN
    Is(FmtBuf.Int(b, -300), "-300");
    Is(FmtBuf.Int(b, 255, 16), "ff");
    Is(FmtBuf.Unsigned(b, -1), "ffffffffffffffff");
    Is(FmtBuf.Real(b, 0.1), "0.1");
    Is(FmtBuf.Real(b, 1.5, Fmt.Style.Fix, 3), "1.500");
    Is(FmtBuf.LongReal(b, 0.1d0, literal := TRUE), "0.1d0");
    Is(FmtBuf.Extended(b, 2.5x0, Fmt.Style.Sci, 2), Fmt.Extended(2.5x0, Fmt.Style.Sci, 2));
    short[0] := '?';
    TRY
      EVAL FmtBuf.Int(short, 100);
      test.check(FALSE, "a short array");
    EXCEPT
    | RuntimeError.E => test.check(short[0] = '?', "a short array");
    END;
  END TestBuffers;

PROCEDURE TestTimers(<*UNUSED*> running: Test.T) =
  VAR a, b, c: ETimer.T;  wr := TextWr.New();  t: TEXT;
  BEGIN
    a := ETimer.New("a");
    ETimer.Push(a);
    ETimer.Pop();
    ETimer.Pop();
    test.check(ETimer.Elapsed(a) = 0.0d0, "not enabled");
    ETimer.Enable();
    b := ETimer.New("b");
    c := ETimer.New("never");
    ETimer.Push(a);
    Thread.Pause(0.02d0);
    ETimer.Push(b);
    Thread.Pause(0.1d0);
    ETimer.Pop();
    ETimer.Pop();
    Thread.Pause(0.02d0);
    test.check(ETimer.Elapsed(a) >= 0.02d0 AND ETimer.Elapsed(a) < ETimer.Elapsed(b), "Elapsed");
    test.check(ETimer.TotalElapsed() = ETimer.Elapsed(a) + ETimer.Elapsed(b), "TotalElapsed");
    test.check(ETimer.Next(NIL) = a AND ETimer.Next(a) = b AND ETimer.Next(c) = NIL, "Next");
    ETimer.Append(b, 10.0d0);
    test.check(ETimer.Elapsed(b) > 10.0d0, "Append");
    ETimer.Relabel(b, "new name");
    ETimer.Reset(a);
    ETimer.Dump(wr);
    t := TextWr.ToText(wr);
    test.equalText(Text.Sub(t, 12), "new name\n", "Dump");
    test.equalText(Text.Sub(t, 0, 7), "    10.", "Dump");
    ETimer.ResetAll();
    test.check(ETimer.TotalElapsed() = 0.0d0, "ResetAll");
  END TestTimers;

(* Pauses for ever. *)
PROCEDURE Sleep(<*UNUSED*> self: Thread.Closure): REFANY =
  BEGIN
    Thread.Pause(1.0d19);
    awake := TRUE;
    RETURN NIL;
  END Sleep;

VAR
  awake := FALSE;

PROCEDURE TestTicks(<*UNUSED*> running: Test.T) =
  VAR start := Tick.Now();  now := Time.Now();
  <*FATAL Tick.Overflow*>
  BEGIN
    EVAL Thread.Fork(NEW(Thread.Closure, apply := Sleep));
    Thread.Pause(0.01d0);
    test.check(NOT awake, "a pause that does not end");
    test.check(Tick.ToSeconds(Tick.Now() - start) >= 0.01d0, "Tick.Now");
    test.check(Time.Now() - now >= 0.009d0 AND Time.Grain > 0.0d0, "Time.Now");
    test.check(ABS(Tick.ToSeconds(Tick.FromSeconds(2.5d0)) - 2.5d0) < 1.0d-6, "FromSeconds");
    test.check(Tick.ToSeconds(Word.Minus(0, 1)) > 1.8d10, "ToSeconds of the greatest word");
    TRY
      EVAL Tick.FromSeconds(1.0d30);
      test.check(FALSE, "Overflow");
    EXCEPT
    | Tick.Overflow => test.check(TRUE, "");
    END;
  END TestTicks;

BEGIN
END TimesAndBuffersTest.
