(* Names for rounding modes and floating-point events. All arithmetic here rounds to nearest even
   and goes on after an event; setting other modes is not supported yet. *)
INTERFACE FloatMode;

CONST
  IEEE = TRUE;

(* The mode is not supported. *)
EXCEPTION Failure;

TYPE
  RoundingMode = {NearestElseEven, TowardMinusInfinity, TowardPlusInfinity, TowardZero,
                  NearestElseAwayFromZero, IBM370, Other};

CONST
  RoundDefault = RoundingMode.NearestElseEven;

TYPE
  Flag = {Invalid, Inexact, Overflow, Underflow, DivByZero, IntOverflow, IntDivByZero};

CONST
  NoFlags = SET OF Flag{};

(* An operation met an event that it reports so. *)
EXCEPTION Trap(Flag);

END FloatMode.
