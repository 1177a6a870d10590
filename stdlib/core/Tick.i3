(* A cheap clock for short times; its values have no meaning but their differences. *)
INTERFACE Tick;

IMPORT Word;

TYPE
  T = Word.T;

PROCEDURE Now(): T;

PROCEDURE ToSeconds(t: Word.T): LONGREAL;

EXCEPTION Overflow;

PROCEDURE FromSeconds(s: LONGREAL): Word.T RAISES {Overflow};

END Tick.
