(* A cheap clock for short times; only the differences of its values have a meaning. *)
INTERFACE Tick;

IMPORT Word;

TYPE
  T = Word.T;

(* The present value of the clock. It may wrap around to 0: subtract with Word.Minus. *)
PROCEDURE Now(): T;

(* The duration of t ticks, in seconds. *)
PROCEDURE ToSeconds(t: Word.T): LONGREAL;

(* The number of ticks does not fit in a T. *)
EXCEPTION Overflow;

(* The number of ticks in s seconds. *)
PROCEDURE FromSeconds(s: LONGREAL): Word.T RAISES {Overflow};

END Tick.
