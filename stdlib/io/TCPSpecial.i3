(* Whether a connection still lives, and connections without waiting, as in the classic package tcp. *)
INTERFACE TCPSpecial;

IMPORT IP, Rd, TCP, Thread;

(* Whether the other side sends no more and everything that it sent has been read. Does not wait. *)
PROCEDURE Eof(ch: TCP.T): BOOLEAN RAISES {Rd.Failure};
CONST EOF = Eof;

(* Begins a connection to `to`, from `from` if `from` is not null. Only FinishConnect and
   TCP.Close may be applied to the result before FinishConnect has answered TRUE. *)
PROCEDURE StartConnect(to: IP.Endpoint; from: IP.Endpoint := IP.NullEndPoint): TCP.T
  RAISES {IP.Error};

(* Waits for the connection, at most `timeout` seconds if timeout >= 0, and returns whether it is
   established. Raises IP.Error if it cannot be made; c is closed then. *)
PROCEDURE FinishConnect(c: TCP.T; timeout: LONGREAL := -1.0D0): BOOLEAN
  RAISES {IP.Error, Thread.Alerted};

END TCPSpecial.
