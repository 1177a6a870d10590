(* golden: run, with lib/Check *)
(* Sockets over the loopback interface: streams, datagrams, errors. *)
UNSAFE MODULE Main;

IMPORT Atom, Check, File, FileRd, FileWr, OSError, OSErrorPosix, Rd, RTProcess, Socket, Text,
  Thread, Uerror, Word, Wr;

<*FATAL OSError.E, Thread.Alerted, Rd.EndOfFile, Rd.Failure, Wr.Failure*>

PROCEDURE Loopback(port := Socket.NullPort): Socket.EndPoint =
  VAR ep := Socket.NullEndPoint;  bytes: UNTRACED REF ARRAY [0..3] OF File.Byte;
  BEGIN
    bytes := ADR(ep.addr.a[0]);
    bytes[0] := 127;
    bytes[3] := 1;
    ep.port := port;
    RETURN ep;
  END Loopback;

PROCEDURE Loopback6(): Socket.EndPoint =
  VAR ep := Socket.NullEndPoint;
  BEGIN
    ep.addr.type := Socket.AddressType.IPv6;
    ep.addr.a[3] := Word.Shift(1, 24);
    RETURN ep;
  END Loopback6;

(* A child process answers each line that it reads with the line in brackets. *)
PROCEDURE Serve(server, client: Socket.T) =
  VAR s := server.accept();  rd := NEW(FileRd.T).init(s);  wr := NEW(FileWr.T).init(s);
  BEGIN
    client.close();  (* else the connection would outlive the parent's close *)
    TRY
      LOOP
        Wr.PutText(wr, "[" & Rd.GetLine(rd) & "]\n");
        Wr.Flush(wr);
      END;
    EXCEPT
    | Rd.EndOfFile =>
    END;
    RTProcess.Exit(0);
  END Serve;

PROCEDURE Streams(ep: Socket.EndPoint) =
  VAR server := Socket.Create(TRUE);  client := Socket.Create(TRUE);
  BEGIN
    server.bind(ep);
    server.listen(5);
    IF RTProcess.Fork() = 0 THEN Serve(server, client) END;
    client.connect(server.this_end());
    Check.That(client.other_end() = server.this_end(), "other_end");
    Check.That(client.this_end() # client.other_end(), "this_end");
    Check.That(client.this_end().port # Socket.NullPort, "a port");
    Check.That(client.status().type = Socket.FileType, "FileType");
    WITH rd = NEW(FileRd.T).init(client), wr = NEW(FileWr.T).init(client) DO
      Wr.PutText(wr, "hello\n");
      Wr.Flush(wr);
      Check.Text(Rd.GetLine(rd), "[hello]", "an answer");
      Wr.PutText(wr, "two\nlines\n");
      Wr.Flush(wr);
      Check.Text(Rd.GetLine(rd) & Rd.GetLine(rd), "[two][lines]", "two answers");
      Check.That(client.bytes_available() = 0, "bytes_available");
    END;
    client.close();
    server.close();
  END Streams;

PROCEDURE Datagrams() =
  VAR
    a := Socket.Create(FALSE);
    b := Socket.Create(FALSE);
    from: Socket.EndPoint;
    bytes: ARRAY [0..9] OF File.Byte;
  BEGIN
    a.bind(Loopback());
    b.bind(Loopback());
    Check.Int(a.recv_from(from, bytes, FALSE), -1, "no datagram");
    b.send_to(a.this_end(), ARRAY OF File.Byte{1, 2, 3});
    Check.That(a.peek() = b.this_end(), "peek");
    Check.That(a.bytes_available() >= 3, "bytes_available");
    Check.Int(a.recv_from(from, bytes), 3, "recv_from");
    Check.That(from = b.this_end() AND bytes[2] = 3, "sender and contents");
    b.send_to(a.this_end(), SUBARRAY(bytes, 0, 0));
    Check.Int(a.recv_from(from, bytes), 0, "an empty datagram");
    a.connect(b.this_end());
    Check.That(a.other_end() = b.this_end(), "other_end");
    a.write(ARRAY OF File.Byte{9});
    Check.Int(b.read(bytes), 1, "read");
    Check.Int(b.read(bytes, FALSE), -1, "read without waiting");
    a.close();
    b.close();
  END Datagrams;

PROCEDURE Is(code: OSError.Code; kind: Atom.T; errno: INTEGER) =
  BEGIN
    Check.Text(Atom.ToText(code.head), Atom.ToText(kind), "kind");
    Check.Int(OSErrorPosix.AtomToErrno(code.tail.head), errno, "errno");
  END Is;

PROCEDURE Errors() =
  VAR s := Socket.Create(TRUE);  t := Socket.Create(TRUE);  ep: Socket.EndPoint;
  BEGIN
    s.bind(Loopback());
    ep := s.this_end();
    TRY
      t.connect(ep);
      Check.That(FALSE, "connecting to nobody");
    EXCEPT
    | OSError.E (code) => Is(code, Socket.Refused, Uerror.ECONNREFUSED);
    END;
    s.listen(1);
    TRY
      t := Socket.Create(TRUE);
      t.bind(ep);
      t.listen(1);
      Check.That(FALSE, "a busy port");
    EXCEPT
    | OSError.E (code) => Is(code, Socket.PortBusy, Uerror.EADDRINUSE);
    END;
    TRY
      EVAL t.other_end();
      Check.That(FALSE, "no other end");
    EXCEPT
    | OSError.E (code) => Is(code, Socket.Unexpected, Uerror.ENOTCONN);
    END;
    s.close();
    TRY
      EVAL s.accept();
      Check.That(FALSE, "a closed socket");
    EXCEPT
    | OSError.E (code) => Is(code, Socket.Unexpected, Uerror.EBADF);
    END;
    Thread.Alert(Thread.Self());
    TRY
      EVAL s.accept();
      Check.That(FALSE, "an alert");
    EXCEPT
    | Thread.Alerted => Check.That(TRUE, "");
    END;
    Check.That(NOT Text.Empty(Atom.ToText(Socket.Timeout)) AND Socket.ConnLost # NIL
                 AND Socket.NoResources # NIL AND Socket.Unreachable # NIL, "atoms");
  END Errors;

BEGIN
  Streams(Loopback());
  Streams(Loopback6());
  Datagrams();
  Errors();
  Check.Done();
END Main.
(* expect: all checks hold *)
