(* Helpers for readers: searching, and texts of failures. *)
INTERFACE RdUtils;

IMPORT AtomList, Rd, Thread;

TYPE
  (* The character as which a character is compared; with ToUpperCaseASCII a search ignores case. *)
  Canonicalize = PROCEDURE (ch: CHAR): CHAR;

PROCEDURE ToUpperCaseASCII(ch: CHAR): CHAR;

(* Finds pattern at or after the current position and returns its index, -1 if it is not found.
   If canonicalize is not NIL, it is applied to both sides. rd is left behind the match, or at
   its end. An empty pattern is found at the current position. *)
PROCEDURE Find(rd: Rd.T; pattern: TEXT; canonicalize: Canonicalize := NIL): [-1..LAST(CARDINAL)]
  RAISES {Rd.Failure, Thread.Alerted};
PROCEDURE FindString(rd: Rd.T; READONLY pattern: ARRAY OF CHAR; canonicalize: Canonicalize := NIL)
  : [-1..LAST(CARDINAL)] RAISES {Rd.Failure, Thread.Alerted};
PROCEDURE FindChar(rd: Rd.T; pattern: CHAR; canonicalize: Canonicalize := NIL)
  : [-1..LAST(CARDINAL)] RAISES {Rd.Failure, Thread.Alerted};

(* A readable text for the argument of a Failure or of OSError.E: the atoms from the first to the
   last. Atoms for programs are left out if there are others. *)
PROCEDURE FailureText(f: AtomList.T): TEXT;

END RdUtils.
