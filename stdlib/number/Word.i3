(* Unsigned and bitwise arithmetic on INTEGERs, modulo 2 to the power of Size. The compiler knows
   these procedures: it expands calls in line and folds them in constant expressions. *)
INTERFACE Word;

TYPE
  T = INTEGER;

CONST
  Size: INTEGER = BITSIZE(T);

(* Arithmetic modulo 2 to the power of Size. *)
PROCEDURE Plus(x, y: T): T;
PROCEDURE Times(x, y: T): T;
PROCEDURE Minus(x, y: T): T;

(* Unsigned; a checked run-time error if y = 0. *)
PROCEDURE Divide(x, y: T): T;
PROCEDURE Mod(x, y: T): T;

(* Unsigned comparisons. *)
PROCEDURE LT(x, y: T): BOOLEAN;
PROCEDURE LE(x, y: T): BOOLEAN;
PROCEDURE GT(x, y: T): BOOLEAN;
PROCEDURE GE(x, y: T): BOOLEAN;

(* Bit by bit. *)
PROCEDURE And(x, y: T): T;
PROCEDURE Or(x, y: T): T;
PROCEDURE Xor(x, y: T): T;
PROCEDURE Not(x: T): T;

(* Shifts left by n if n > 0, right by -n if n < 0, and fills with zeros; 0 if ABS(n) >= Size. *)
PROCEDURE Shift(x: T; n: INTEGER): T;
PROCEDURE LeftShift(x: T; n: [0..Size - 1]): T;
PROCEDURE RightShift(x: T; n: [0..Size - 1]): T;

(* Rotates left by n if n > 0, right by -n if n < 0, modulo Size. *)
PROCEDURE Rotate(x: T; n: INTEGER): T;
PROCEDURE LeftRotate(x: T; n: [0..Size - 1]): T;
PROCEDURE RightRotate(x: T; n: [0..Size - 1]): T;

(* Extract: the n bits of x from bit i on; bit 0 is the least significant. Insert: x with these
   bits replaced by the low n bits of y. A checked run-time error if i + n > Size. *)
PROCEDURE Extract(x: T; i, n: CARDINAL): T;
PROCEDURE Insert(x, y: T; i, n: CARDINAL): T;

END Word.
