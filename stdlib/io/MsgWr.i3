(* Writers of a sequence of messages. *)
INTERFACE MsgWr;

IMPORT Thread, Wr;

TYPE
  T = Wr.T OBJECT METHODS
    (* Ends the message and sends it; the next one begins at position 0. *)
    nextMsg() RAISES {Wr.Failure, Thread.Alerted};
  END;

END MsgWr.
