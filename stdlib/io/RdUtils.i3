(* Helps for those who read. *)
INTERFACE RdUtils;

IMPORT AtomList;

(* The argument of a Failure or of OSError.E for people: the atoms from the first to the last,
   without those that only programs can read if there are others. *)
PROCEDURE FailureText(f: AtomList.T): TEXT;

END RdUtils.
