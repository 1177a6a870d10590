(* The ends of network connections, as files: TCP and UDP, over IPv4 and IPv6. The first atom of an
   OSError.E is one of those at the end where one fits, the others are those of OSErrorPosix. *)
INTERFACE Socket;

IMPORT Atom, File, OSError, Thread;
FROM Cstdint IMPORT uint32_t;

TYPE
  T <: Public;
  Public = File.T OBJECT METHODS
    (* Sets the own end. *)
    bind(READONLY ep: EndPoint) RAISES {OSError.E};

    (* Sets the other end; a reliable socket waits for the connection. *)
    connect(READONLY ep: EndPoint) RAISES {OSError.E, Thread.Alerted};

    (* Waits for someone to connect; the own end of that connection. After listen only. *)
    accept(): T RAISES {OSError.E, Thread.Alerted};

    (* Makes it known that connections are welcome; so many may wait to be accepted. *)
    listen(max_queue: CARDINAL) RAISES {OSError.E};

    (* How many can be read without waiting. *)
    bytes_available(): CARDINAL RAISES {OSError.E};

    (* Waits for a datagram, leaves it there and answers who sent it. *)
    peek(): EndPoint RAISES {OSError.E};

    this_end(): EndPoint RAISES {OSError.E};
    other_end(): EndPoint RAISES {OSError.E};

    (* Sends buf as one datagram. *)
    send_to(READONLY ep: EndPoint; READONLY buf: ARRAY OF File.Byte) RAISES {OSError.E};

    (* Receives a datagram: its length, and who sent it. What does not fit into buf is lost. -1 if
       there is none and mayBlock is FALSE. *)
    recv_from(VAR ep: EndPoint; VAR buf: ARRAY OF File.Byte; mayBlock := TRUE): INTEGER
      RAISES {OSError.E};
  END;

  Port = [0..65535];

  AddressType = {IPv4, IPv6};

  (* The bytes of a, from a[0] on, are those of the address in the order in which it is written; the
     4 of IPv4 are in a[0]. *)
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
  Unreachable: Atom.T;  (* no way leads there *)
  PortBusy: Atom.T;     (* somebody else is bound to this end *)
  NoResources: Atom.T;  (* the system's limits are reached *)
  Refused: Atom.T;      (* nobody listens there *)
  Timeout: Atom.T;      (* there was no answer *)
  ConnLost: Atom.T;     (* the other side is gone *)
  Unexpected: Atom.T;   (* any other error *)

END Socket.
