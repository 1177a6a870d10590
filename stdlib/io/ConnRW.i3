(* Readers and writers of connections, as in the classic package tcp. Closing one shuts its direction
   down; the connection remains to be closed. *)
INTERFACE ConnRW;

IMPORT ConnFD, Rd, Wr;

PROCEDURE NewRd(fd: ConnFD.T): Rd.T;
PROCEDURE NewWr(fd: ConnFD.T): Wr.T;

END ConnRW.
