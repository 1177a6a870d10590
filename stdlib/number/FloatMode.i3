(* The calling thread's modes of floating-point arithmetic. The modes do not affect operations on
   constants, which the compiler carries out, and operations that the compiler moves across a call
   of this interface. ROUND goes to the nearest integer in every mode.

   Supported are the four rounding modes of IEEE 754 other than NearestElseAwayFromZero; flags
   for the five floating-point events, with the behaviours SetFlag and Ignore; IntDivByZero, with
   the behaviour Trap (a checked run-time error). Everything else raises Failure. *)
INTERFACE FloatMode;

CONST
  IEEE = TRUE;  (* arithmetic follows IEEE 754 *)

(* The mode is not supported. *)
EXCEPTION Failure;

TYPE
  RoundingMode = {NearestElseEven, TowardMinusInfinity, TowardPlusInfinity, TowardZero,
                  NearestElseAwayFromZero, IBM370, Other};

CONST
  RoundDefault = RoundingMode.NearestElseEven;

(* The rounding of results that are not exact. *)
PROCEDURE SetRounding(md: RoundingMode) RAISES {Failure};
PROCEDURE GetRounding(): RoundingMode;

TYPE
  Flag = {Invalid, Inexact, Overflow, Underflow, DivByZero, IntOverflow, IntDivByZero};

CONST
  NoFlags = SET OF Flag{};

(* The events that have happened, or were set, and have not been cleared since. *)
PROCEDURE GetFlags(): SET OF Flag;

(* Sets the flags to s and returns the previous flags. *)
PROCEDURE SetFlags(s: SET OF Flag): SET OF Flag RAISES {Failure};

(* Takes f out of the flags. *)
PROCEDURE ClearFlag(f: Flag);

(* An operation caused an event whose behaviour is Trap. *)
EXCEPTION Trap(Flag);

TYPE
  Behavior = {Trap, SetFlag, Ignore};

(* The behaviour at an event; Ignore keeps the event out of GetFlags. *)
PROCEDURE SetBehavior(f: Flag; b: Behavior) RAISES {Failure};
PROCEDURE GetBehavior(f: Flag): Behavior;

(* For the implementation of threads: the modes that a new thread begins with. *)
TYPE
  ThreadState = RECORD
    behavior: ARRAY Flag OF Behavior;
    sticky: ARRAY Flag OF BOOLEAN;
  END;

PROCEDURE InitThread(VAR s: ThreadState);

END FloatMode.
