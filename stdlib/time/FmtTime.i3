(* Times and dates as texts. *)
INTERFACE FmtTime;

IMPORT Date, Time;

(* "Sat Nov 21 06:30:05 PST 2026", of t in zone z; NIL means Date.Local. *)
PROCEDURE Long(t: Time.T; z: Date.TimeZone := NIL): TEXT;
PROCEDURE DateLong(READONLY d: Date.T): TEXT;

(* "21-Nov-2026 06:30". *)
PROCEDURE Short(t: Time.T; z: Date.TimeZone := NIL): TEXT;
PROCEDURE DateShort(READONLY d: Date.T): TEXT;

CONST
  Month = ARRAY Date.Month OF TEXT{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                                   "Oct", "Nov", "Dec"};
  WeekDay = ARRAY Date.WeekDay OF TEXT{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

END FmtTime.
