(* Random permutations of 0 .. n - 1. *)
INTERFACE RandomPerm;

IMPORT Random;

EXCEPTION Exhausted;

TYPE
  T = OBJECT METHODS
    size(): CARDINAL;   (* n *)
    index(): CARDINAL;  (* how many numbers `next` has given *)
    copy(): T;          (* that goes on from here with the same numbers *)

    (* The next number; Exhausted after n of them. *)
    next(): CARDINAL RAISES {Exhausted};
  END;

  (* A permutation of a few, which needs no more room for great n. *)
  LowQuality <: T OBJECT METHODS
    init(n: CARDINAL; r: Random.T): LowQuality;
  END;

  (* All permutations are equally likely; needs room for n numbers. *)
  HighQuality <: T OBJECT METHODS
    init(n: CARDINAL; r: Random.T): HighQuality;
  END;

(* Makes perm a permutation of 0 .. LAST(perm), all equally likely. *)
PROCEDURE Fill(VAR perm: ARRAY OF CARDINAL; r: Random.T);

END RandomPerm.
