(* The exception of all interfaces to the operating system. *)
INTERFACE OSError;

IMPORT AtomList;

TYPE
  (* Not NIL; the first atom says what happened, the others add to it. RdUtils.FailureText makes it
     readable. *)
  Code = AtomList.T;

EXCEPTION
  E(Code);

END OSError.
