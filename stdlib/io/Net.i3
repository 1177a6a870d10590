(* Connections over TCP, with IPv4 and IPv6: one text for an address, readers and writers, and limits of
   time. An address is "host:port": the host is a name, "192.0.2.1" or "[2001:db8::1]", the port a number
   or the name of a service. A host "" is every address of this machine for Listen, and this machine for
   Connect. Failures are OSError.E, whose first atom is one of Socket's (Socket.Refused) or LookupFailure;
   RdUtils.FailureText makes a text of them. Interface Socket has datagrams.

   Example:

       MODULE Main;
       IMPORT IO, Net, Rd, Thread, Wr;
       <*FATAL ANY*>

       TYPE
         Server = Thread.Closure OBJECT OVERRIDES apply := Serve END;
       VAR
         listener := Net.Listen("127.0.0.1:0");

       PROCEDURE Serve(<*UNUSED*> s: Server): REFANY =
         VAR c := listener.accept();
         BEGIN
           Wr.PutText(c.wr, "hello, " & Rd.GetLine(c.rd) & "\n");
           Wr.Flush(c.wr);
           c.close();
           RETURN NIL;
         END Serve;

       BEGIN
         WITH server = Thread.Fork(NEW(Server)), c = Net.Connect(listener.address(), 10.0D0) DO
           Wr.PutText(c.wr, "Modula-3\n");
           Wr.Flush(c.wr);
           IO.Put(Rd.GetLine(c.rd) & "\n");
           c.close();
           EVAL Thread.Join(server);
         END;
         listener.close();
       END Main.

   It prints

       hello, Modula-3
*)
INTERFACE Net;

IMPORT Atom, ConnFD, OSError, Rd, Thread, Wr;

CONST
  NoLimit = -1.0D0;  (* seconds *)

TYPE
  (* A connection. Its reader and its writer are made with it: put, then Wr.Flush. Closing the writer
     says the other side that no more comes. Threads may read and write at the same time, and any
     thread may close. *)
  T <: Public;
  Public = ConnFD.T OBJECT
    rd: Rd.T := NIL;  (* do not assign *)
    wr: Wr.T := NIL;
  METHODS
    (* From now on each wait for the other side takes at most so many seconds: a read raises Rd.Failure,
       and a write Wr.Failure, with Socket.Timeout. After a write has failed, nobody knows how much
       of it has arrived. *)
    setLimit(seconds: LONGREAL);

    (* The addresses of both ends, with hosts as numbers. *)
    thisEnd(): TEXT RAISES {OSError.E};
    otherEnd(): TEXT RAISES {OSError.E};
  END;
  (* Inherited: close() ends the connection. What the writer holds is lost; calls that wait fail. A
     connection that is not used any more is closed some time later. *)

  (* An address at which connections arrive. *)
  Listener <: PublicListener;
  PublicListener = OBJECT METHODS
    (* Waits for a connection, at most so many seconds; then OSError.E with Socket.Timeout. *)
    accept(seconds := NoLimit): T RAISES {OSError.E, Thread.Alerted};

    (* With the actual port: "127.0.0.1:43210". *)
    address(): TEXT RAISES {OSError.E};

    (* A waiting accept raises OSError.E. A second call does nothing. *)
    close();
  END;

(* Connects to the first of the host's addresses that answers, within so many seconds for all of them,
   apart from the time that the system needs to look the name up. *)
PROCEDURE Connect(address: TEXT; seconds := NoLimit): T RAISES {OSError.E, Thread.Alerted};

(* Listens at an address; port 0 means any free one. *)
PROCEDURE Listen(address: TEXT): Listener RAISES {OSError.E};

(* The parts of an address; the host without brackets. FALSE: it is none. *)
PROCEDURE Split(address: TEXT; VAR host, port: TEXT): BOOLEAN;

(* The address of a host and a port. *)
PROCEDURE Join(host, port: TEXT): TEXT;

VAR (*CONST*)
  LookupFailure: Atom.T;  (* no address, or an unknown host or service *)

END Net.
