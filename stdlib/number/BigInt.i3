(* Integers of any size, by the library GMP (package libgmp-dev). Numbers are immutable, so they may
   be shared by threads and saved in databases; NIL is not a number. Div and Mod round down, as DIV
   and MOD do; And, Or, Xor, Not and Bit see a negative number as two's complement with no end of
   ones.

   A number has fewer than MostBits bits: an operation whose result would have more raises Error. If
   the system has no memory for a number below that, the program ends.

   Example:

       MODULE Main;
       IMPORT BigInt, IO;
       <*FATAL BigInt.Error*>
       VAR n := BigInt.FromInt(1);
       BEGIN
         FOR i := 1 TO 30 DO n := BigInt.Mul(n, BigInt.FromInt(i)) END;
         IO.Put(BigInt.ToText(n) & "\n");
         IO.Put(BigInt.ToText(BigInt.Mod(n, BigInt.FromText("1000003"))) & "\n");
       END Main.

   It prints

       265252859812191058636308480000000
       90317
*)
INTERFACE BigInt;

IMPORT Word;

TYPE
  T <: REFANY;
  Base = [2 .. 36];

CONST
  Brand = "BigInt";
  MostBits = 16_200000000;  (* a number of this size has 1 GB *)

EXCEPTION
  (* Division by zero, a root of a negative number, a text that is no number, a result that is too
     large; the text says which. *)
  Error(TEXT);

PROCEDURE FromInt(i: INTEGER): T;

(* Whether t is an INTEGER; that INTEGER. *)
PROCEDURE IsInt(t: T): BOOLEAN;
PROCEDURE ToInt(t: T): INTEGER RAISES {Error};

(* The integer next to x in the direction of 0; x must be finite. The LONGREAL next to t in the
   direction of 0; infinite if none is as large. *)
PROCEDURE FromLongReal(x: LONGREAL): T RAISES {Error};
PROCEDURE ToLongReal(t: T): LONGREAL;

(* Digits, letters for those above 9, perhaps behind a - or +, and nothing else. ToText writes small
   letters. *)
PROCEDURE FromText(text: TEXT; base: Base := 10): T RAISES {Error};
PROCEDURE ToText(t: T; base: Base := 10): TEXT;

(* A total order, and what tables need. Hash is the same in every run. *)
PROCEDURE Compare(a, b: T): [-1 .. 1];
PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(t: T): Word.T;
PROCEDURE Sign(t: T): [-1 .. 1];

PROCEDURE Neg(t: T): T;
PROCEDURE Abs(t: T): T;
PROCEDURE Add(a, b: T): T RAISES {Error};
PROCEDURE Sub(a, b: T): T RAISES {Error};
PROCEDURE Mul(a, b: T): T RAISES {Error};
PROCEDURE Div(a, b: T): T RAISES {Error};
PROCEDURE Mod(a, b: T): T RAISES {Error};

(* a to the power n; 0 to the power 0 is 1. *)
PROCEDURE Power(a: T; n: CARDINAL): T RAISES {Error};

(* a to the power e, modulo m, which is not 0; if e is negative, of the inverse of a. *)
PROCEDURE PowerMod(a, e, m: T): T RAISES {Error};

(* The number x of 0 .. ABS(m) - 1 with a * x = 1 modulo m. *)
PROCEDURE Inverse(a, m: T): T RAISES {Error};

(* The greatest common divisor, not negative. *)
PROCEDURE Gcd(a, b: T): T;

(* The largest number whose square is at most t. *)
PROCEDURE Sqrt(t: T): T RAISES {Error};

(* t * 2^n, rounded down if n is negative. *)
PROCEDURE Shift(t: T; n: INTEGER): T RAISES {Error};
PROCEDURE And(a, b: T): T;
PROCEDURE Or(a, b: T): T;
PROCEDURE Xor(a, b: T): T;
PROCEDURE Not(t: T): T;
PROCEDURE Bit(t: T; i: CARDINAL): [0 .. 1];

(* The number of bits of ABS(t); 0 for 0. *)
PROCEDURE Bits(t: T): CARDINAL;

(* Whether t is a prime; of large numbers one in 2^64 or fewer is called so wrongly. The first such
   number behind t. *)
PROCEDURE IsPrime(t: T): BOOLEAN;
PROCEDURE NextPrime(t: T): T RAISES {Error};

END BigInt.
