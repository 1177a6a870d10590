INTERFACE Sched;
IMPORT Time, Thread;
TYPE
  T <: Public;
  Public = MUTEX OBJECT METHODS
    init(maxThreads: CARDINAL := 2): T;
    at(t: Time.T; c: Thread.Closure): Ticket;
    cancel(READONLY tk: Ticket): BOOLEAN;
    wait() RAISES {Thread.Alerted};
  END;
  Ticket = RECORD id: CARDINAL; owner: T := NIL END;
EXCEPTION Stopped; Bad(TEXT); Many(RECORD a: INTEGER; b: TEXT END);
CONST NoTicket = Ticket{id := 0};
PROCEDURE Self(): T;
END Sched.
