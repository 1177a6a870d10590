(* Sets that are lists, for few elements; ElemSet is an instance of Set(Elem), and Elem needs
   Equal. *)
GENERIC INTERFACE SetList(ElemSet);

TYPE
  Public = ElemSet.T OBJECT METHODS
    (* Makes the set empty. *)
    init(): T;
  END;
  T <: Public;

  Iterator <: ElemSet.Iterator;

END SetList.
