(* Threads, which run in parallel on the available processors; monitors as in Mesa; alerts.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Thread;
       TYPE
         Adder = Thread.Closure OBJECT n: INTEGER OVERRIDES apply := Add END;
       VAR
         mutex := NEW(MUTEX);
         sum := 0;
         threads: ARRAY [1 .. 4] OF Thread.T;
       PROCEDURE Add(self: Adder): REFANY =
         BEGIN
           LOCK mutex DO INC(sum, self.n) END;
           RETURN NIL;
         END Add;
       BEGIN
         FOR i := 1 TO 4 DO threads[i] := Thread.Fork(NEW(Adder, n := i)) END;
         FOR i := 1 TO 4 DO EVAL Thread.Join(threads[i]) END;
         IO.Put(Fmt.Int(sum) & "\n");
       END Main.

   It prints

       10
*)
INTERFACE Thread;

TYPE
  T <: ROOT;          (* a thread *)
  Mutex = MUTEX;      (* LOCK m DO ... END acquires and releases it *)
  Condition <: ROOT;  (* a condition for which threads that hold a mutex wait *)

  (* The work of a thread; Join returns its result. *)
  Closure = OBJECT METHODS apply(): REFANY END;

  (* A closure that asks for a stack of stackSize words; 0: the default size. *)
  SizedClosure = Closure OBJECT stackSize: CARDINAL := 0 END;

(* A new thread that executes cl.apply(). An exception that apply does not handle ends the
   program. *)
PROCEDURE Fork(cl: Closure): T;

(* Waits for the end of t and returns the result of its apply. A second Join of a thread is a
   checked run-time error. *)
PROCEDURE Join(t: T): REFANY;

(* Releases m, which the caller must hold, waits on c, and acquires m again. Releasing and beginning
   to wait are one step for Signal and Broadcast. May return early: test the condition again. *)
PROCEDURE Wait(m: Mutex; c: Condition);

(* Locks and unlocks m. A mutex is not re-entrant; releasing one that the caller does not hold, and
   acquiring one that it holds, are checked run-time errors. *)
PROCEDURE Acquire(m: Mutex);
PROCEDURE Release(m: Mutex);

(* Broadcast wakes all threads that wait on c; Signal wakes at least one of them, if there is
   any. *)
PROCEDURE Broadcast(c: Condition);
PROCEDURE Signal(c: Condition);

(* Sleeps for about n seconds. *)
PROCEDURE Pause(n: LONGREAL);

(* The calling thread. *)
PROCEDURE Self(): T;

(* Raised in a wait that can be alerted. *)
EXCEPTION Alerted;

(* Asks t to raise Alerted in its present alertable wait, or in its next one. *)
PROCEDURE Alert(t: T);

(* Whether the calling thread was alerted; clears the request. *)
PROCEDURE TestAlert(): BOOLEAN;

(* Alertable forms of Wait, Join and Pause. When AlertWait raises Alerted, the caller holds m
   again; after AlertJoin raises Alerted, t can be joined again. *)
PROCEDURE AlertWait(m: Mutex; c: Condition) RAISES {Alerted};
PROCEDURE AlertJoin(t: T): REFANY RAISES {Alerted};
PROCEDURE AlertPause(n: LONGREAL) RAISES {Alerted};

(* The stack size of new threads, in words: returns it; raises it to at least min; increases it
   by inc. *)
PROCEDURE GetDefaultStackSize(): CARDINAL;
PROCEDURE MinDefaultStackSize(min: CARDINAL);
PROCEDURE IncDefaultStackSize(inc: CARDINAL);

END Thread.
