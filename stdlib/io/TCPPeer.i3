(* Who is at the other side of a connection, as in the classic package tcp. *)
INTERFACE TCPPeer;

IMPORT IP, TCP;

(* The name of the host there, or else its address as digits. *)
PROCEDURE GetName(channel: TCP.T): TEXT RAISES {IP.Error};

PROCEDURE GetEndpoint(channel: TCP.T): IP.Endpoint RAISES {IP.Error};
CONST Get = GetEndpoint;

(* Whether the first maskBits bits of addr are those of the address there. *)
PROCEDURE Match(channel: TCP.T; addr: IP.Address; maskBits: [0..32]): BOOLEAN RAISES {IP.Error};

END TCPPeer.
