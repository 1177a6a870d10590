(* The run time's procedures for sockets. A negative INTEGER result is -errno. *)
UNSAFE INTERFACE RTSocket;

IMPORT Socket;

<*EXTERNAL "tn_socket_create"*> PROCEDURE Create(reliable: INTEGER): INTEGER;
<*EXTERNAL "tn_socket_bind"*>
PROCEDURE Bind(fd: INTEGER; READONLY end: Socket.EndPoint): INTEGER;
<*EXTERNAL "tn_socket_connect"*>
PROCEDURE Connect(fd: INTEGER; READONLY end: Socket.EndPoint): INTEGER;
<*EXTERNAL "tn_socket_listen"*> PROCEDURE Listen(fd, queue: INTEGER): INTEGER;
<*EXTERNAL "tn_socket_accept"*> PROCEDURE Accept(fd: INTEGER): INTEGER;
<*EXTERNAL "tn_socket_this_end"*>
PROCEDURE ThisEnd(fd: INTEGER; VAR end: Socket.EndPoint): INTEGER;
<*EXTERNAL "tn_socket_other_end"*>
PROCEDURE OtherEnd(fd: INTEGER; VAR end: Socket.EndPoint): INTEGER;
<*EXTERNAL "tn_socket_peek"*> PROCEDURE Peek(fd: INTEGER; VAR end: Socket.EndPoint): INTEGER;
<*EXTERNAL "tn_socket_send_to"*>
PROCEDURE SendTo(fd: INTEGER; READONLY end: Socket.EndPoint; from: ADDRESS; bytes: INTEGER)
  : INTEGER;
<*EXTERNAL "tn_socket_receive_from"*>
PROCEDURE ReceiveFrom(fd: INTEGER; VAR end: Socket.EndPoint; to: ADDRESS;
                      bytes, mayBlock: INTEGER): INTEGER;

(* Ends receiving (0), sending (1), or both (2). Threads that wait for it continue. *)
<*EXTERNAL "tn_socket_shut_down"*> PROCEDURE ShutDown(fd, how: INTEGER): INTEGER;

(* Finds the 4 bytes of a name's address: returns 1, or 0 if the name has none; negative: the
   look-up failed. *)
<*EXTERNAL "tn_host_address"*>
PROCEDURE HostAddress(READONLY name: ARRAY OF CHAR; to: ADDRESS): INTEGER;

(* The name of the host with this address; NIL if it has no name. *)
<*EXTERNAL "tn_host_name"*> PROCEDURE HostNameOf(address: ADDRESS): TEXT;

END RTSocket.
