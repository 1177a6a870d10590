(* The representation of channels, for the generic Channel.

   Each channel has a mutex, a buffer in the instance of Channel, and two queues of cases whose threads wait. Getters
   wait only while the buffer is empty and no putter waits, and putters only while it is full, apart from cases whose
   threads are about to leave the queues.

   A thread that waits has a Waiter, which its cases share, in one queue each. Who serves a case, with the channel's
   mutex, must first become the only one that serves its waiter. Mutexes are acquired in the order: channels by their
   numbers, then a waiter. *)
INTERFACE ChannelRep;

IMPORT Channels, Thread;

TYPE
  Waiter = MUTEX OBJECT
    woken: Thread.Condition;
    isOver := FALSE;               (* a case is served, or the thread waits no longer *)
    served: Channels.Case := NIL;  (* with the waiter's mutex *)
  END;

  Queue = RECORD first, last: Channels.Case := NIL END;

REVEAL
  Channels.T <: Rep;
  Channels.Case <: CaseRep;

TYPE
  CaseRep = Channels.CasePublic OBJECT
    channel: Channels.T := NIL;
    puts := FALSE;                             (* otherwise gets *)
    waiter: Waiter := NIL;                     (* not NIL: in use by a thread that waits *)
    isQueued := FALSE;                         (* from here on with the channel's mutex *)
    next, previous: Channels.Case := NIL;
  END;

  Rep = Channels.Public OBJECT
    mu: MUTEX := NIL;
    number: CARDINAL := 0;
    most: CARDINAL := 0;            (* the capacity *)
    count: CARDINAL := 0;           (* elements in the buffer *)
    isShut := FALSE;
    getters, putters: Queue;
  METHODS
    (* With the mutex: of the buffer and of cases of the instance's own types. `hand` moves the element of a case that
       puts to one that gets. *)
    append(putter: Channels.Case);
    remove(getter: Channels.Case);
    hand(putter, getter: Channels.Case);
  END;

(* Initialises what is here of the channel. *)
PROCEDURE Init(t: Channels.T; capacity: CARDINAL);

(* With the channel's mutex: takes the first case whose thread still waits out of the queue. Its waiter is locked then,
   and Serve must follow, when the case has got its element or its element was taken. NIL: there is none. *)
PROCEDURE First(VAR q: Queue): Channels.Case;
PROCEDURE Serve(c: Channels.Case);

(* With the mutex, if the buffer is full and was just now taken from: appends the element of the first putter. *)
PROCEDURE Refill(t: Channels.T);

(* Select with one case, that is neither NIL nor served at once. *)
PROCEDURE Await(c: Channels.Case; seconds: LONGREAL; alertable: BOOLEAN): Channels.Outcome RAISES {Thread.Alerted};

END ChannelRep.
