(* Readers of a sequence of messages, each of which ends like a file. *)
INTERFACE MsgRd;

IMPORT Rd, Thread;

TYPE
  T = Rd.T OBJECT METHODS
    (* Passes over what is left of the message and waits for the next one, whose first character is
       then at position 0; FALSE if there are no more. *)
    nextMsg(): BOOLEAN RAISES {Rd.Failure, Thread.Alerted};
  END;

END MsgRd.
