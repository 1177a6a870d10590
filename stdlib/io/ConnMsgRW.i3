(* Messages over connections, as in the classic package tcp. A message goes in fragments, each with a
   header of 8 bytes: the number of its bytes (4, the highest first), 1 in the last fragment of a
   message and else 0 (4). *)
INTERFACE ConnMsgRW;

IMPORT ConnFD, MsgRd, MsgWr;

(* A reader, at the first message. A connection that ends within a message is an Rd.Failure. Closing
   the reader shuts its direction down; the connection remains to be closed. *)
PROCEDURE NewRd(fd: ConnFD.T): MsgRd.T;

(* A writer, at the first message. Wr.Flush sends what has been put so far; nextMsg ends the message.
   Closing the writer sends what is left, as a message if there is any, and shuts its direction
   down. *)
PROCEDURE NewWr(fd: ConnFD.T): MsgWr.T;

END ConnMsgRW.
