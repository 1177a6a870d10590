(* Intervals of integers: a holds n if a.lo <= n < a.hi.

   An interval is empty if a.lo >= a.hi. Each procedure accepts empty intervals with any bounds,
   and returns Empty if its result is empty. *)
INTERFACE Interval;

IMPORT Word;

TYPE
  T = RECORD lo, hi: INTEGER END;
  Bound = {Lo, Hi};
  Partition = ARRAY [0..2] OF T;

CONST
  Brand = "Interval";
  Empty = T{0, 0};

  (* The longest interval around 0 whose size is a CARDINAL. *)
  Full = T{FIRST(INTEGER) DIV 2, LAST(INTEGER) DIV 2};

(* The interval from lo to hi; FromAbsBounds takes the smaller bound as the lower one. *)
PROCEDURE FromBounds(lo, hi: INTEGER): T;
PROCEDURE FromAbsBounds(lo, hi: INTEGER): T;

(* The interval of s integers that begins at lo; at 0. *)
PROCEDURE FromBound(lo: INTEGER; s: CARDINAL): T;
PROCEDURE FromSize(s: CARDINAL): T;

(* The number of integers in a. *)
PROCEDURE Size(READONLY a: T): CARDINAL;

(* The integer in the middle of a, the greater one if there are two; 0 if a is empty. *)
PROCEDURE Middle(READONLY a: T): INTEGER;

(* An interval of a's size whose middle is n. *)
PROCEDURE Center(READONLY a: T; n: INTEGER): T;

(* The bound that is nearer to n; Lo if both are equally near. *)
PROCEDURE PickBound(READONLY a: T; n: INTEGER): Bound;

(* The element that is nearest to n. A checked run-time error if a is empty. *)
PROCEDURE Project(READONLY a: T; n: INTEGER): INTEGER;

(* Move adds n to a's bounds; Inset moves the bounds inwards by n (outwards if n is negative);
   Change adds dlo and dhi to the bounds. *)
PROCEDURE Move(READONLY a: T; n: INTEGER): T;
PROCEDURE Inset(READONLY a: T; n: INTEGER): T;
PROCEDURE Change(READONLY a: T; dlo, dhi: INTEGER): T;

(* Join: the shortest interval that includes both. Meet: the intersection. *)
PROCEDURE Join(READONLY a, b: T): T;
PROCEDURE Meet(READONLY a, b: T): T;

(* b gets the part of a that is less than n, c the rest. *)
PROCEDURE Chop(READONLY a: T; n: INTEGER; VAR (*OUT*) b, c: T);

(* f[1] is Meet(a, by); the others are the parts of a on either side of it. They are in an
   order in which moving the parts by dn one after the other never covers a part that was not
   yet moved. If the intervals do not overlap, all of a is f[0] or f[2]. *)
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

(* Compares lower bounds, then upper bounds; every empty interval counts as Empty. *)
PROCEDURE Compare(READONLY a, b: T): [-1..1];
PROCEDURE Hash(READONLY a: T): Word.T;

END Interval.
