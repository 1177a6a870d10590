(* Sets that are hash tables; ElemSet is an instance of Set(Elem), and Elem needs Equal and Hash. *)
GENERIC INTERFACE SetDef(ElemSet);

TYPE
  Public = ElemSet.T OBJECT METHODS
    (* Makes the set empty, with room for sizeHint elements. *)
    init(sizeHint: CARDINAL := 0): T;
  END;
  T <: Public;

  Iterator <: ElemSet.Iterator;

END SetDef.
