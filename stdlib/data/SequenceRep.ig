(* The representation of sequences, where Seq is an instance of
   Sequence(Elem). *)
GENERIC INTERFACE SequenceRep(Elem, Seq);

REVEAL
  Seq.T <: Public;

TYPE
  EArr = ARRAY OF Elem.T;
  RefArray = REF ARRAY OF Elem.T;

  Public = Seq.Public OBJECT
    (* A ring buffer; element i is elem[(st + i) MOD NUMBER(elem^)]. NIL before
       init. *)
    elem: RefArray;
    st: CARDINAL := 0;
    sz: CARDINAL := 0;
  END;

END SequenceRep.
