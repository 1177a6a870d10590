(* Lengths of time, exact to a microsecond.

   Example:

       MODULE Main;
       IMPORT Durations, IO;
       BEGIN
         TRY
           IO.Put(Durations.ToText(90 * Durations.Minute + 1500 * Durations.Millisecond) & "\n");
           IO.PutInt(Durations.Parse("P1DT1H") DIV Durations.Minute);
           IO.Put("\n");
           EVAL Durations.Parse("P1M");
         EXCEPT
         | Durations.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       PT1H30M1.5S
       1500
       "P1M" is not a duration: character 2: a number of weeks (W) or days (D), or a T, must stand here
*)
INTERFACE Durations;

EXCEPTION Error(TEXT);

TYPE
  T = INTEGER;  (* microseconds; may be negative *)

CONST
  Microsecond = 1;
  Millisecond = 1000;
  Second = 1000 * Millisecond;
  Minute = 60 * Second;
  Hour = 60 * Minute;
  Day = 24 * Hour;
  Week = 7 * Day;

(* As in ISO 8601: P1DT2H3M4.5S, PT0S, -PT1S. *)
PROCEDURE ToText(t: T): TEXT;

(* The same, also with weeks (P2W), a + in front, a comma as point, and any numbers of hours, minutes and seconds.
   Digits of the seconds behind the sixth one are cut off. Error also for years and months, which have no length, and
   for more than a T can be. *)
PROCEDURE Parse(t: TEXT): T RAISES {Error};

(* In seconds, as Thread.Pause and Time want them; rounded to the nearest microsecond. A checked run-time error if
   seconds does not fit. *)
PROCEDURE ToSeconds(t: T): LONGREAL;
PROCEDURE FromSeconds(seconds: LONGREAL): T;

END Durations.
