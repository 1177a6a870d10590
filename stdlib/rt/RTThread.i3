(* What the run time offers Thread: locks, starting and parking threads. *)
UNSAFE INTERFACE RTThread;

IMPORT MutexRep;

(* A lock in a word, zero at first. Acquire answers FALSE if the caller has the lock, Release and
   IsMine if it has it not. *)
TYPE LockWord = INTEGER;
<*EXTERNAL "tn_mutex_acquire"*> PROCEDURE Acquire(VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_release"*> PROCEDURE Release(VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_is_mine"*> PROCEDURE IsMine(VAR w: LockWord): BOOLEAN;

(* What a mutex is made of. Its word is 0 while nobody has it. *)
TYPE MutexWord = MutexRep.Public OBJECT word: LockWord := 0 END;
REVEAL MUTEX <: MutexWord;

(* What m.acquire() and m.release() do for a mutex (MutexRep) whose word is w, if it can be done without
   a look at anything else: these methods are those that SetMutexMethods was told of, no other thread
   runs, and nothing is wrong. FALSE: nothing was done. *)
<*EXTERNAL "tn_mutex_lock_at_once"*>
PROCEDURE LockAtOnce(m: REFANY; VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_unlock_at_once"*>
PROCEDURE UnlockAtOnce(m: REFANY; VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_set_methods"*>
PROCEDURE SetMutexMethods(acquire, release: ADDRESS);

(* Whether its methods are those that SetMutexMethods was told of. While `alone`, and while nobody has
   such a mutex, the calling thread may do without acquiring it what takes no other thread and raises
   nothing: only the calling thread could start another one. *)
<*EXTERNAL "tn_mutex_is_plain"*>
PROCEDURE IsPlainMutex(m: REFANY): BOOLEAN;
<*EXTERNAL "__libc_single_threaded"*>
VAR alone: BOOLEAN;

(* One lock for all queues of waiting threads. Held for a few instructions. *)
<*EXTERNAL "tn_thread_lock_queues"*> PROCEDURE LockQueues();
<*EXTERNAL "tn_thread_unlock_queues"*> PROCEDURE UnlockQueues();

(* Runs run(t) on a new thread, for which Self gives t. 0, or the number of the system's error. *)
TYPE Body = PROCEDURE(t: REFANY);
<*EXTERNAL "tn_thread_start"*>
PROCEDURE Start(t: REFANY; run: Body; stackBytes: INTEGER): INTEGER;

(* Zeroes what procedures that have returned left on the caller's stack: a word there that the frames
   of later calls leave as it is would keep alive what it refers to. *)
<*EXTERNAL "tn_thread_clear_dead_stack"*> PROCEDURE ClearDeadStack();

(* NIL for a thread that Start did not make until SetSelf. *)
<*EXTERNAL "tn_thread_self"*> PROCEDURE Self(): REFANY;
<*EXTERNAL "tn_thread_set_self"*> PROCEDURE SetSelf(t: REFANY);
<*EXTERNAL "tn_thread_number"*> PROCEDURE Number(): INTEGER;

(* Waits until permit is not 0, at most so many seconds if seconds >= 0. FALSE: it still is. *)
<*EXTERNAL "tn_thread_park"*> PROCEDURE Park(VAR permit: INTEGER; seconds: LONGREAL): BOOLEAN;
<*EXTERNAL "tn_thread_unpark"*> PROCEDURE Unpark(VAR permit: INTEGER);
<*EXTERNAL "tn_thread_yield"*> PROCEDURE Yield();

(* Stops all other threads until ResumeOthers; nests. *)
<*EXTERNAL "tn_thread_suspend_others"*> PROCEDURE SuspendOthers();
<*EXTERNAL "tn_thread_resume_others"*> PROCEDURE ResumeOthers();

(* What ends the wait of a thread for input: a descriptor, negative if the system has none left. *)
<*EXTERNAL "tn_thread_new_waker"*> PROCEDURE NewWaker(): INTEGER;
<*EXTERNAL "tn_thread_close_waker"*> PROCEDURE CloseWaker(waker: INTEGER);
<*EXTERNAL "tn_thread_wake"*> PROCEDURE Wake(waker: INTEGER);

(* Whether a read of fd, or with output a write, would not wait; before that, waits for this, or for
   Wake(waker) if the waker is not negative, at most so many seconds if seconds >= 0. The number of
   a ThreadInput.State. *)
<*EXTERNAL "tn_thread_await_file"*>
PROCEDURE AwaitFile(fd: INTEGER; output: BOOLEAN; waker: INTEGER; seconds: LONGREAL): INTEGER;

(* Waits until clean-ups of weak references wait to be run. *)
<*EXTERNAL "tn_weak_await_cleanups"*> PROCEDURE AwaitCleanups();

END RTThread.
