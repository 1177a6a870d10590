(* The random numbers of OO7. All programs that build the database or run an operation draw the
   same numbers: bench/oo7/cpp has the same lines. *)
INTERFACE OO7Random;

PROCEDURE Start(seed: CARDINAL);

(* In [0..n - 1]. *)
PROCEDURE Draw(n: CARDINAL): CARDINAL;

END OO7Random.
