(* Points in time. *)
INTERFACE Time;

TYPE
  T = LONGREAL;  (* seconds since the start of 1970, UTC *)

(* The current time. *)
PROCEDURE Now(): T;

VAR (*CONST*)
  Grain: LONGREAL;  (* the clock's resolution, in seconds *)

END Time.
