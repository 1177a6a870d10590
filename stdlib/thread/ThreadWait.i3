(* Waits for conditions that also a limit of time ends. *)
INTERFACE ThreadWait;

IMPORT Thread;

TYPE
  Ending = {
    Woken,    (* by Signal or Broadcast, or without a reason: test the condition again *)
    Late,     (* the time was over *)
    Alerted   (* the request is cleared *)
  };

  (* A point of time, in nanoseconds of a clock that never goes back. *)
  Deadline = INTEGER;

CONST
  NoLimit = -1.0D0;  (* seconds *)
  Never = LAST(Deadline);

(* The point of time so many seconds from now; Never if seconds < 0. *)
PROCEDURE In(seconds: LONGREAL): Deadline;

(* As Thread.Wait, until the deadline; if alertable, as Thread.AlertWait. The caller holds m again, whatever has ended
   the wait. *)
PROCEDURE Until(m: Thread.Mutex; c: Thread.Condition; deadline: Deadline; alertable: BOOLEAN): Ending;

(* Whether the calling thread was alerted; the request stays. Much cheaper than Thread.TestAlert. *)
PROCEDURE IsAlerted(): BOOLEAN;

END ThreadWait.
