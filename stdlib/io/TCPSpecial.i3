(* Whether a connection still lives, as in the classic package tcp. *)
INTERFACE TCPSpecial;

IMPORT Rd, TCP;

(* Whether the other side sends no more, and everything it sent was taken. Does not wait. *)
PROCEDURE Eof(ch: TCP.T): BOOLEAN RAISES {Rd.Failure};

END TCPSpecial.
