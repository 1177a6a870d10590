(* For tests of floating-point arithmetic. Real is Real or LongReal. *)
GENERIC INTERFACE FloatExtras(Real);

IMPORT FloatMode;

TYPE
  T = Real.T;

  (* b0.b1b2... times 2 to the exp, for the bits b0, b1 ...; the last one is 1 unless all are 0. *)
  Binary = RECORD
    exp: INTEGER;
    bits: REF ARRAY OF [0..1];
  END;

(* The absolute value of x exactly. A checked run-time error if x is not finite. *)
PROCEDURE ToBinary(x: T): Binary RAISES {FloatMode.Trap};

(* Operations that cause an event; their results are a NaN, an infinity with the sign, a number
   too great for T, and a number too small for T. *)
PROCEDURE RaiseInvalid(): T RAISES {FloatMode.Trap};
PROCEDURE RaiseDivByZero(sign: [-1..1] := 1): T RAISES {FloatMode.Trap};
PROCEDURE RaiseLargeOverflow(sign: [-1..1] := 1): T RAISES {FloatMode.Trap};
PROCEDURE RaiseLargeUnderflow(sign: [-1..1] := 1): T RAISES {FloatMode.Trap};

(* x rounded to an integer by the rounding mode. *)
PROCEDURE Round(x: T): INTEGER;

(* Causes the event f; raises Failure if this is not possible. *)
PROCEDURE SetFlag(f: FloatMode.Flag) RAISES {FloatMode.Failure};

(* FloatMode.SetBehavior(x, b) for all x in f. *)
PROCEDURE SetBehaviors(f: SET OF FloatMode.Flag; b: FloatMode.Behavior)
  RAISES {FloatMode.Failure};

END FloatExtras.
