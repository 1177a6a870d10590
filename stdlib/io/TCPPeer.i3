(* The host at the other side of a connection, as in the classic package tcp. *)
INTERFACE TCPPeer;

IMPORT IP, TCP;

(* The name of the host there or, if it has no name, its address in digits. *)
PROCEDURE GetName(channel: TCP.T): TEXT RAISES {IP.Error};

PROCEDURE GetEndpoint(channel: TCP.T): IP.Endpoint RAISES {IP.Error};
CONST Get = GetEndpoint;

(* Whether the first maskBits bits of addr are equal to those of the address there. *)
PROCEDURE Match(channel: TCP.T; addr: IP.Address; maskBits: [0..32]): BOOLEAN RAISES {IP.Error};

END TCPPeer.
