(* Helps for those who read: searching, and what a failure means. *)
INTERFACE RdUtils;

IMPORT AtomList, Rd, Thread;

TYPE
  (* What a character counts as; ToUpperCaseASCII makes a search blind to case. *)
  Canonicalize = PROCEDURE(ch: CHAR): CHAR;

PROCEDURE ToUpperCaseASCII(ch: CHAR): CHAR;

(* The index of the first place at or after the present one where pattern stands, canonicalize, if
   not NIL, applied to both sides; -1 if there is none. rd is left after what was found, or at its
   end. An empty pattern is found where rd is. *)
PROCEDURE Find(rd: Rd.T; pattern: TEXT; canonicalize: Canonicalize := NIL): [-1..LAST(CARDINAL)]
  RAISES {Rd.Failure, Thread.Alerted};
PROCEDURE FindString(rd: Rd.T; READONLY pattern: ARRAY OF CHAR; canonicalize: Canonicalize := NIL)
  : [-1..LAST(CARDINAL)] RAISES {Rd.Failure, Thread.Alerted};
PROCEDURE FindChar(rd: Rd.T; pattern: CHAR; canonicalize: Canonicalize := NIL)
  : [-1..LAST(CARDINAL)] RAISES {Rd.Failure, Thread.Alerted};

(* The argument of a Failure or of OSError.E for people: the atoms from the first to the last,
   without those that only programs can read if there are others. *)
PROCEDURE FailureText(f: AtomList.T): TEXT;

END RdUtils.
