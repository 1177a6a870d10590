(* Intervals of integers: a holds n if a.lo <= n < a.hi.

   An interval is empty if a.lo >= a.hi. Each procedure takes empty ones whatever their bounds are,
   and returns Empty where its result is empty. *)
INTERFACE Interval;

IMPORT Word;

TYPE
  T = RECORD lo, hi: INTEGER END;
  Bound = {Lo, Hi};
  Partition = ARRAY [0..2] OF T;

CONST
  Brand = "Interval";
  Empty = T{0, 0};

  (* The longest whose size is a CARDINAL, around 0. *)
  Full = T{FIRST(INTEGER) DIV 2, LAST(INTEGER) DIV 2};

(* From lo to hi; FromAbsBounds takes the lesser as the lower. *)
PROCEDURE FromBounds(lo, hi: INTEGER): T;
PROCEDURE FromAbsBounds(lo, hi: INTEGER): T;

(* The s integers from lo; from 0. *)
PROCEDURE FromBound(lo: INTEGER; s: CARDINAL): T;
PROCEDURE FromSize(s: CARDINAL): T;

(* How many integers are in a. *)
PROCEDURE Size(READONLY a: T): CARDINAL;

(* The one in the middle, the greater of two; 0 if a is empty. *)
PROCEDURE Middle(READONLY a: T): INTEGER;

(* An interval of a's size with n as its middle. *)
PROCEDURE Center(READONLY a: T; n: INTEGER): T;

(* The bound that n is nearer to, Lo if both are as near. *)
PROCEDURE PickBound(READONLY a: T; n: INTEGER): Bound;

(* The element that is nearest to n. A checked run-time error if a is empty. *)
PROCEDURE Project(READONLY a: T; n: INTEGER): INTEGER;

(* a with n added to its bounds; with its bounds moved inwards by n, outwards if n is negative; with
   dlo and dhi added to its bounds. *)
PROCEDURE Move(READONLY a: T; n: INTEGER): T;
PROCEDURE Inset(READONLY a: T; n: INTEGER): T;
PROCEDURE Change(READONLY a: T; dlo, dhi: INTEGER): T;

(* The shortest interval that includes both; what is in both. *)
PROCEDURE Join(READONLY a, b: T): T;
PROCEDURE Meet(READONLY a, b: T): T;

(* b is what of a is less than n, c the rest. *)
PROCEDURE Chop(READONLY a: T; n: INTEGER; VAR (*OUT*) b, c: T);

(* f[1] is Meet(a, by), the others are what of a is on either side of it, in such an order that
   moving the parts by dn one after the other never covers a part that was not moved yet. If the
   intervals do not overlap, all of a is f[0] or f[2]. *)
PROCEDURE Factor(READONLY a, by: T; VAR (*OUT*) f: Partition; dn: INTEGER);

(* The element of a that differs from n by a multiple of a's size. A checked run-time error if a is
   empty. *)
PROCEDURE Mod(n: INTEGER; READONLY a: T): INTEGER;

(* All empty intervals are equal. *)
PROCEDURE Equal(READONLY a, b: T): BOOLEAN;
PROCEDURE IsEmpty(READONLY a: T): BOOLEAN;
PROCEDURE Member(n: INTEGER; READONLY a: T): BOOLEAN;
PROCEDURE Overlap(READONLY a, b: T): BOOLEAN;

(* Is each element of a in b? *)
PROCEDURE Subset(READONLY a, b: T): BOOLEAN;

(* By lower bounds, then by upper ones; an empty interval comes as Empty. *)
PROCEDURE Compare(READONLY a, b: T): [-1..1];
PROCEDURE Hash(READONLY a: T): Word.T;

END Interval.
