(* Random numbers for tests: another seed in each run, or the seed in the environment variable
   SEED. *)
INTERFACE Dice;

(* Uniform in [0..n-1]. *)
PROCEDURE Roll(n: CARDINAL): CARDINAL;

(* "seed 123: " & what, for the message of a check. *)
PROCEDURE With(what: TEXT): TEXT;

END Dice.
