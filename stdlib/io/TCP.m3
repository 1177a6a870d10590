UNSAFE MODULE TCP EXPORTS TCP, TCPExtras, TCPPeer, TCPSpecial;

IMPORT Atom, AtomList, ConnFD, File, IP, OSError, OSErrorPosix, Rd, RTSocket, Socket, Thread,
  ThreadInput, Time, Uerror, Word, Wr;
<*NOWARN*> IMPORT FilePosix;

CONST
  In = 0;
  Out = 1;
  InAndOut = 2;
  MostWaiting = 128;
  MaxChunk = 16_40000000;

TYPE
  Bytes = UNTRACED REF ARRAY [0..MaxChunk - 1] OF File.Byte;

REVEAL
  Connector = MUTEX BRANDED "TCP.Connector" OBJECT
    end: End;
    ep: IP.Endpoint;
  END;

  T = ConnFD.T BRANDED "TCP.T" OBJECT
    end: End;
    connecting: Connecting := NIL;  (* from StartConnect until FinishConnect has seen the result *)
  OVERRIDES
    get := Receive;
    put := Put;
    shutdownIn := ShutdownIn;
    shutdownOut := ShutdownOut;
    close := Close;
  END;

(* --- sockets that may be closed while they are used --- *)

TYPE
  (* The last user closes the socket, so that its number is not reused before. *)
  End = MUTEX OBJECT
    socket: Socket.T;
    users: CARDINAL := 0;
    closed := FALSE;
  END;

PROCEDURE Enter(end: End): Socket.T RAISES {OSError.E} =
  BEGIN
    LOCK end DO
      IF end.closed THEN OSErrorPosix.Raise0(Uerror.EBADF) END;
      INC(end.users);
      RETURN end.socket;
    END;
  END Enter;

PROCEDURE Leave(end: End) =
  BEGIN
    LOCK end DO
      DEC(end.users);
      IF end.closed AND end.users = 0 THEN CloseSocket(end.socket) END;
    END;
  END Leave;

PROCEDURE CloseEnd(end: End) =
  BEGIN
    LOCK end DO
      IF end.closed THEN RETURN END;
      end.closed := TRUE;
      IF end.users = 0 THEN
        CloseSocket(end.socket);
      ELSE
        EVAL RTSocket.ShutDown(end.socket.fd, InAndOut);
      END;
    END;
  END CloseEnd;

PROCEDURE CloseSocket(s: Socket.T) =
  BEGIN
    TRY
      s.close();
    EXCEPT
    | OSError.E =>  (* the socket is gone in any case *)
    END;
  END CloseSocket;

(* --- errors --- *)

(* The error that a socket raises about end, with an atom of this interface in front. *)
PROCEDURE Code(end: End; code: OSError.Code): AtomList.T =
  VAR kind := Unexpected;
  BEGIN
    IF end # NIL AND end.closed THEN
      kind := Closed;
    ELSIF code.head = Socket.NoResources THEN
      kind := NoResources;
    ELSIF code.head = Socket.PortBusy THEN
      kind := PortBusy;
    ELSIF code.head = Socket.Refused THEN
      kind := Refused;
    ELSIF code.head = Socket.Timeout THEN
      kind := Timeout;
    ELSIF code.head = Socket.Unreachable THEN
      kind := Unreachable;
    ELSIF code.head = Socket.ConnLost THEN
      kind := ConnLost;
    END;
    RETURN AtomList.Cons(kind, code);
  END Code;

(* --- end points --- *)

PROCEDURE ToSocket(READONLY ep: IP.Endpoint): Socket.EndPoint =
  VAR result := Socket.NullEndPoint;
  BEGIN
    LOOPHOLE(ADR(result.addr.a), UNTRACED REF IP.Address)^ := ep.addr;
    result.port := ep.port;
    RETURN result;
  END ToSocket;

PROCEDURE FromSocket(ep: Socket.EndPoint): IP.Endpoint =
  BEGIN
    RETURN IP.Endpoint{addr := LOOPHOLE(ADR(ep.addr.a), UNTRACED REF IP.Address)^,
                       port := ep.port};
  END FromSocket;

(* --- connectors --- *)

PROCEDURE NewConnector(ep: IP.Endpoint): Connector RAISES {IP.Error} =
  VAR c := NEW(Connector, end := NEW(End));
  BEGIN
    TRY
      c.end.socket := Socket.Create(TRUE);
      TRY
        c.end.socket.bind(ToSocket(ep));
        c.end.socket.listen(MostWaiting);
        c.ep := FromSocket(c.end.socket.this_end());
      EXCEPT
      | OSError.E (code) =>
        CloseEnd(c.end);
        RAISE OSError.E(code);
      END;
    EXCEPT
    | OSError.E (code) => RAISE IP.Error(Code(NIL, code));
    END;
    IF c.ep.addr = IP.NullAddress THEN c.ep.addr := IP.GetHostAddr() END;
    RETURN c;
  END NewConnector;

PROCEDURE GetEndPoint(c: Connector): IP.Endpoint =
  BEGIN
    RETURN c.ep;
  END GetEndPoint;

