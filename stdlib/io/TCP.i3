(* Connections over TCP, as in the classic package tcp; interface Socket has more operations. The
   first atom of the argument of an IP.Error is one of those at the end, or IP.LookupFailure. *)
INTERFACE TCP;

IMPORT Atom, ConnFD, IP, Thread;

TYPE
  (* An end point at which connections arrive. *)
  Connector <: REFANY;

  (* A connection. *)
  T <: ConnFD.T;

(* A connector at ep. A null address means every address of this host; a null port means any free
   port. *)
PROCEDURE NewConnector(ep: IP.Endpoint): Connector RAISES {IP.Error};

(* The connector's end point, with its actual address and port. *)
PROCEDURE GetEndPoint(c: Connector): IP.Endpoint;

(* Connects to a connector. *)
PROCEDURE Connect(ep: IP.Endpoint): T RAISES {IP.Error, Thread.Alerted};

(* Waits for someone to connect. *)
PROCEDURE Accept(c: Connector): T RAISES {IP.Error, Thread.Alerted};

(* Closes the connector. A waiting Accept raises IP.Error with Closed. *)
PROCEDURE CloseConnector(c: Connector);

(* Ends the connection; closing again does nothing. *)
PROCEDURE Close(conn: T);

VAR (*CONST*)
  NoResources: Atom.T;  (* the system's limits are reached *)
  PortBusy: Atom.T;     (* the port is in use *)
  Refused: Atom.T;      (* no connector listens there *)
  Timeout: Atom.T;      (* there was no answer *)
  Unreachable: Atom.T;  (* no route to the other end *)
  HostDown: Atom.T;     (* the same as Unreachable *)
  NetDown: Atom.T;      (* the same as Unreachable *)
  ConnLost: Atom.T;     (* the other side is gone *)
  Closed: Atom.T;       (* this side was closed *)
  Unexpected: Atom.T;   (* any other error *)

END TCP.
