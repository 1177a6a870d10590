(* Connections over TCP, as in the classic package tcp; Socket has more. The first atom of the argument
   of an IP.Error is one of those at the end, or IP.LookupFailure. *)
INTERFACE TCP;

IMPORT Atom, ConnFD, IP, Thread;

TYPE
  (* Where connections arrive. *)
  Connector <: REFANY;

  (* A connection. *)
  T <: ConnFD.T;

(* A connector at ep. Without address it is at every address of this host, without port at any free
   one. *)
PROCEDURE NewConnector(ep: IP.Endpoint): Connector RAISES {IP.Error};

(* Where it is, with the address and port that it got. *)
PROCEDURE GetEndPoint(c: Connector): IP.Endpoint;

(* Connects to a connector. *)
PROCEDURE Connect(ep: IP.Endpoint): T RAISES {IP.Error, Thread.Alerted};

(* Waits for someone to connect. *)
PROCEDURE Accept(c: Connector): T RAISES {IP.Error, Thread.Alerted};

(* An Accept that waits raises IP.Error with Closed. *)
PROCEDURE CloseConnector(c: Connector);

(* Ends the connection; closing again does nothing. *)
PROCEDURE Close(conn: T);

VAR (*CONST*)
  NoResources: Atom.T;  (* the system's limits are reached *)
  PortBusy: Atom.T;     (* somebody else has this port *)
  Refused: Atom.T;      (* nobody listens there *)
  Timeout: Atom.T;      (* there was no answer *)
  Unreachable: Atom.T;  (* no way leads there *)
  HostDown: Atom.T;     (* the same as Unreachable *)
  NetDown: Atom.T;      (* the same as Unreachable *)
  ConnLost: Atom.T;     (* the other side is gone *)
  Closed: Atom.T;       (* this side was closed *)
  Unexpected: Atom.T;   (* any other error *)

END TCP.
