(* Sequences of TEXT, numbered from 0, that grow and shrink at both ends. It is a checked run-time
   error to use an index >= size(), or to take from an empty sequence. *)
INTERFACE TextSeq;

IMPORT Text;

CONST
  Brand = "(Sequence " & Text.Brand & ")";

TYPE
  T <: Public;
  Public = OBJECT METHODS
    (* Makes it empty, with room for sizeHint elements. *)
    init(sizeHint: CARDINAL := 5): T;

    (* Makes it the elements of a. *)
    fromArray(READONLY a: ARRAY OF TEXT): T;

    addhi(READONLY x: TEXT);
    addlo(READONLY x: TEXT);
    remhi(): TEXT;
    remlo(): TEXT;
    put(i: CARDINAL; READONLY x: TEXT);
    size(): CARDINAL;
    gethi(): TEXT;
    getlo(): TEXT;
    get(i: CARDINAL): TEXT;
  END;

(* New sequences: the elements of s and then of t; those from start on, at most length. *)
PROCEDURE Cat(s, t: T): T;
PROCEDURE Sub(s: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T;

END TextSeq.