PROCEDURE Connect(ep: IP.Endpoint): T RAISES {IP.Error, Thread.Alerted} =
  VAR t := NEW(T, end := NEW(End));
  BEGIN
    TRY
      t.end.socket := Socket.Create(TRUE);
      TRY
        t.end.socket.connect(ToSocket(ep));
      EXCEPT
      | OSError.E (code) =>
        CloseEnd(t.end);
        RAISE OSError.E(code);
      | Thread.Alerted =>
        CloseEnd(t.end);
        RAISE Thread.Alerted;
      END;
    EXCEPT
    | OSError.E (code) => RAISE IP.Error(Code(NIL, code));
    END;
    RETURN t;
  END Connect;

(* --- connections without waiting --- *)

TYPE
  (* The closure of a thread that makes the connection. *)
  Connecting = Thread.Closure OBJECT
    mu: MUTEX;  (* guards the variables below *)
    ended: Thread.Condition;
    done := FALSE;
    failure: AtomList.T := NIL;
    t: T;
    to: IP.Endpoint;
  OVERRIDES
    apply := MakeConnection;
  END;

PROCEDURE StartConnect(to: IP.Endpoint; from: IP.Endpoint := IP.NullEndPoint): T
  RAISES {IP.Error} =
  VAR t := NEW(T, end := NEW(End));
  BEGIN
    TRY
      t.end.socket := Socket.Create(TRUE);
      IF from # IP.NullEndPoint THEN
        TRY
          t.end.socket.bind(ToSocket(from));
        EXCEPT
        | OSError.E (code) =>
          CloseEnd(t.end);
          RAISE OSError.E(code);
        END;
      END;
    EXCEPT
    | OSError.E (code) => RAISE IP.Error(Code(NIL, code));
    END;
    t.connecting := NEW(Connecting, mu := NEW(MUTEX), ended := NEW(Thread.Condition), t := t,
                        to := to);
    EVAL Thread.Fork(t.connecting);
    RETURN t;
  END StartConnect;

PROCEDURE MakeConnection(c: Connecting): REFANY =
  VAR failure: AtomList.T := NIL;
  BEGIN
    TRY
      WITH socket = Enter(c.t.end) DO
        TRY
          socket.connect(ToSocket(c.to));
        FINALLY
          Leave(c.t.end);
        END;
      END;
    EXCEPT
    | OSError.E (code) => failure := Code(c.t.end, code);
    | Thread.Alerted =>  failure := AtomList.List1(Unexpected);
    END;
    LOCK c.mu DO
      c.failure := failure;
      c.done := TRUE;
    END;
    Thread.Broadcast(c.ended);
    RETURN NIL;
  END MakeConnection;

PROCEDURE FinishConnect(c: T; timeout: LONGREAL := -1.0D0): BOOLEAN
  RAISES {IP.Error, Thread.Alerted} =
  CONST Step = 0.005D0;
  VAR connecting := c.connecting;  failure: AtomList.T;  deadline := Time.Now() + timeout;
  BEGIN
    IF connecting = NIL THEN RETURN TRUE END;
    LOOP
      LOCK connecting.mu DO
        IF timeout < 0.0D0 THEN
          WHILE NOT connecting.done DO Thread.AlertWait(connecting.mu, connecting.ended) END;
        END;
        IF connecting.done THEN
          failure := connecting.failure;
          EXIT;
        END;
      END;
      IF Time.Now() >= deadline THEN RETURN FALSE END;
      Thread.AlertPause(MIN(Step, MAX(deadline - Time.Now(), 0.0D0)));
    END;
    c.connecting := NIL;
    IF failure # NIL THEN
      CloseEnd(c.end);
      RAISE IP.Error(failure);
    END;
    RETURN TRUE;
  END FinishConnect;

PROCEDURE Accept(c: Connector): T RAISES {IP.Error, Thread.Alerted} =
  VAR t := NEW(T, end := NEW(End));
  BEGIN
    TRY
      WITH socket = Enter(c.end) DO
        TRY
          t.end.socket := socket.accept();
        FINALLY
          Leave(c.end);
        END;
      END;
    EXCEPT
    | OSError.E (code) => RAISE IP.Error(Code(c.end, code));
    END;
    RETURN t;
  END Accept;

PROCEDURE CloseConnector(c: Connector) =
  BEGIN
    CloseEnd(c.end);
  END CloseConnector;

(* --- connections --- *)

PROCEDURE Receive(t: T; VAR arr: ARRAY OF CHAR; waitFor: LONGREAL): CARDINAL
  RAISES {Rd.Failure, ConnFD.TimedOut, Thread.Alerted} =
  VAR
    got: INTEGER;
    n := MIN(NUMBER(arr), MaxChunk);
  BEGIN
    IF n = 0 THEN RETURN 0 END;
    TRY
      WITH socket = Enter(t.end) DO
        TRY
          IF NOT ThreadInput.AwaitFor(socket.fd, waitFor) THEN RAISE ConnFD.TimedOut END;
          WITH bytes = LOOPHOLE(ADR(arr[0]), Bytes) DO
            got := socket.read(SUBARRAY(bytes^, 0, n));
          END;
        FINALLY
          Leave(t.end);
        END;
      END;
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(Code(t.end, code));
    END;
    RETURN got;
  END Receive;

