(* Days of the calendar as numbers, so that arithmetic on days is that of integers: the proleptic Gregorian calendar,
   years 0000 to 9999, without times and time zones.

   Example:

       MODULE Main;
       IMPORT Days, Fmt, IO;
       VAR due: Days.T;
       BEGIN
         TRY
           due := Days.Parse("2028-01-31");
           IO.Put(Days.ToText(due + 30) & " " & Days.ToText(Days.AddMonths(due, 1)) & "\n");
           IO.Put(Fmt.Int(due - Days.Of(2027, 12, 24)) & " days, " & Days.Names[Days.WeekDayOf(due)] & "\n");
           due := Days.Parse("2027-02-29");
         EXCEPT
         | Days.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       2028-03-01 2028-02-29
       38 days, Monday
       "2027-02-29" is no day: month 2 of 2027 has 28 days
*)
INTERFACE Days;

EXCEPTION Error(TEXT);

TYPE
  (* Days since 1970-01-01, which is 0. A result of + or - that is beyond is a checked run-time error when it becomes a
     T; Plus raises Error. *)
  T = [-719528..2932896];

  Year = [0..9999];
  Month = [1..12];
  Parts = RECORD
    year: Year;
    month: Month;
    day: [1..31];
  END;

  WeekDay = {Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday};

CONST
  Names = ARRAY WeekDay OF TEXT{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

(* Error if there is no such day. *)
PROCEDURE Of(year, month, day: INTEGER): T RAISES {Error};

PROCEDURE Split(t: T): Parts;

PROCEDURE WeekDayOf(t: T): WeekDay;
PROCEDURE DayOfYear(t: T): [1..366];

(* The week of ISO 8601, which begins on Monday, and the year that it belongs to: week 1 is that with January 4. The
   first days of year 0 are in a week of year -1, the last ones of 9999 may be in one of 10000. *)
PROCEDURE Week(t: T; VAR year: INTEGER): [1..53];

PROCEDURE IsLeap(year: INTEGER): BOOLEAN;
PROCEDURE DaysInMonth(year: INTEGER; month: Month): [28..31];

(* n days, or months, later, or earlier if n < 0. The day of the month stays the same, or becomes the last one of a
   month that is too short. Error beyond the years 0 to 9999. *)
PROCEDURE Plus(t: T; n: INTEGER): T RAISES {Error};
PROCEDURE AddMonths(t: T; n: INTEGER): T RAISES {Error};

(* The greatest n for which AddMonths(from, n) <= to: a person's age is Months(birth, today) DIV 12. *)
PROCEDURE Months(from, to: T): INTEGER;

(* As in ISO 8601: 2026-11-30. Parse takes nothing else. *)
PROCEDURE ToText(t: T): TEXT;
PROCEDURE Parse(t: TEXT): T RAISES {Error};

(* The day in UTC. *)
PROCEDURE Today(): T;

END Days.
