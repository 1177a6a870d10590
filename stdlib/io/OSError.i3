(* The exception of all interfaces to the operating system. *)
INTERFACE OSError;

IMPORT AtomList;

TYPE
  (* Not NIL; the first atom names the error, the others give details. RdUtils.FailureText makes
     it readable. *)
  Code = AtomList.T;

EXCEPTION
  E(Code);

END OSError.
