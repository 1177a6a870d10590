(* Dates of the calendar. *)
INTERFACE Date;

IMPORT Time;

TYPE
  T = RECORD
    year: CARDINAL;
    month: Month;
    day: [1..31];
    hour: [0..23];
    minute: [0..59];
    second: [0..60];
    offset: INTEGER;  (* seconds to add to reach UTC: positive west of Greenwich *)
    zone: TEXT;
    weekDay: WeekDay;
  END;

  Month = {Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec};
  WeekDay = {Sun, Mon, Tue, Wed, Thu, Fri, Sat};
  TimeZone <: REFANY;

VAR (*CONST*)
  Local, UTC: TimeZone;  (* the zone of the system or of TZ; universal time *)

(* The date of t in zone z; NIL means Local. Times before the year 0, or with a year beyond two
   billion, have no date: a checked run-time error. *)
PROCEDURE FromTime(t: Time.T; z: TimeZone := NIL): T;

(* The date does not exist. *)
EXCEPTION Error;

(* The time of the date d; zone and weekDay of d are ignored. *)
PROCEDURE ToTime(READONLY d: T): Time.T RAISES {Error};

END Date.
