(* The end of the program, and copies of it. *)
INTERFACE RTProcess;

(* As in Process; InvokeExitors runs each registered exitor once, and returns. *)
PROCEDURE RegisterExitor(p: PROCEDURE ());
PROCEDURE Exit(n: INTEGER);
PROCEDURE Crash(msg: TEXT);
PROCEDURE InvokeExitors();

TYPE
  InterruptHandler = PROCEDURE ();

(* p will be called when the interrupt key is pressed (SIGINT), by a thread of its own, so it
   may allocate and lock. Interrupts that come while p runs cause one more call after it. NIL:
   an interrupt ends the program, as at the start. Returns the previous handler. *)
PROCEDURE OnInterrupt(p: InterruptHandler): InterruptHandler;

(* enable is called when a handler is set, or now if there is one; disable is called when the
   handler is removed. NIL: no call. Replaces the procedures registered before. *)
PROCEDURE RegisterInterruptSetup(enable, disable: PROCEDURE ());

TYPE
  ForkHandler = PROCEDURE ();

(* Registers procedures that are called before a Fork, and after it in the parent and in the
   child; NIL: no call. The prep registered last is called first; the others are called in the
   order of registration. Returns 0 or an errno. *)
PROCEDURE RegisterForkHandlers(prep, parent, child: ForkHandler): INTEGER;

(* The system's fork, which copies the calling thread only: 0 in the child, its number in
   the parent, -1 if it fails. The child should do little before it runs another program;
   the child has no databases. *)
PROCEDURE Fork(): INTEGER;

END RTProcess.
