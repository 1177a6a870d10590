(* Meters of elapsed time that form a stack: only the one on top runs. Nothing is measured before
   Enable. All threads share the meters. *)
INTERFACE ETimer;

IMPORT Wr;

TYPE
  T <: REFANY;

(* A new timer at zero. *)
PROCEDURE New(lab: TEXT): T;
PROCEDURE Relabel(t: T; lab: TEXT);

(* Stops the timer on top and puts t there. *)
PROCEDURE Push(t: T);

(* Stops the timer on top and starts the one below it; does nothing if the stack is empty. *)
PROCEDURE Pop();

(* Adds seconds to t. *)
PROCEDURE Append(t: T; duration: LONGREAL);

(* Prints the timers that are not zero, the oldest first. Failures of the writer are ignored. *)
PROCEDURE Dump(wr: Wr.T);

(* The seconds in t; the seconds in all timers. *)
PROCEDURE Elapsed(t: T): LONGREAL;
PROCEDURE TotalElapsed(): LONGREAL;

(* The timer made after prev; the oldest timer if prev is NIL; NIL after the last timer. *)
PROCEDURE Next(prev: T): T;

PROCEDURE Enable();
PROCEDURE Reset(t: T);
PROCEDURE ResetAll();

END ETimer.
