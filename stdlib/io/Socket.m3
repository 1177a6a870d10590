UNSAFE MODULE Socket EXPORTS Socket, SocketRep;

IMPORT Atom, AtomList, File, FilePosix, OSError, OSErrorPosix, RTFile, RTSocket, Thread,
  ThreadInput, Uerror;

REVEAL
  T = Public BRANDED "Socket.T" OBJECT
    OVERRIDES
      read := Read;
      write := Write;
      status := Status;
      bind := Bind;
      connect := Connect;
      accept := Accept;
      listen := Listen;
      bytes_available := BytesAvailable;
      peek := Peek;
      this_end := ThisEnd;
      other_end := OtherEnd;
      send_to := SendTo;
      recv_from := ReceiveFrom;
    END;

PROCEDURE Check(result: INTEGER): INTEGER RAISES {OSError.E} =
  VAR kind: Atom.T;
  BEGIN
    IF result >= 0 THEN RETURN result END;
    CASE -result OF
    | Uerror.ENETUNREACH, Uerror.EHOSTUNREACH, Uerror.EHOSTDOWN, Uerror.ENETDOWN =>
      kind := Unreachable;
    | Uerror.EADDRINUSE => kind := PortBusy;
    | Uerror.EMFILE, Uerror.ENFILE, Uerror.ENOMEM, Uerror.ENOBUFS => kind := NoResources;
    | Uerror.ECONNREFUSED => kind := Refused;
    | Uerror.ETIMEDOUT => kind := Timeout;
    | Uerror.ECONNRESET, Uerror.EPIPE, Uerror.ECONNABORTED, Uerror.ENETRESET => kind := ConnLost;
    ELSE kind := Unexpected;
    END;
    TRY
      OSErrorPosix.Raise0(-result);
    EXCEPT
    | OSError.E (code) => RAISE OSError.E(AtomList.Cons(kind, code));
    END;
    RETURN 0;
  END Check;

PROCEDURE Create(reliable: BOOLEAN): T RAISES {OSError.E} =
  BEGIN
    RETURN NEW(T, fd := Check(RTSocket.Create(ORD(reliable))), ds := FilePosix.ReadWrite);
  END Create;

PROCEDURE Read(s: T; VAR b: ARRAY OF File.Byte; mayBlock: BOOLEAN): INTEGER RAISES {OSError.E} =
  VAR n: INTEGER;
  BEGIN
    IF NUMBER(b) = 0 THEN RETURN 0 END;
    IF mayBlock THEN RETURN Check(RTFile.Read(s.fd, ADR(b[0]), NUMBER(b))) END;
    n := RTFile.ReadNow(s.fd, ADR(b[0]), NUMBER(b));
    IF n = RTFile.WouldBlock THEN RETURN -1 END;
    RETURN Check(n);
  END Read;

PROCEDURE Write(s: T; READONLY b: ARRAY OF File.Byte) RAISES {OSError.E} =
  VAR result, written: INTEGER;
  BEGIN
    IF NUMBER(b) > 0 THEN
      result := RTFile.Write(s.fd, ADR(b[0]), NUMBER(b), written);
      IF result < 0 THEN s.written := written END;
      EVAL Check(result);
    END;
  END Write;

PROCEDURE Status(s: T): File.Status RAISES {OSError.E} =
  VAR status: File.Status;
  BEGIN
    status.type := FileType;
    status.modificationTime := RTFile.Modified(s.fd);
    status.size := VAL(Check(RTFile.Size(s.fd)), LONGINT);
    RETURN status;
  END Status;

PROCEDURE Bind(s: T; READONLY ep: EndPoint) RAISES {OSError.E} =
  BEGIN
    EVAL Check(RTSocket.Bind(s.fd, ep));
  END Bind;

PROCEDURE Connect(s: T; READONLY ep: EndPoint) RAISES {OSError.E, Thread.Alerted} =
  BEGIN
    IF Thread.TestAlert() THEN RAISE Thread.Alerted END;
    EVAL Check(RTSocket.Connect(s.fd, ep));
  END Connect;

PROCEDURE Accept(s: T): T RAISES {OSError.E, Thread.Alerted} =
  BEGIN
    IF Thread.TestAlert() THEN RAISE Thread.Alerted END;
    ThreadInput.Await(s.fd);
    RETURN NEW(T, fd := Check(RTSocket.Accept(s.fd)), ds := FilePosix.ReadWrite);
  END Accept;

PROCEDURE Listen(s: T; max_queue: CARDINAL) RAISES {OSError.E} =
  BEGIN
    EVAL Check(RTSocket.Listen(s.fd, max_queue));
  END Listen;

PROCEDURE BytesAvailable(s: T): CARDINAL RAISES {OSError.E} =
  BEGIN
    RETURN Check(RTFile.Available(s.fd));
  END BytesAvailable;

PROCEDURE Peek(s: T): EndPoint RAISES {OSError.E} =
  VAR result := NullEndPoint;
  BEGIN
    EVAL Check(RTSocket.Peek(s.fd, result));
    RETURN result;
  END Peek;

PROCEDURE ThisEnd(s: T): EndPoint RAISES {OSError.E} =
  VAR result := NullEndPoint;
  BEGIN
    EVAL Check(RTSocket.ThisEnd(s.fd, result));
    RETURN result;
  END ThisEnd;

PROCEDURE OtherEnd(s: T): EndPoint RAISES {OSError.E} =
  VAR result := NullEndPoint;
  BEGIN
    EVAL Check(RTSocket.OtherEnd(s.fd, result));
    RETURN result;
  END OtherEnd;

(* The address of an array's bytes; the array may be empty. *)
PROCEDURE Start(READONLY buf: ARRAY OF File.Byte): ADDRESS =
  BEGIN
    IF NUMBER(buf) = 0 THEN RETURN NIL ELSE RETURN ADR(buf[0]) END;
  END Start;

PROCEDURE SendTo(s: T; READONLY ep: EndPoint; READONLY buf: ARRAY OF File.Byte)
  RAISES {OSError.E} =
  BEGIN
    EVAL Check(RTSocket.SendTo(s.fd, ep, Start(buf), NUMBER(buf)));
  END SendTo;

PROCEDURE ReceiveFrom(s: T; VAR ep: EndPoint; VAR buf: ARRAY OF File.Byte; mayBlock := TRUE)
  : INTEGER RAISES {OSError.E} =
  VAR n: INTEGER;
  BEGIN
    n := RTSocket.ReceiveFrom(s.fd, ep, Start(buf), NUMBER(buf), ORD(mayBlock));
    IF n = RTFile.WouldBlock AND NOT mayBlock THEN RETURN -1 END;
    RETURN Check(n);
  END ReceiveFrom;

BEGIN
  FileType := Atom.FromText("Socket");
  Unreachable := Atom.FromText("Socket.Unreachable");
  PortBusy := Atom.FromText("Socket.PortBusy");
  NoResources := Atom.FromText("Socket.NoResources");
  Refused := Atom.FromText("Socket.Refused");
  Timeout := Atom.FromText("Socket.Timeout");
  ConnLost := Atom.FromText("Socket.ConnLost");
  Unexpected := Atom.FromText("Socket.Unexpected");
END Socket.
