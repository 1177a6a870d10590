UNSAFE MODULE Net;

IMPORT Atom, AtomList, ConnFD, ConnRW, Ctypes, M3toC, OSError, OSErrorPosix, Rd, RTFile, RTSocket,
  SocketRep, Text, Texts, Thread, ThreadInput, Time, Uerror, Uin, Unetdb, Usocket, WeakRef, Wr;
FROM Ctypes IMPORT int, unsigned;

CONST
  In = 0;
  Out = 1;
  InAndOut = 2;
  MostWaiting = 128;
  MostAtOnce = 16_40000000;

TYPE
  Addresses = Unetdb.struct_addrinfo_star;

  (* A descriptor that may be closed while it is used: its last user closes it, so that its number is
     not used again before. *)
  End = MUTEX OBJECT
      fd: INTEGER := -1;
      users: CARDINAL := 0;
      closed := FALSE;
    END;

REVEAL
  T = Public BRANDED "Net.T" OBJECT
      end: End;
      limit: LONGREAL := NoLimit;
    OVERRIDES
      get := Get;
      put := Put;
      shutdownIn := ShutdownIn;
      shutdownOut := ShutdownOut;
      close := Close;
      setLimit := SetLimit;
      thisEnd := ThisEnd;
      otherEnd := OtherEnd;
    END;

  Listener = PublicListener BRANDED "Net.Listener" OBJECT
      end: End;
    OVERRIDES
      accept := Accept;
      address := AddressOf;
      close := CloseListener;
    END;

(* --- Descriptors *)

PROCEDURE NewEnd(fd: INTEGER): End =
  VAR end := NEW(End, fd := fd);
  BEGIN
    EVAL WeakRef.FromRef(end, CleanUp);
    RETURN end;
  END NewEnd;

