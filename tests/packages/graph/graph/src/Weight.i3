(* Weights of edges. *)

<*PRAGMA LL, SPEC, LOOPINV, Z*>

INTERFACE Weight;

IMPORT Word;

TYPE T = REAL;

CONST
  Brand = "Weight";
  Infinity: T = LAST(REAL);
  Zero = 0.0;

PROCEDURE Equal(a, b: T): BOOLEAN;
PROCEDURE Hash(a: T): Word.T;
PROCEDURE Compare(a, b: T): [-1..1];
<*INLINE*> PROCEDURE Sum(a, b: T): T;

END Weight.
