(* The ends of network connections, as files: TCP and UDP, over IPv4 and IPv6. The first atom of an
   OSError.E is one of those at the end where one fits, the others are those of OSErrorPosix. *)
INTERFACE Socket;

IMPORT Atom, File, OSError, Thread;
FROM Cstdint IMPORT uint32_t;

TYPE
  T <: Public;
  Public = File.T OBJECT METHODS
    (* Sets this socket's own end. *)
    bind(READONLY ep: EndPoint) RAISES {OSError.E};

    (* Sets the other end; a reliable socket waits for the connection. *)
    connect(READONLY ep: EndPoint) RAISES {OSError.E, Thread.Alerted};

    (* Waits for a connection and returns its socket on this side. Only after listen. *)
    accept(): T RAISES {OSError.E, Thread.Alerted};

    (* Starts to accept connections; at most max_queue of them may wait for accept. *)
    listen(max_queue: CARDINAL) RAISES {OSError.E};

    (* The number of bytes that can be read without waiting. *)
    bytes_available(): CARDINAL RAISES {OSError.E};

    (* Waits for a datagram, leaves it in the queue and returns its sender. *)
    peek(): EndPoint RAISES {OSError.E};

    this_end(): EndPoint RAISES {OSError.E};
    other_end(): EndPoint RAISES {OSError.E};

    (* Sends buf as one datagram. *)
    send_to(READONLY ep: EndPoint; READONLY buf: ARRAY OF File.Byte) RAISES {OSError.E};

    (* Receives a datagram; returns its length and its sender. Bytes that do not fit into buf are
       lost. Returns -1 if there is no datagram and mayBlock is FALSE. *)
    recv_from(VAR ep: EndPoint; VAR buf: ARRAY OF File.Byte; mayBlock := TRUE): INTEGER
      RAISES {OSError.E};
  END;

  Port = [0..65535];

  AddressType = {IPv4, IPv6};

  (* The bytes of a, from a[0] on, are the bytes of the address in network byte order; the 4
     bytes of an IPv4 address are in a[0]. *)
  Address = RECORD
    type: AddressType;
    a: ARRAY [0..3] OF uint32_t;
  END;

  EndPoint = RECORD
    addr: Address;
    port: Port;
  END;

CONST
  NullPort: Port = 0;  (* any *)
  NullAddress = Address{AddressType.IPv4, ARRAY [0..3] OF uint32_t{0, 0, 0, 0}};  (* any *)
  NullEndPoint = EndPoint{NullAddress, NullPort};

VAR (*CONST*)
  FileType: File.Type;

(* A new socket: of a stream (TCP) if reliable, else of datagrams (UDP). *)
PROCEDURE Create(reliable: BOOLEAN): T RAISES {OSError.E};

VAR (*CONST*)
  Unreachable: Atom.T;  (* no route to the other end *)
  PortBusy: Atom.T;     (* another socket is bound to this end *)
  NoResources: Atom.T;  (* the system's limits are reached *)
  Refused: Atom.T;      (* no socket listens there *)
  Timeout: Atom.T;      (* there was no answer *)
  ConnLost: Atom.T;     (* the other side is gone *)
  Unexpected: Atom.T;   (* any other error *)

END Socket.
