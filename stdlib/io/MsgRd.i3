(* Readers of a sequence of messages, each of which ends like a file. *)
INTERFACE MsgRd;

IMPORT Rd, Thread;

TYPE
  T = Rd.T OBJECT METHODS
    (* Skips the rest of the message and waits for the next message, whose first character is
       then at position 0. Returns FALSE if there are no more messages. *)
    nextMsg(): BOOLEAN RAISES {Rd.Failure, Thread.Alerted};
  END;

END MsgRd.
