(* The run time's procedures for Thread: locks, starting and parking threads. *)
UNSAFE INTERFACE RTThread;

IMPORT MutexRep;

(* A lock in a word, zero at first. Acquire returns FALSE if the caller already has the lock;
   Release and IsMine return FALSE if the caller does not have it. *)
TYPE LockWord = INTEGER;
<*EXTERNAL "tn_mutex_acquire"*> PROCEDURE Acquire(VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_release"*> PROCEDURE Release(VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_is_mine"*> PROCEDURE IsMine(VAR w: LockWord): BOOLEAN;

(* The representation of a mutex. Its word is 0 while no thread has it. *)
TYPE MutexWord = MutexRep.Public OBJECT word: LockWord := 0 END;
REVEAL MUTEX <: MutexWord;

(* The fast paths of m.acquire() and m.release() for a mutex (MutexRep) whose word is w. They
   succeed if the mutex has the methods given to SetMutexMethods, no other thread runs, and there
   is not an error. FALSE: nothing was done. *)
<*EXTERNAL "tn_mutex_lock_at_once"*>
PROCEDURE LockAtOnce(m: REFANY; VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_unlock_at_once"*>
PROCEDURE UnlockAtOnce(m: REFANY; VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_set_methods"*>
PROCEDURE SetMutexMethods(acquire, release: ADDRESS);

(* Whether the mutex has the methods given to SetMutexMethods. While `alone` is true and no
   thread has such a mutex, the calling thread may skip acquiring it for work that needs no other
   thread and raises nothing, because only the calling thread could start another thread. *)
<*EXTERNAL "tn_mutex_is_plain"*>
PROCEDURE IsPlainMutex(m: REFANY): BOOLEAN;
<*EXTERNAL "__libc_single_threaded"*>
VAR alone: BOOLEAN;

(* For a mutex that guards an object which one thread mostly uses alone, and that is plain: EnterBiased succeeds if Bias
   was called by this thread since any thread last acquired the mutex whose word is w. The mutex then stays free until
   LeaveBiased; until then the thread must not raise, wait, nor acquire a mutex. FALSE: nothing was done; acquire the
   mutex.

   Whoever acquires the mutex calls Used before it releases the mutex; Bias should follow the release if the result is
   TRUE: the last `patience` users were the calling thread. Bias does nothing if the mutex is not free. *)
TYPE Uses = RECORD thread, count, patience: INTEGER := 0 END;
<*EXTERNAL "tn_mutex_enter_biased"*> PROCEDURE EnterBiased(VAR w: LockWord): BOOLEAN;
<*EXTERNAL "tn_mutex_leave_biased"*> PROCEDURE LeaveBiased();
<*EXTERNAL "tn_mutex_used"*> PROCEDURE Used(VAR uses: Uses): BOOLEAN;
<*EXTERNAL "tn_mutex_bias"*> PROCEDURE Bias(VAR w: LockWord);

(* One lock for all queues of waiting threads. Held for a few instructions. *)
<*EXTERNAL "tn_thread_lock_queues"*> PROCEDURE LockQueues();
<*EXTERNAL "tn_thread_unlock_queues"*> PROCEDURE UnlockQueues();

(* Runs run(t) on a new thread, in which Self returns t. Returns 0 or the system's error number. *)
TYPE Body = PROCEDURE (t: REFANY);
<*EXTERNAL "tn_thread_start"*>
PROCEDURE Start(t: REFANY; run: Body; stackBytes: INTEGER): INTEGER;

(* Why Start returned this error: which limit of the system was reached. *)
<*EXTERNAL "tn_thread_why_none"*> PROCEDURE WhyNone(error: INTEGER): TEXT;

(* Zeroes the words that returned procedures left on the caller's stack. Such a word, if later
   frames do not overwrite it, would keep an object alive. *)
<*EXTERNAL "tn_thread_clear_dead_stack"*> PROCEDURE ClearDeadStack();

(* The calling thread's t; NIL for a thread that Start did not make, until SetSelf. *)
<*EXTERNAL "tn_thread_self"*> PROCEDURE Self(): REFANY;
<*EXTERNAL "tn_thread_set_self"*> PROCEDURE SetSelf(t: REFANY);
<*EXTERNAL "tn_thread_number"*> PROCEDURE Number(): INTEGER;

(* Waits until permit is not 0, at most `seconds` seconds if seconds >= 0. FALSE: permit is still
   0. *)
<*EXTERNAL "tn_thread_park"*> PROCEDURE Park(VAR permit: INTEGER; seconds: LONGREAL): BOOLEAN;
<*EXTERNAL "tn_thread_unpark"*> PROCEDURE Unpark(VAR permit: INTEGER);
(* Unpark in two parts, of a thread that waits in Park: TRUE if WakeParked must follow. *)
<*EXTERNAL "tn_thread_permit"*> PROCEDURE Permit(VAR permit: INTEGER): BOOLEAN;
<*EXTERNAL "tn_thread_wake_parked"*> PROCEDURE WakeParked(VAR permit: INTEGER);
<*EXTERNAL "tn_thread_yield"*> PROCEDURE Yield();

(* Stops all other threads until ResumeOthers; nests. *)
<*EXTERNAL "tn_thread_suspend_others"*> PROCEDURE SuspendOthers();
<*EXTERNAL "tn_thread_resume_others"*> PROCEDURE ResumeOthers();

(* A waker, which ends a thread's wait for input: a descriptor, negative if the system has none
   left. *)
<*EXTERNAL "tn_thread_new_waker"*> PROCEDURE NewWaker(): INTEGER;
<*EXTERNAL "tn_thread_close_waker"*> PROCEDURE CloseWaker(waker: INTEGER);
<*EXTERNAL "tn_thread_wake"*> PROCEDURE Wake(waker: INTEGER);

(* Waits until a read of fd (a write if output) would not block, or until Wake(waker) if the
   waker is not negative, at most `seconds` seconds if seconds >= 0. Returns the number of a
   ThreadInput.State. *)
<*EXTERNAL "tn_thread_await_file"*>
PROCEDURE AwaitFile(fd: INTEGER; output: BOOLEAN; waker: INTEGER; seconds: LONGREAL): INTEGER;

(* Waits until there are clean-ups of weak references to run. *)
<*EXTERNAL "tn_weak_await_cleanups"*> PROCEDURE AwaitCleanups();

END RTThread.
