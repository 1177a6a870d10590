(* The operations that IEEE 754 recommends, for a floating-point type R.T: Real, LongReal or
   Extended. *)
GENERIC INTERFACE Float(R);

IMPORT FloatMode;

TYPE
  T = R.T;

(* x times 2 to the power of n. *)
PROCEDURE Scalb(x: T; n: INTEGER): T RAISES {FloatMode.Trap};

(* The exponent of x; for a denormal number, the least exponent of normal numbers. Minus infinity
   for zero, infinity for an infinity. *)
PROCEDURE Logb(x: T): T RAISES {FloatMode.Trap};

(* The exponent n with 2 to the n <= ABS(x) < 2 to the n + 1, for denormal numbers as well.
   FIRST(INTEGER) for zero, LAST(INTEGER) for an infinity, 0 for a NaN. *)
PROCEDURE ILogb(x: T): INTEGER;

(* The neighbour of x in the direction of y; y if they are equal. *)
PROCEDURE NextAfter(x, y: T): T RAISES {FloatMode.Trap};

(* x with the sign of y. *)
PROCEDURE CopySign(x, y: T): T;

(* Whether x is neither an infinity nor a NaN. *)
PROCEDURE Finite(x: T): BOOLEAN;

PROCEDURE IsNaN(x: T): BOOLEAN;

(* The sign bit: 1 for negative numbers and minus zero. *)
PROCEDURE Sign(x: T): [0..1];

(* x < y OR y < x. *)
PROCEDURE Differs(x, y: T): BOOLEAN;

(* NOT (x <= y OR y <= x). *)
PROCEDURE Unordered(x, y: T): BOOLEAN;

(* Correctly rounded. *)
PROCEDURE Sqrt(x: T): T RAISES {FloatMode.Trap};

TYPE
  IEEEClass = {SignalingNaN, QuietNaN, Infinity, Normal, Denormal, Zero};

PROCEDURE Class(x: T): IEEEClass;

(* (-1) to the sign, times d0.d1d2..., times 10 to the exp; correctly rounded. *)
PROCEDURE FromDecimal(sign: [0..1]; READONLY digits: ARRAY OF [0..9]; exp: INTEGER): T
  RAISES {FloatMode.Trap};

TYPE
  (* A finite number other than zero is (-1) to the sign, times d0.d1...d(len-1), times 10 to the
     exp. errorSign is the sign of the decimal's error in absolute value (positive: the decimal
     is too great). For other classes of numbers only class and sign are used; len is 1 and
     digits[0] is 0. *)
  DecimalApprox = RECORD
    class: IEEEClass;
    sign: [0..1];
    len: [1..R.MaxSignifDigits];
    digits: ARRAY [0..R.MaxSignifDigits - 1] OF [0..9];
    exp: INTEGER;
    errorSign: [-1..1];
  END;

(* The shortest decimal that reads back as x; among several the one nearest to x. *)
PROCEDURE ToDecimal(x: T): DecimalApprox;

END Float.
