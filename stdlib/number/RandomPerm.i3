(* Random permutations of 0 .. n - 1. *)
INTERFACE RandomPerm;

IMPORT Random;

EXCEPTION Exhausted;

TYPE
  T = OBJECT METHODS
    size(): CARDINAL;   (* n *)
    index(): CARDINAL;  (* number of values that `next` has returned *)
    copy(): T;          (* a copy that goes on from here with the same
                           numbers *)

    (* The next number; raises Exhausted after n numbers. *)
    next(): CARDINAL RAISES {Exhausted};
  END;

  (* One of a small number of permutations; takes constant space for any n. *)
  LowQuality <: T OBJECT METHODS
    init(n: CARDINAL; r: Random.T): LowQuality;
  END;

  (* All permutations are equally likely; takes space for n numbers. *)
  HighQuality <: T OBJECT METHODS
    init(n: CARDINAL; r: Random.T): HighQuality;
  END;

(* Makes perm a permutation of 0 .. LAST(perm), all equally likely. *)
PROCEDURE Fill(VAR perm: ARRAY OF CARDINAL; r: Random.T);

END RandomPerm.
