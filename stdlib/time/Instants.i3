(* Points in time, exact to a microsecond, in UTC: as programs store and exchange them.

   Example:

       MODULE Main;
       IMPORT Days, Durations, Instants, IO;
       VAR start: Instants.T;
       BEGIN
         TRY
           start := Instants.Parse("2026-11-30T19:33:07.25+01:00");
           IO.Put(Instants.ToText(start) & "\n");
           IO.Put(Instants.ToText(start + 2 * Durations.Day, digits := 0, offset := 60) & "\n");
           IO.Put(Days.ToText(Instants.DayOf(start)) & "\n");
           EVAL Instants.Parse("2026-11-30T19:33:07");
         EXCEPT
         | Instants.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       2026-11-30T18:33:07.250Z
       2026-12-02T19:33:07+01:00
       2026-11-30
       "2026-11-30T19:33:07" is not an instant: character 19: Z or an offset from UTC must stand here
*)
INTERFACE Instants;

IMPORT Days, Durations, Time;

EXCEPTION Error(TEXT);

CONST
  First = FIRST(Days.T) * Durations.Day;
  Last = LAST(Days.T) * Durations.Day + (Durations.Day - 1);

TYPE
  (* Microseconds since 1970-01-01T00:00:00Z, without leap seconds; years 0000 to 9999. The difference of two is a
     duration, and an instant and a duration give an instant: a checked run-time error if it is beyond those years. *)
  T = [First..Last];

  (* Minutes by which clocks are ahead of UTC: 60 in the winter of Paris. *)
  Offset = [-1439..1439];

PROCEDURE Now(): T;

(* The nearest instant; a checked run-time error if time is beyond those years. *)
PROCEDURE FromTime(time: Time.T): T;
PROCEDURE ToTime(t: T): Time.T;

(* The day in UTC and the time since it began, and back. *)
PROCEDURE DayOf(t: T): Days.T;
PROCEDURE TimeOfDay(t: T): [0..Durations.Day - 1];
PROCEDURE Of(day: Days.T; timeOfDay: [0..Durations.Day - 1] := 0): T;

(* As in RFC 3339 and ISO 8601, with this number of digits of the second, further ones cut off; -1: 0, 3 or 6, the
   fewest that lose nothing. Z stands for the offset 0. An instant whose year at the offset is beyond 0000 to 9999 is
   printed with the offset 0. *)
PROCEDURE ToText(t: T; digits: [-1..6] := -1; offset: Offset := 0): TEXT;

(* The same with any number of digits, those behind the sixth cut off; T and Z may be small letters, and a blank may
   stand for T. 60 as second is allowed where a leap second may be, at 23:59 in UTC: it means the first instant behind
   it. *)
PROCEDURE Parse(t: TEXT): T RAISES {Error};

(* The same; sets the offset to the one that is written. *)
PROCEDURE ParseWithOffset(t: TEXT; VAR offset: Offset): T RAISES {Error};

END Instants.
