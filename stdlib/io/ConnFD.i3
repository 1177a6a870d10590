(* Connections: characters both ways, without buffers. As in the classic package tcp; ConnRW makes
   streams of one, TCP the connections. *)
INTERFACE ConnFD;

IMPORT Rd, Thread, Wr;

EXCEPTION
  TimedOut;

TYPE
  T = OBJECT METHODS
    (* Waits until characters have arrived (at most waitFor seconds if waitFor >= 0), takes as
       many as fit into arr, and returns their number; 0 when the other side sends no more. *)
    get(VAR arr: ARRAY OF CHAR; waitFor: LONGREAL := -1.0D0): CARDINAL
      RAISES {Rd.Failure, TimedOut, Thread.Alerted};

    (* Sends all of arr. *)
    put(READONLY arr: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted};

    (* After this nothing more is received, or sent. *)
    shutdownIn() RAISES {Rd.Failure};
    shutdownOut() RAISES {Wr.Failure};

    (* Ends the connection. *)
    close();
  END;

END ConnFD.
