(* Sequences of INTEGER, numbered from 0, that grow and shrink at both ends. It is a checked
   run-time error to use an index >= size(), or to take from an empty sequence. *)
INTERFACE IntSeq;

IMPORT Integer;

CONST
  Brand = "(Sequence " & Integer.Brand & ")";

TYPE
  T <: Public;
  Public = OBJECT METHODS
    (* Makes it empty, with room for sizeHint elements. *)
    init(sizeHint: CARDINAL := 5): T;

    (* Makes it the elements of a. *)
    fromArray(READONLY a: ARRAY OF INTEGER): T;

    addhi(READONLY x: INTEGER);
    addlo(READONLY x: INTEGER);
    remhi(): INTEGER;
    remlo(): INTEGER;
    put(i: CARDINAL; READONLY x: INTEGER);
    size(): CARDINAL;
    gethi(): INTEGER;
    getlo(): INTEGER;
    get(i: CARDINAL): INTEGER;
  END;

(* New sequences: the elements of s and then of t; those from start on, at most length. *)
PROCEDURE Cat(s, t: T): T;
PROCEDURE Sub(s: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T;

END IntSeq.
