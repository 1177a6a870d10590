(* Threads, which run at the same time as far as there are processors; monitors after Mesa; alerts. *)
INTERFACE Thread;

TYPE
  T <: ROOT;          (* a thread *)
  Mutex = MUTEX;      (* LOCK m DO ... END acquires and releases it *)
  Condition <: ROOT;  (* what threads that hold a mutex wait for *)

  (* What a thread does; the result goes to who joins it. *)
  Closure = OBJECT METHODS apply(): REFANY END;

  (* A closure that asks for a stack of so many words; 0: the default. *)
  SizedClosure = Closure OBJECT stackSize: CARDINAL := 0 END;

(* A new thread that executes cl.apply(). An exception that apply does not handle ends the
   program. *)
PROCEDURE Fork(cl: Closure): T;

(* Waits for the end of t and returns what its apply returned. A second Join of a thread is a
   checked run-time error. *)
PROCEDURE Join(t: T): REFANY;

(* Releases m, which the caller must hold, waits on c, and acquires m again. Releasing and beginning
   to wait are one step for Signal and Broadcast. May return early: test the condition again. *)
PROCEDURE Wait(m: Mutex; c: Condition);

(* Locks and unlocks m. A mutex is not re-entrant; releasing one that the caller does not hold, and
   acquiring one that it holds, are checked run-time errors. *)
PROCEDURE Acquire(m: Mutex);
PROCEDURE Release(m: Mutex);

(* Wake all threads that wait on c; at least one of them if there is any. *)
PROCEDURE Broadcast(c: Condition);
PROCEDURE Signal(c: Condition);

(* Sleeps for about n seconds. *)
PROCEDURE Pause(n: LONGREAL);

(* The calling thread. *)
PROCEDURE Self(): T;

(* Raised in a wait that can be alerted. *)
EXCEPTION Alerted;

(* Asks t to raise Alerted in the wait that can be alerted in which it is, or in its next one. *)
PROCEDURE Alert(t: T);

(* Whether the caller was asked; the request is then forgotten. *)
PROCEDURE TestAlert(): BOOLEAN;

(* As Wait, Join and Pause, and can be alerted. m is held again when AlertWait raises; a thread whose
   AlertJoin raised can be joined again. *)
PROCEDURE AlertWait(m: Mutex; c: Condition) RAISES {Alerted};
PROCEDURE AlertJoin(t: T): REFANY RAISES {Alerted};
PROCEDURE AlertPause(n: LONGREAL) RAISES {Alerted};

(* The size of stacks of new threads, in words: what it is, at least min, inc more. *)
PROCEDURE GetDefaultStackSize(): CARDINAL;
PROCEDURE MinDefaultStackSize(min: CARDINAL);
PROCEDURE IncDefaultStackSize(inc: CARDINAL);

END Thread.
