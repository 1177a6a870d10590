(* Sequences of REFANY, numbered from 0, that grow and shrink at both ends. It is a checked run-time
   error to use an index >= size(), or to take from an empty sequence. *)
INTERFACE RefSeq;

IMPORT Refany;

CONST
  Brand = "(Sequence " & Refany.Brand & ")";

TYPE
  T <: Public;
  Public = OBJECT METHODS
    (* Makes it empty, with room for sizeHint elements. *)
    init(sizeHint: CARDINAL := 5): T;

    (* Makes it the elements of a. *)
    fromArray(READONLY a: ARRAY OF REFANY): T;

    addhi(READONLY x: REFANY);
    addlo(READONLY x: REFANY);
    remhi(): REFANY;
    remlo(): REFANY;
    put(i: CARDINAL; READONLY x: REFANY);
    size(): CARDINAL;
    gethi(): REFANY;
    getlo(): REFANY;
    get(i: CARDINAL): REFANY;
  END;

(* New sequences: the elements of s and then of t; those from start on, at most length. *)
PROCEDURE Cat(s, t: T): T;
PROCEDURE Sub(s: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T;

END RefSeq.
