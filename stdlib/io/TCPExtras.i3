(* The own end of a connection, as in the classic package tcp. *)
INTERFACE TCPExtras;

IMPORT IP, TCP;

PROCEDURE LocalEndpoint(conn: TCP.T): IP.Endpoint RAISES {IP.Error};

END TCPExtras.
