(* Meters of elapsed time that form a stack: only the one on top runs. Nothing is measured before
   Enable. The meters are the program's, whatever thread uses them. *)
INTERFACE ETimer;

IMPORT Wr;

TYPE
  T <: REFANY;

(* A new timer at zero. *)
PROCEDURE New(lab: TEXT): T;
PROCEDURE Relabel(t: T; lab: TEXT);

(* Stops the timer on top and puts t there. *)
PROCEDURE Push(t: T);

(* Stops the timer on top and starts the one below it; nothing if there is none. *)
PROCEDURE Pop();

(* Adds seconds to t. *)
PROCEDURE Append(t: T; duration: LONGREAL);

(* Prints the timers that are not zero, the oldest first. Failures to write are ignored. *)
PROCEDURE Dump(wr: Wr.T);

(* Seconds in t, and in all timers. *)
PROCEDURE Elapsed(t: T): LONGREAL;
PROCEDURE TotalElapsed(): LONGREAL;

(* The timer made after prev; NIL for the oldest one, and after the last. *)
PROCEDURE Next(prev: T): T;

PROCEDURE Enable();
PROCEDURE Reset(t: T);
PROCEDURE ResetAll();

END ETimer.
