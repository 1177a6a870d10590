(* A cheap clock for short times; its values have no meaning but their differences. *)
INTERFACE Tick;

IMPORT Word;

TYPE
  T = Word.T;

(* The clock. It may pass the last value and go on at 0: subtract with Word.Minus. *)
PROCEDURE Now(): T;

(* How long t ticks take. *)
PROCEDURE ToSeconds(t: Word.T): LONGREAL;

(* A T cannot be so many ticks. *)
EXCEPTION Overflow;

(* How many ticks s seconds are. *)
PROCEDURE FromSeconds(s: LONGREAL): Word.T RAISES {Overflow};

END Tick.
