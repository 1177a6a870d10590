(* Threads. A program has one thread so far; what needs a second one is not declared yet. *)
INTERFACE Thread;

TYPE
  T <: ROOT;
  Mutex = MUTEX;
  Condition <: ROOT;
  Closure = OBJECT METHODS apply(): REFANY END;

(* Locks and unlocks m. A mutex is not re-entrant; releasing one that the caller does not hold, and
   acquiring one that it holds, are checked run-time errors. *)
PROCEDURE Acquire(m: Mutex);
PROCEDURE Release(m: Mutex);

(* Sleeps for about n seconds. *)
PROCEDURE Pause(n: LONGREAL);

PROCEDURE Self(): T;

(* Raised in a wait that can be alerted. *)
EXCEPTION Alerted;

(* Asks t to raise Alerted at its next wait that can be alerted. *)
PROCEDURE Alert(t: T);

(* Whether the caller was asked; the request is then forgotten. *)
PROCEDURE TestAlert(): BOOLEAN;

PROCEDURE AlertPause(n: LONGREAL) RAISES {Alerted};

END Thread.
