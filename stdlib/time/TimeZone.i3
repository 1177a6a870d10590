(* Time zones by name, from the system's files (package tzdata): when clocks in a zone went forward and
   back, and the rule by which they will. TZDIR in the environment names another folder than
   /usr/share/zoneinfo. Leap seconds are not counted, as in Time.

   Example:

       MODULE Main;
       IMPORT Date, Fmt, FmtTime, IO, TimeZone;
       <*FATAL TimeZone.Error, Date.Error*>
       VAR
         zurich := TimeZone.Named("Europe/Zurich");
         noon := Date.T{2024, Date.Month.Jul, 1, 12, 0, 0, 0, "", Date.WeekDay.Sun};
         t := TimeZone.ToTime(noon, zurich);
       BEGIN
         IO.Put(FmtTime.DateLong(TimeZone.ToDate(t, zurich)) & "\n");
         IO.Put(FmtTime.DateLong(TimeZone.ToDate(t, TimeZone.Named("America/New_York"))) & "\n");
         IO.Put(Fmt.Int(TimeZone.Offset(t, zurich)) & "\n");
       END Main.

   It prints

       Mon Jul  1 12:00:00 CEST 2024
       Mon Jul  1 06:00:00 EDT 2024
       7200
*)
INTERFACE TimeZone;

IMPORT Date, Time;

TYPE
  (* A zone, which does not change: threads may share it, and databases may hold it. *)
  T <: REFANY;

  (* Of two times that clocks showed alike. *)
  Choice = {Earlier, Later};

EXCEPTION
  Error(TEXT);

(* The zone with this name: "Europe/Zurich". Reads a file; raises Error if there is none, or if it is
   no file of a zone. *)
PROCEDURE Named(name: TEXT): T RAISES {Error};

(* The zone that TZ in the environment names, or describes by a rule of POSIX; without TZ that of the
   system, or if it has none, UTC. *)
PROCEDURE Local(): T RAISES {Error};

(* The zone in which clocks follow a rule of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3". *)
PROCEDURE FromRule(rule: TEXT): T RAISES {Error};

PROCEDURE Name(z: T): TEXT;

(* What a clock in the zone shows at t, with the zone's abbreviation ("CEST"). As Date.FromTime for
   times that have no date. *)
PROCEDURE ToDate(t: Time.T; z: T): Date.T;

(* The seconds that clocks in the zone are before UTC at t, positive east of Greenwich; whether that is
   daylight saving time. *)
PROCEDURE Offset(t: Time.T; z: T): INTEGER;
PROCEDURE IsDaylight(t: Time.T; z: T): BOOLEAN;

(* When clocks in the zone show d, whose offset, zone and weekDay are ignored. If they show d twice,
   as they go back, `choice` decides. If they never show d, as they go forward, the time is reckoned
   by the offset before (Earlier) or behind (Later). Raises Date.Error for a date that does not exist. *)
PROCEDURE ToTime(READONLY d: Date.T; z: T; choice := Choice.Earlier): Time.T RAISES {Date.Error};

END TimeZone.
