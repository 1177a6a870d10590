(* Priority queues. Priority needs T, which is not an open array, Brand and Compare. An element
   carries data by being of a subtype of Elt, and is in one queue at a time. *)
GENERIC INTERFACE PQueue(Priority);

CONST
  EltBrand = "(PQueueElt " & Priority.Brand & ")";

TYPE
  (* The priority of an element in a queue changes by `change` only. *)
  Elt <: OBJECT priority: Priority.T END;

EXCEPTION
  Empty;
  NotInQueue;  (* the element is in no queue, or in another one *)

CONST
  Brand = "(PQueue " & Priority.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = OBJECT METHODS
    (* insert puts elt into the queue, delete takes it out; size is the number of elements. *)
    insert(READONLY elt: Elt);
    delete(elt: Elt) RAISES {NotInQueue};
    size(): CARDINAL;

    (* An element of the least priority; deleteMin also takes it out. *)
    min(): Elt RAISES {Empty};
    deleteMin(): Elt RAISES {Empty};

    (* Gives elt, which is in the queue, another priority. *)
    change(elt: Elt; newP: Priority.T) RAISES {NotInQueue};
  END;

  Default <: DefaultPub;
  DefaultPub = T OBJECT METHODS
    (* Makes the queue empty, with room for sizeHint elements. *)
    init(sizeHint: CARDINAL := 10): Default;

    (* Fills the queue with the elements of e, in time linear in their number. *)
    fromArray(READONLY e: ARRAY OF Elt): Default;

    (* May be overridden; by default Priority.Compare. *)
    pCompare(READONLY p1, p2: Priority.T): [-1..1];
  END;

END PQueue.
