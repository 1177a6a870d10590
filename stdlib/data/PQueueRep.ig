(* The representation of PQ.Default, where PQ is an instance of PQueue. *)
GENERIC INTERFACE PQueueRep(PQ);

REVEAL
  PQ.Default <: DefaultPub;

TYPE
  EltsArray = REF ARRAY OF PQ.Elt;

  DefaultPub = PQ.DefaultPub OBJECT
    (* A heap in heap[1..sz]: the parent of heap[i], heap[i DIV 2], has no greater priority. heap[0]
       is not used; heap is NIL before init. *)
    sz: CARDINAL := 0;
    heap: EltsArray := NIL;
  END;

END PQueueRep.
