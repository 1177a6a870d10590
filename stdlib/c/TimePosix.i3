(* Times as Unix has them. *)
INTERFACE TimePosix;

IMPORT Time, Utime;

(* tv counts from the start of 1970. *)
PROCEDURE FromUtime(READONLY tv: Utime.struct_timeval): Time.T;

(* Parts of a microsecond are cut off. *)
PROCEDURE ToUtime(t: Time.T): Utime.struct_timeval;

END TimePosix.
