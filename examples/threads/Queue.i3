(* A queue of bounded length between threads: a monitor. *)
INTERFACE Queue;

TYPE
  T <: Public;
  Public = MUTEX OBJECT METHODS
    (* At most `most` elements will wait in the queue. *)
    init(most: CARDINAL): T;

    (* Waits while the queue is full. *)
    put(element: REFANY);

    (* Waits while the queue is empty; NIL when it is closed and empty. *)
    get(): REFANY;

    (* No more elements will come. *)
    close();
  END;

END Queue.
