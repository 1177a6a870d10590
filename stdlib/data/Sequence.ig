(* Sequences, numbered from 0, that grow and shrink at both ends. It is a checked run-time error to
   use an index >= size(), or to take from an empty sequence. Elem needs T, which is not an open
   array, and Brand.

   Example:

       MODULE Main;
       IMPORT IO, TextSeq;
       VAR queue := NEW(TextSeq.T).init();
       BEGIN
         queue.addhi("second");
         queue.addhi("third");
         queue.addlo("first");
         WHILE queue.size() > 0 DO IO.Put(queue.remlo() & " ") END;
         IO.Put("\n");
       END Main.

   It prints

       first second third
*)
GENERIC INTERFACE Sequence(Elem);

CONST
  Brand = "(Sequence " & Elem.Brand & ")";

TYPE
  T <: Public;
  Public = OBJECT METHODS
    (* Makes the sequence empty, with room for sizeHint elements. *)
    init(sizeHint: CARDINAL := 5): T;

    (* Fills the sequence with the elements of a. *)
    fromArray(READONLY a: ARRAY OF Elem.T): T;

    addhi(READONLY x: Elem.T);
    addlo(READONLY x: Elem.T);
    remhi(): Elem.T;
    remlo(): Elem.T;
    put(i: CARDINAL; READONLY x: Elem.T);
    size(): CARDINAL;
    gethi(): Elem.T;
    getlo(): Elem.T;
    get(i: CARDINAL): Elem.T;
  END;

(* New sequences: Cat has the elements of s and then those of t; Sub has the elements from start
   on, at most `length` of them. *)
PROCEDURE Cat(s, t: T): T;
PROCEDURE Sub(s: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T;

END Sequence.
