(* The random numbers of OO7. Everybody who builds the database and everybody who runs an operation
   draws the same ones: the same lines are in bench/oo7/cpp. *)
INTERFACE OO7Random;

PROCEDURE Start(seed: CARDINAL);

(* In [0..n - 1]. *)
PROCEDURE Draw(n: CARDINAL): CARDINAL;

END OO7Random.
