(* Encrypted connections: TLS 1.2 and 1.3 over Net, by OpenSSL's libssl (package libssl-dev). A client
   checks the server's certificate and that it is the named host's.

   | VAR c := Tls.Connect(Tls.NewClient(), "example.org:https", 10.0D0);
   | BEGIN
   |   Wr.PutText(c.wr, "GET / HTTP/1.0\r\nHost: example.org\r\n\r\n");
   |   Wr.Flush(c.wr);
   |   ... Rd.GetLine(c.rd) ...

   Closing the writer tells the other side that no more comes; a reader whose other side ends without
   saying so raises Rd.Failure, since somebody may have cut the connection. *)
INTERFACE Tls;

IMPORT ConnFD, Net, OSError, Rd, Thread, Wr;

TYPE
  (* What connections share: certificates. Any thread may use it. *)
  Context <: REFANY;

  (* As Net.T; close() closes the connection below, too. *)
  T <: Public;
  Public = ConnFD.T OBJECT
    rd: Rd.T := NIL;     (* do not assign *)
    wr: Wr.T := NIL;
    net: Net.T := NIL;   (* for its limit of time and addresses *)
  END;

EXCEPTION
  Error(TEXT);  (* what the library says *)

(* For clients. `authorities` is a file of certificates (PEM) that are trusted; NIL: those of the
   system. *)
PROCEDURE NewClient(authorities: TEXT := NIL): Context RAISES {Error};

(* For servers: files (PEM) with the server's certificate, behind which those of its authorities may
   stand, and with its key. *)
PROCEDURE NewServer(certificates, key: TEXT): Context RAISES {Error};

(* Connects, within so many seconds for the connection and for each wait of the handshake. Error: the
   handshake failed, as it does when the certificate is not trusted or is not the host's. *)
PROCEDURE Connect(context: Context; address: TEXT; seconds := Net.NoLimit): T
  RAISES {Error, OSError.E, Thread.Alerted};

(* A server's side of an accepted connection; the limit of time is that of `net`. If it raises an
   exception, the connection is closed. *)
PROCEDURE Accept(context: Context; net: Net.T): T RAISES {Error, Thread.Alerted};

END Tls.
