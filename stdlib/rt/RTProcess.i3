(* The end of the program, and copies of it. *)
INTERFACE RTProcess;

(* As in Process; InvokeExitors runs what is registered, each once, and comes back. *)
PROCEDURE RegisterExitor(p: PROCEDURE());
PROCEDURE Exit(n: INTEGER);
PROCEDURE Crash(msg: TEXT);
PROCEDURE InvokeExitors();

TYPE
  InterruptHandler = PROCEDURE();

(* p will be called when the interrupt key is struck (SIGINT), by a thread of its own, as any
   procedure: it may allocate and lock. Interrupts that come while it runs are one more call after
   it. NIL: an interrupt ends the program, as at the start. The result is the previous handler. *)
PROCEDURE OnInterrupt(p: InterruptHandler): InterruptHandler;

(* enable is called when there comes to be a handler, or now if there is one, and disable when there
   is none any more. NIL for none. Those that were registered before are forgotten. *)
PROCEDURE RegisterInterruptSetup(enable, disable: PROCEDURE());

TYPE
  ForkHandler = PROCEDURE();

(* What is called before a Fork, and after it in the parent and in the child; NIL for none. The last
   registered prep comes first, the other way round for the others. 0, or an errno. *)
PROCEDURE RegisterForkHandlers(prep, parent, child: ForkHandler): INTEGER;

(* The system's fork, which copies the calling thread only: 0 in the child, its number in the
   parent, -1 if it fails. The child should do little before it runs another program; it has no
   databases. *)
PROCEDURE Fork(): INTEGER;

END RTProcess.
