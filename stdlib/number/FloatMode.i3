(* The calling thread's modes of floating-point arithmetic. Operations on constants, which the
   compiler carries out, and operations that it moves across a call of this interface do not heed
   the modes.

   What is supported: the four rounding modes of IEEE 754 other than NearestElseAwayFromZero; flags
   for the five floating-point events, which have the behaviour SetFlag or Ignore; IntDivByZero,
   which has the behaviour Trap (as a checked run-time error). Everything else raises Failure. *)
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

(* How results that are not exact are rounded. *)
PROCEDURE SetRounding(md: RoundingMode) RAISES {Failure};
PROCEDURE GetRounding(): RoundingMode;

TYPE
  Flag = {Invalid, Inexact, Overflow, Underflow, DivByZero, IntOverflow, IntDivByZero};

CONST
  NoFlags = SET OF Flag{};

(* The events that have happened, or were set, and not been cleared since. *)
PROCEDURE GetFlags(): SET OF Flag;

(* Makes s the flags and returns what they were. *)
PROCEDURE SetFlags(s: SET OF Flag): SET OF Flag RAISES {Failure};

(* Takes f out of the flags. *)
PROCEDURE ClearFlag(f: Flag);

(* An operation met an event that it reports so. *)
EXCEPTION Trap(Flag);

TYPE
  Behavior = {Trap, SetFlag, Ignore};

(* What happens at an event; Ignore keeps it out of GetFlags. *)
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
