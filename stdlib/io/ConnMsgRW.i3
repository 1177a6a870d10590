(* Messages over connections, as in the classic package tcp. A message goes in fragments, each with a
   header of 8 bytes: the number of its bytes (4, the highest first), 1 in the last fragment of a
   message and else 0 (4). *)
INTERFACE ConnMsgRW;

IMPORT ConnFD, MsgRd, MsgWr;

(* A reader that is at the first message. Rd.Failure is raised if the connection ends within a
   message. Closing the reader shuts its direction down; the connection remains to be closed. *)
PROCEDURE NewRd(fd: ConnFD.T): MsgRd.T;

(* A writer that is at the first message. Wr.Flush sends the characters put so far; nextMsg ends
   the message. Closing the writer sends characters that are left as a last message, and shuts
   its direction down. *)
PROCEDURE NewWr(fd: ConnFD.T): MsgWr.T;

END ConnMsgRW.