PROCEDURE CleanUp(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  BEGIN
    CloseEnd(r);
  END CleanUp;

PROCEDURE Enter(end: End): INTEGER RAISES {OSError.E} =
  BEGIN
    LOCK end DO
      IF end.closed THEN OSErrorPosix.Raise0T(Uerror.EBADF, "this side has been closed") END;
      INC(end.users);
      RETURN end.fd;
    END;
  END Enter;

PROCEDURE Leave(end: End) =
  BEGIN
    LOCK end DO
      DEC(end.users);
      IF end.closed AND end.users = 0 THEN EVAL RTFile.Close(end.fd) END;
    END;
  END Leave;

PROCEDURE CloseEnd(end: End) =
  BEGIN
    LOCK end DO
      IF end.closed THEN RETURN END;
      end.closed := TRUE;
      IF end.users = 0 THEN
        EVAL RTFile.Close(end.fd);
      ELSE
        EVAL RTSocket.ShutDown(end.fd, InAndOut);
      END;
    END;
  END CloseEnd;

PROCEDURE Fail(errno: INTEGER) RAISES {OSError.E} =
  BEGIN
    EVAL SocketRep.Check(-errno);
  END Fail;

(* The result of a call that sets errno. *)
PROCEDURE Checked(result: INTEGER): INTEGER RAISES {OSError.E} =
  BEGIN
    IF result < 0 THEN Fail(RTFile.Errno()) END;
    RETURN result;
  END Checked;

(* Waits until the descriptor is ready; at `deadline`, if that is not negative, fails. *)
PROCEDURE AwaitUntil(fd: INTEGER; output: BOOLEAN; deadline: Time.T) RAISES {OSError.E, Thread.Alerted} =
  VAR seconds := NoLimit;
  BEGIN
    IF deadline >= 0.0D0 THEN seconds := MAX(0.0D0, deadline - Time.Now()) END;
    IF ThreadInput.AwaitFile(fd, output, seconds, alertable := TRUE) = ThreadInput.State.Waits THEN
      Fail(Uerror.ETIMEDOUT);
    END;
  END AwaitUntil;

PROCEDURE Deadline(seconds: LONGREAL): Time.T =
  BEGIN
    IF seconds < 0.0D0 THEN RETURN NoLimit ELSE RETURN Time.Now() + seconds END;
  END Deadline;

(* --- Addresses *)

PROCEDURE Split(address: TEXT; VAR host, port: TEXT): BOOLEAN =
  VAR colon := Text.FindCharR(address, ':');
  BEGIN
    IF colon < 0 OR colon = Text.Length(address) - 1 THEN RETURN FALSE END;
    host := Text.Sub(address, 0, colon);
    port := Text.Sub(address, colon + 1);
    IF Text.FindChar(host, ':') >= 0 THEN
      IF Text.GetWideChar(host, 0) # W'[' OR Text.GetWideChar(host, colon - 1) # W']' THEN
        RETURN FALSE;
      END;
      host := Text.Sub(host, 1, colon - 2);
    END;
    RETURN TRUE;
  END Split;

PROCEDURE Join(host, port: TEXT): TEXT =
  BEGIN
    IF Text.FindChar(host, ':') >= 0 THEN host := "[" & host & "]" END;
    RETURN host & ":" & port;
  END Join;

(* The system's list of addresses, to be freed. *)
PROCEDURE LookUp(address: TEXT; listens: BOOLEAN): Addresses RAISES {OSError.E} =
  VAR
    host, port: TEXT;
    cHost, cPort: Ctypes.char_star := NIL;
    hints := NEW(Addresses);
    found: Addresses := NIL;
    error: int;
  BEGIN
    TRY
      IF Text.HasWideChars(address) OR NOT Split(address, host, port) THEN
        RAISE OSError.E(Causes("\"" & address & "\" is no address: it is host:port"));
      END;
      IF NOT Text.Empty(host) THEN cHost := M3toC.CopyTtoS(host) END;
      cPort := M3toC.CopyTtoS(port);
      hints^ := Unetdb.struct_addrinfo{0, 0, Usocket.SOCK_STREAM, 0, 0, NIL, NIL, NIL};
      IF listens THEN hints.ai_flags := Unetdb.AI_PASSIVE END;
      error := Unetdb.getaddrinfo(cHost, cPort, hints, found);
      IF error # 0 THEN
        RAISE OSError.E(Causes("cannot look up \"" & address & "\": "
                               & M3toC.CopyStoT(Unetdb.gai_strerror(error))));
      END;
    FINALLY
      DISPOSE(hints);
      M3toC.FreeCopiedS(cHost);
      M3toC.FreeCopiedS(cPort);
    END;
    RETURN found;
  END LookUp;

PROCEDURE Causes(why: TEXT): AtomList.T =
  BEGIN
    RETURN AtomList.List2(LookupFailure, Atom.FromText(why));
  END Causes;

(* The text of the end of a socket. *)
PROCEDURE EndText(end: End; other: BOOLEAN): TEXT RAISES {OSError.E} =
  VAR
    address: Usocket.struct_sockaddr_storage;
    length: unsigned := BYTESIZE(address);
    host: ARRAY [0 .. Unetdb.NI_MAXHOST] OF CHAR;
    port: ARRAY [0 .. Unetdb.NI_MAXSERV] OF CHAR;
    fd := Enter(end);
    error: int;
  BEGIN
    TRY
      IF other THEN
        EVAL Checked(Usocket.getpeername(fd, ADR(address), ADR(length)));
      ELSE
        EVAL Checked(Usocket.getsockname(fd, ADR(address), ADR(length)));
      END;
    FINALLY
      Leave(end);
    END;
    error := Unetdb.getnameinfo(ADR(address), length, LOOPHOLE(ADR(host), Ctypes.char_star),
                                BYTESIZE(host), LOOPHOLE(ADR(port), Ctypes.char_star), BYTESIZE(port),
                                Unetdb.NI_NUMERICHOST + Unetdb.NI_NUMERICSERV);
    IF error # 0 THEN
      RAISE OSError.E(Causes(M3toC.CopyStoT(Unetdb.gai_strerror(error))));
    END;
    RETURN Join(Mapped(M3toC.CopyStoT(LOOPHOLE(ADR(host), Ctypes.char_star))),
                M3toC.CopyStoT(LOOPHOLE(ADR(port), Ctypes.char_star)));
  END EndText;

(* A socket of IPv6 shows an address of IPv4 with this prefix. *)
PROCEDURE Mapped(host: TEXT): TEXT =
  CONST Prefix = "::ffff:";
  BEGIN
    IF Texts.StartsWith(host, Prefix) AND Text.FindChar(host, '.') >= 0 THEN
      RETURN Text.Sub(host, Text.Length(Prefix));
    END;
    RETURN host;
  END Mapped;

PROCEDURE NewSocket(a: Addresses): INTEGER RAISES {OSError.E} =
  BEGIN
    RETURN Checked(Usocket.socket(a.ai_family, Usocket.SOCK_STREAM + Usocket.SOCK_CLOEXEC
                                  + Usocket.SOCK_NONBLOCK, a.ai_protocol));
  END NewSocket;

PROCEDURE SetOption(fd: INTEGER; level, option, value: int) =
  BEGIN
    EVAL Usocket.setsockopt(fd, level, option, ADR(value), BYTESIZE(value));
  END SetOption;

(* --- Connecting *)

PROCEDURE Connect(address: TEXT; seconds: LONGREAL): T RAISES {OSError.E, Thread.Alerted} =
  VAR list := LookUp(address, listens := FALSE);  a := list;  deadline := Deadline(seconds);
  BEGIN
    TRY
      LOOP
        TRY
          RETURN NewConnection(ConnectTo(a, deadline));
        EXCEPT
        | OSError.E (code) =>
          a := a.ai_next;
          IF a = NIL OR deadline >= 0.0D0 AND Time.Now() >= deadline THEN
            RAISE OSError.E(code);
          END;
        END;
      END;
    FINALLY
      Unetdb.freeaddrinfo(list);
    END;
  END Connect;

(* The descriptor of a new connection. *)
PROCEDURE ConnectTo(a: Addresses; deadline: Time.T): INTEGER RAISES {OSError.E, Thread.Alerted} =
  VAR fd := NewSocket(a);  error: int := 0;  size: unsigned := BYTESIZE(error);  connected := FALSE;
  BEGIN
    TRY
      IF Usocket.connect(fd, a.ai_addr, a.ai_addrlen) < 0 THEN
        error := RTFile.Errno();
        IF error = Uerror.EINPROGRESS THEN
          AwaitUntil(fd, output := TRUE, deadline := deadline);
          EVAL Checked(Usocket.getsockopt(fd, Usocket.SOL_SOCKET, Usocket.SO_ERROR, ADR(error),
                                          ADR(size)));
        END;
        IF error # 0 THEN Fail(error) END;
      END;
      connected := TRUE;
    FINALLY
      IF NOT connected THEN EVAL RTFile.Close(fd) END;
    END;
    RETURN fd;
  END ConnectTo;

PROCEDURE NewConnection(fd: INTEGER): T =
  VAR t := NEW(T, end := NewEnd(fd));
  BEGIN
    (* What is flushed goes at once, even if it is little. *)
    SetOption(fd, Uin.IPPROTO_TCP, Uin.TCP_NODELAY, 1);
    t.rd := ConnRW.NewRd(t);
    t.wr := ConnRW.NewWr(t);
    RETURN t;
  END NewConnection;

(* --- Listening *)

PROCEDURE Listen(address: TEXT): Listener RAISES {OSError.E} =
  VAR list := LookUp(address, listens := TRUE);  failure: OSError.Code := NIL;  found: Listener;
  BEGIN
    TRY
      (* A socket of IPv6 at every address takes connections of IPv4, too. *)
      found := ListenAtOne(list, address, Usocket.AF_INET6, failure);
      IF found = NIL THEN found := ListenAtOne(list, address, Usocket.AF_UNSPEC, failure) END;
      IF found = NIL THEN RAISE OSError.E(failure) END;
      RETURN found;
    FINALLY
      Unetdb.freeaddrinfo(list);
    END;
  END Listen;

(* Listens at the first address of the family for which that works, and of AF_INET6 only if the host is
   "". NIL: none works; `failure` is the last one. *)
PROCEDURE ListenAtOne(a: Addresses; address: TEXT; family: int; VAR failure: OSError.Code): Listener =
  BEGIN
    IF family = Usocket.AF_INET6 AND Text.GetWideChar(address, 0) # W':' THEN RETURN NIL END;
    WHILE a # NIL DO
      IF family = Usocket.AF_UNSPEC OR a.ai_family = family THEN
        TRY
          RETURN NEW(Listener, end := NewEnd(ListenAt(a)));
        EXCEPT
        | OSError.E (code) => failure := code;
        END;
      END;
      a := a.ai_next;
    END;
    RETURN NIL;
  END ListenAtOne;

(* The descriptor of a socket that listens. *)
PROCEDURE ListenAt(a: Addresses): INTEGER RAISES {OSError.E} =
  VAR fd := NewSocket(a);  listens := FALSE;
  BEGIN
    TRY
      (* A server that is started again gets its port, even while old connections linger. *)
      SetOption(fd, Usocket.SOL_SOCKET, Usocket.SO_REUSEADDR, 1);
      IF a.ai_family = Usocket.AF_INET6 THEN SetOption(fd, Uin.IPPROTO_IPV6, Uin.IPV6_V6ONLY, 0) END;
      EVAL Checked(Usocket.bind(fd, a.ai_addr, a.ai_addrlen));
      EVAL Checked(Usocket.listen(fd, MostWaiting));
      listens := TRUE;
    FINALLY
      IF NOT listens THEN EVAL RTFile.Close(fd) END;
    END;
    RETURN fd;
  END ListenAt;

PROCEDURE Accept(l: Listener; seconds: LONGREAL): T RAISES {OSError.E, Thread.Alerted} =
  VAR fd := Enter(l.end);  deadline := Deadline(seconds);  accepted: INTEGER;
  BEGIN
    TRY
      REPEAT
        AwaitUntil(fd, output := FALSE, deadline := deadline);
        accepted := RTSocket.Accept(fd);
      UNTIL accepted # RTFile.WouldBlock;
      RETURN NewConnection(SocketRep.Check(accepted));
    FINALLY
      Leave(l.end);
    END;
  END Accept;

PROCEDURE AddressOf(l: Listener): TEXT RAISES {OSError.E} =
  BEGIN
    RETURN EndText(l.end, other := FALSE);
  END AddressOf;

PROCEDURE CloseListener(l: Listener) =
  BEGIN
    CloseEnd(l.end);
  END CloseListener;

(* --- Connections *)

PROCEDURE SetLimit(t: T; seconds: LONGREAL) =
  BEGIN
    t.limit := seconds;
  END SetLimit;

PROCEDURE Get(t: T; VAR arr: ARRAY OF CHAR; waitFor: LONGREAL): CARDINAL
  RAISES {Rd.Failure, ConnFD.TimedOut, Thread.Alerted} =
  VAR got: INTEGER;  fd: INTEGER;  seconds := waitFor;
  BEGIN
    IF NUMBER(arr) = 0 THEN RETURN 0 END;
    IF seconds < 0.0D0 THEN seconds := t.limit END;
    TRY
      fd := Enter(t.end);
      TRY
        REPEAT
          IF ThreadInput.AwaitFile(fd, output := FALSE, seconds := seconds, alertable := TRUE)
            = ThreadInput.State.Waits THEN
            IF waitFor >= 0.0D0 THEN RAISE ConnFD.TimedOut END;
            Fail(Uerror.ETIMEDOUT);
          END;
          got := RTFile.ReadNow(fd, ADR(arr[0]), NUMBER(arr));
        UNTIL got # RTFile.WouldBlock;
        RETURN SocketRep.Check(got);
      FINALLY
        Leave(t.end);
      END;
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(code);
    END;
  END Get;

PROCEDURE Put(t: T; READONLY arr: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  VAR at: CARDINAL := 0;  sent: INTEGER;  fd: INTEGER;
  BEGIN
    TRY
      fd := Enter(t.end);
      TRY
        WHILE at < NUMBER(arr) DO
          sent := Usocket.send(fd, ADR(arr[at]), MIN(NUMBER(arr) - at, MostAtOnce),
                               Usocket.MSG_DONTWAIT + Usocket.MSG_NOSIGNAL);
          IF sent >= 0 THEN
            INC(at, sent);
          ELSIF RTFile.Errno() = Uerror.EAGAIN THEN
            AwaitUntil(fd, output := TRUE, deadline := Deadline(t.limit));
          ELSIF RTFile.Errno() # Uerror.EINTR THEN
            Fail(RTFile.Errno());
          END;
        END;
      FINALLY
        Leave(t.end);
      END;
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END Put;

PROCEDURE Shutdown(end: End; how: INTEGER) RAISES {OSError.E} =
  VAR result: INTEGER;
  BEGIN
    LOCK end DO
      IF end.closed THEN RETURN END;
      result := RTSocket.ShutDown(end.fd, how);
    END;
    IF result # -Uerror.ENOTCONN THEN EVAL SocketRep.Check(result) END;
  END Shutdown;

PROCEDURE ShutdownIn(t: T) RAISES {Rd.Failure} =
  BEGIN
    TRY
      Shutdown(t.end, In);
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(code);
    END;
  END ShutdownIn;

PROCEDURE ShutdownOut(t: T) RAISES {Wr.Failure} =
  BEGIN
    TRY
      Shutdown(t.end, Out);
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END ShutdownOut;

PROCEDURE Close(t: T) =
  BEGIN
    CloseEnd(t.end);
  END Close;

PROCEDURE ThisEnd(t: T): TEXT RAISES {OSError.E} =
  BEGIN
    RETURN EndText(t.end, other := FALSE);
  END ThisEnd;

PROCEDURE OtherEnd(t: T): TEXT RAISES {OSError.E} =
  BEGIN
    RETURN EndText(t.end, other := TRUE);
  END OtherEnd;

BEGIN
  LookupFailure := Atom.FromText("Net.LookupFailure");
END Net.
