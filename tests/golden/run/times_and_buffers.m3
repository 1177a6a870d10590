(* golden: run, with lib/Check *)
(* FmtTime, FmtBuf, ETimer, Tick. *)
MODULE Main;

IMPORT Check, Date, ETimer, Fmt, FmtBuf, FmtTime, RuntimeError, Text, TextWr, Thread, Tick, Time,
  Word;

PROCEDURE Times() =
  VAR d := Date.FromTime(951782405.0d0, Date.UTC);
  BEGIN
    Check.Text(FmtTime.Long(951782405.0d0, Date.UTC), "Tue Feb 29 00:00:05 UTC 2000", "Long");
    Check.Text(FmtTime.Short(951782405.0d0, Date.UTC), "29-Feb-2000 00:00", "Short");
    Check.Text(FmtTime.DateLong(d), "Tue Feb 29 00:00:05 UTC 2000", "DateLong");
    d.day := 2;
    d.hour := 23;
    d.minute := 7;
    Check.Text(FmtTime.DateLong(d), "Tue Feb  2 23:07:05 UTC 2000", "DateLong");
    Check.Text(FmtTime.DateShort(d), "02-Feb-2000 23:07", "DateShort");
    Check.Text(FmtTime.Long(0.0d0), FmtTime.DateLong(Date.FromTime(0.0d0)), "the local zone");
    Check.Text(FmtTime.Month[Date.Month.Dec] & FmtTime.WeekDay[Date.WeekDay.Sun], "DecSun", "names");
  END Times;

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

PROCEDURE Dates() =
  CONST
    Late = 6.0d16;  (* in the year 1901312238 *)
  <*FATAL Date.Error*>
  BEGIN
    Check.That(Exists(2000, Date.Month.Feb, 29), "29 February");
    Check.That(NOT Exists(2001, Date.Month.Feb, 29), "none");
    Check.That(Exists(2016, Date.Month.Dec, 31, 60), "a leap second");
    Check.That(NOT Exists(2001, Date.Month.Feb, 30, 60), "a leap second of no day");
    Check.That(Date.ToTime(Date.FromTime(Late, Date.UTC)) = Late, "a late year");
    Check.That(NOT Exists(LAST(CARDINAL), Date.Month.Jan, 1), "one that is too late");
  END Dates;

PROCEDURE Buffers() =
  VAR b: ARRAY [0..29] OF CHAR;  short: ARRAY [0..1] OF CHAR;

  PROCEDURE Is(n: CARDINAL; want: TEXT) =
    BEGIN
      Check.Text(Text.FromChars(SUBARRAY(b, 0, n)), want, "FmtBuf");
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
      Check.That(FALSE, "a short array");
    EXCEPT
    | RuntimeError.E => Check.That(short[0] = '?', "a short array");
    END;
  END Buffers;

PROCEDURE Timers() =
  VAR a, b, c: ETimer.T;  wr := TextWr.New();  t: TEXT;
  BEGIN
    a := ETimer.New("a");
    ETimer.Push(a);
    ETimer.Pop();
    ETimer.Pop();
    Check.That(ETimer.Elapsed(a) = 0.0d0, "not enabled");
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
    Check.That(ETimer.Elapsed(a) >= 0.02d0 AND ETimer.Elapsed(a) < ETimer.Elapsed(b), "Elapsed");
    Check.That(ETimer.TotalElapsed() = ETimer.Elapsed(a) + ETimer.Elapsed(b), "TotalElapsed");
    Check.That(ETimer.Next(NIL) = a AND ETimer.Next(a) = b AND ETimer.Next(c) = NIL, "Next");
    ETimer.Append(b, 10.0d0);
    Check.That(ETimer.Elapsed(b) > 10.0d0, "Append");
    ETimer.Relabel(b, "new name");
    ETimer.Reset(a);
    ETimer.Dump(wr);
    t := TextWr.ToText(wr);
    Check.Text(Text.Sub(t, 12), "new name\n", "Dump");
    Check.Text(Text.Sub(t, 0, 7), "    10.", "Dump");
    ETimer.ResetAll();
    Check.That(ETimer.TotalElapsed() = 0.0d0, "ResetAll");
  END Timers;

(* Pauses for ever. *)
PROCEDURE Sleep(<*UNUSED*> self: Thread.Closure): REFANY =
  BEGIN
    Thread.Pause(1.0d19);
    awake := TRUE;
    RETURN NIL;
  END Sleep;

VAR
  awake := FALSE;

PROCEDURE Ticks() =
  VAR start := Tick.Now();  now := Time.Now();
  <*FATAL Tick.Overflow*>
  BEGIN
    EVAL Thread.Fork(NEW(Thread.Closure, apply := Sleep));
    Thread.Pause(0.01d0);
    Check.That(NOT awake, "a pause that does not end");
    Check.That(Tick.ToSeconds(Tick.Now() - start) >= 0.01d0, "Tick.Now");
    Check.That(Time.Now() - now >= 0.009d0 AND Time.Grain > 0.0d0, "Time.Now");
    Check.That(ABS(Tick.ToSeconds(Tick.FromSeconds(2.5d0)) - 2.5d0) < 1.0d-6, "FromSeconds");
    Check.That(Tick.ToSeconds(Word.Minus(0, 1)) > 1.8d10, "ToSeconds of the greatest word");
    TRY
      EVAL Tick.FromSeconds(1.0d30);
      Check.That(FALSE, "Overflow");
    EXCEPT
    | Tick.Overflow => Check.That(TRUE, "");
    END;
  END Ticks;

BEGIN
  Times();
  Dates();
  Buffers();
  Timers();
  Ticks();
  Check.Done();
END Main.
(* expect: 35 checks, 0 failed *)