PROCEDURE Put(t: T; READONLY arr: ARRAY OF CHAR) RAISES {Wr.Failure} =
  VAR
    done := 0;
    n: CARDINAL;
  BEGIN
    TRY
      WITH socket = Enter(t.end) DO
        TRY
          WHILE done < NUMBER(arr) DO
            n := MIN(NUMBER(arr) - done, MaxChunk);
            WITH bytes = LOOPHOLE(ADR(arr[done]), Bytes) DO
              socket.write(SUBARRAY(bytes^, 0, n));
            END;
            INC(done, n);
          END;
        FINALLY
          Leave(t.end);
        END;
      END;
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(Code(t.end, code));
    END;
  END Put;

PROCEDURE Shutdown(end: End; how: INTEGER) RAISES {OSError.E} =
  VAR result: INTEGER;
  BEGIN
    LOCK end DO
      IF end.closed THEN RETURN END;
      result := RTSocket.ShutDown(end.socket.fd, how);
    END;
    IF result < 0 AND -result # Uerror.ENOTCONN THEN OSErrorPosix.Raise0(-result) END;
  END Shutdown;

PROCEDURE ShutdownIn(t: T) RAISES {Rd.Failure} =
  BEGIN
    TRY
      Shutdown(t.end, In);
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(Code(t.end, code));
    END;
  END ShutdownIn;

PROCEDURE ShutdownOut(t: T) RAISES {Wr.Failure} =
  BEGIN
    TRY
      Shutdown(t.end, Out);
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(Code(t.end, code));
    END;
  END ShutdownOut;

PROCEDURE Close(conn: T) =
  BEGIN
    CloseEnd(conn.end);
  END Close;

(* --- its ends --- *)

TYPE Which = {This, Other};

PROCEDURE EndOf(t: T; which: Which): IP.Endpoint RAISES {IP.Error} =
  BEGIN
    TRY
      WITH socket = Enter(t.end) DO
        TRY
          CASE which OF
          | Which.This => RETURN FromSocket(socket.this_end());
          | Which.Other => RETURN FromSocket(socket.other_end());
          END;
        FINALLY
          Leave(t.end);
        END;
      END;
    EXCEPT
    | OSError.E (code) => RAISE IP.Error(Code(t.end, code));
    END;
  END EndOf;

PROCEDURE LocalEndpoint(conn: T): IP.Endpoint RAISES {IP.Error} =
  BEGIN
    RETURN EndOf(conn, Which.This);
  END LocalEndpoint;

PROCEDURE GetEndpoint(channel: T): IP.Endpoint RAISES {IP.Error} =
  BEGIN
    RETURN EndOf(channel, Which.Other);
  END GetEndpoint;

PROCEDURE GetName(channel: T): TEXT RAISES {IP.Error} =
  VAR ep := GetEndpoint(channel);
  BEGIN
    TRY
      RETURN IP.GetCanonicalByAddr(ep.addr);
    EXCEPT
    | IP.Error => RETURN IP.FormatAddress(ep.addr);
    END;
  END GetName;

PROCEDURE Match(channel: T; addr: IP.Address; maskBits: [0..32]): BOOLEAN RAISES {IP.Error} =
  VAR there := GetEndpoint(channel).addr;
  BEGIN
    FOR i := 0 TO 3 DO
      WITH shift = MAX(0, MIN(8, 8 * (i + 1) - maskBits)) DO
        IF Word.RightShift(there.a[i], shift) # Word.RightShift(addr.a[i], shift) THEN
          RETURN FALSE;
        END;
      END;
    END;
    RETURN TRUE;
  END Match;

PROCEDURE Eof(ch: T): BOOLEAN RAISES {Rd.Failure} =
  BEGIN
    TRY
      WITH socket = Enter(ch.end) DO
        TRY
          RETURN ThreadInput.AwaitFor(socket.fd, 0.0D0) AND socket.bytes_available() = 0;
        FINALLY
          Leave(ch.end);
        END;
      END;
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(Code(ch.end, code));
    | Thread.Alerted =>
      Thread.Alert(Thread.Self());
      RETURN FALSE;
    END;
  END Eof;

BEGIN
  NoResources := Atom.FromText("TCP.NoResources");
  PortBusy := Atom.FromText("TCP.PortBusy");
  Refused := Atom.FromText("TCP.Refused");
  Timeout := Atom.FromText("TCP.Timeout");
  Unreachable := Atom.FromText("TCP.Unreachable");
  HostDown := Unreachable;
  NetDown := Unreachable;
  ConnLost := Atom.FromText("TCP.ConnLost");
  Closed := Atom.FromText("TCP.Closed");
  Unexpected := Atom.FromText("TCP.Unexpected");
END TCP.
