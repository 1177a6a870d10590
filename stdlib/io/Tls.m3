UNSAFE MODULE Tls;

IMPORT Atom, AtomList, ConnFD, ConnRW, Ctypes, LibCrypto, LibSsl, M3toC, Net, OSError, Rd, RdUtils,
  Text, Thread, WeakRef, Wr;
FROM Ctypes IMPORT int;

CONST
  Piece = 16384;              (* a record of TLS has no more *)
  ConnectionBytes = 65536;    (* about what the library allocates *)
  ContextBytes = 1024 * 1024;

TYPE
  Buffer = REF ARRAY OF CHAR;

REVEAL
  Context = BRANDED "Tls.Context" REF RECORD
      address: ADDRESS := NIL;
      weight: Buffer := NIL;  (* so that the collector knows what it can free *)
    END;

  T = Public BRANDED "Tls.T" OBJECT
      ssl: Ssl;
      mu: MUTEX;             (* for each call about ssl *)
      inMu, outMu: MUTEX;    (* for the order of what is received and sent; acquired before mu *)
      input, output: Buffer; (* guarded by inMu and outMu *)
    OVERRIDES
      get := Get;
      put := Put;
      shutdownIn := ShutdownIn;
      shutdownOut := ShutdownOut;
      close := Close;
    END;

TYPE
  Ssl = REF RECORD
      address, reading, writing: ADDRESS := NIL;  (* the two are bytes received and to be sent *)
      weight: Buffer := NIL;
    END;

(* --- Contexts *)

PROCEDURE NewContext(method: ADDRESS): Context RAISES {Error} =
  VAR c := NEW(Context, address := LibSsl.context_new(method), weight := NEW(Buffer, ContextBytes));
  BEGIN
    IF c.address = NIL THEN Fail("a context of TLS") END;
    EVAL WeakRef.FromRef(c, FreeContext);
    EVAL LibSsl.context_ctrl(c.address, LibSsl.CTRL_SET_MIN_PROTO_VERSION, LibSsl.TLS1_2, NIL);
    EVAL LibSsl.context_set_options(c.address, LibSsl.OP_NO_RENEGOTIATION);
    RETURN c;
  END NewContext;

PROCEDURE FreeContext(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  VAR c: Context := r;
  BEGIN
    LibSsl.context_free(c.address);
  END FreeContext;

PROCEDURE NewClient(authorities: TEXT): Context RAISES {Error} =
  VAR c := NewContext(LibSsl.client_method());  file: Ctypes.char_star;  result: int;
  BEGIN
    LibSsl.context_set_verify(c.address, LibSsl.VERIFY_PEER, NIL);
    IF authorities = NIL THEN
      IF LibSsl.context_default_paths(c.address) # 1 THEN Fail("the system's certificates") END;
      RETURN c;
    END;
    file := M3toC.CopyTtoS(authorities);
    result := LibSsl.context_load_locations(c.address, file, NIL);
    M3toC.FreeCopiedS(file);
    IF result # 1 THEN Fail(authorities) END;
    RETURN c;
  END NewClient;

PROCEDURE NewServer(certificates, key: TEXT): Context RAISES {Error} =
  VAR c := NewContext(LibSsl.server_method());  file: Ctypes.char_star;  result: int;
  BEGIN
    file := M3toC.CopyTtoS(certificates);
    result := LibSsl.context_use_chain(c.address, file);
    M3toC.FreeCopiedS(file);
    IF result # 1 THEN Fail(certificates) END;
    file := M3toC.CopyTtoS(key);
    result := LibSsl.context_use_key(c.address, file, LibSsl.FILETYPE_PEM);
    M3toC.FreeCopiedS(file);
    IF result # 1 THEN Fail(key) END;
    RETURN c;
  END NewServer;

(* The oldest error of this thread, and forgets the others. *)
PROCEDURE Reason(): TEXT =
  VAR a: ARRAY [0 .. 255] OF CHAR;  error := LibCrypto.get_error();
  BEGIN
    IF error = 0 THEN RETURN "the library gave no reason" END;
    LibCrypto.error_string(error, a);
    LibSsl.clear_error();
    RETURN M3toC.CopyStoT(LOOPHOLE(ADR(a), Ctypes.char_star));
  END Reason;

PROCEDURE Fail(what: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error(what & ": " & Reason());
  END Fail;

(* --- Beginning connections *)

PROCEDURE NewConnection(context: Context; net: Net.T): T RAISES {Error} =
  VAR ssl := NEW(Ssl, address := LibSsl.new(context.address), weight := NEW(Buffer, ConnectionBytes));
  BEGIN
    <*ASSERT context.address # NIL*>  (* `context` is in use until here *)
    IF ssl.address = NIL THEN Fail("a connection of TLS") END;
    EVAL WeakRef.FromRef(ssl, FreeSsl);
    ssl.reading := LibSsl.bio_new(LibSsl.bio_memory());
    ssl.writing := LibSsl.bio_new(LibSsl.bio_memory());
    IF ssl.reading = NIL OR ssl.writing = NIL THEN Fail("a connection of TLS") END;
    LibSsl.set_bio(ssl.address, ssl.reading, ssl.writing);
    WITH t = NEW(T, ssl := ssl, net := net, mu := NEW(MUTEX), inMu := NEW(MUTEX), outMu := NEW(MUTEX),
                 input := NEW(Buffer, Piece), output := NEW(Buffer, Piece)) DO
      t.rd := ConnRW.NewRd(t);
      t.wr := ConnRW.NewWr(t);
      RETURN t;
    END;
  END NewConnection;

PROCEDURE FreeSsl(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  VAR ssl: Ssl := r;
  BEGIN
    LibSsl.free(ssl.address);  (* and what it reads and writes *)
  END FreeSsl;

PROCEDURE Connect(context: Context; address: TEXT; seconds: LONGREAL): T
  RAISES {Error, OSError.E, Thread.Alerted} =
  VAR net := Net.Connect(address, seconds);  host, port: TEXT;  good: BOOLEAN;  t: T;
  BEGIN
    net.setLimit(seconds);
    good := Net.Split(address, host, port);
    <*ASSERT good*>
    TRY
      t := NewConnection(context, net);
      NameHost(t, host);
      LibSsl.set_connect_state(t.ssl.address);
    EXCEPT
    | Error (why) =>
      net.close();
      RAISE Error(why);
    END;
    Handshake(t);
    net.setLimit(Net.NoLimit);
    RETURN t;
  END Connect;

(* The certificate must be that of this host. *)
PROCEDURE NameHost(t: T; host: TEXT) RAISES {Error} =
  VAR c: Ctypes.char_star;  good: BOOLEAN;
  BEGIN
    IF Text.Empty(host) THEN host := "localhost" END;
    c := M3toC.CopyTtoS(host);
    good := LibSsl.param_set1_ip(LibSsl.get0_param(t.ssl.address), c) = 1;
    IF NOT good THEN
      good := LibSsl.set1_host(t.ssl.address, c) = 1
        AND LibSsl.ctrl(t.ssl.address, LibSsl.CTRL_SET_TLSEXT_HOSTNAME, 0, c) = 1;
    END;
    M3toC.FreeCopiedS(c);
    IF NOT good THEN Fail(host) END;
    LibSsl.clear_error();
  END NameHost;

PROCEDURE Accept(context: Context; net: Net.T): T RAISES {Error, Thread.Alerted} =
  VAR t: T;
  BEGIN
    TRY
      t := NewConnection(context, net);
    EXCEPT
    | Error (why) =>
      net.close();
      RAISE Error(why);
    END;
    LibSsl.set_accept_state(t.ssl.address);
    Handshake(t);
    RETURN t;
  END Accept;

(* Closes the connection if it fails. *)
PROCEDURE Handshake(t: T) RAISES {Error, Thread.Alerted} =
  VAR result, error: int;  verified: INTEGER;  why: TEXT;  done := FALSE;
  BEGIN
    TRY
      TRY
        LOOP
          LOCK t.mu DO
            LibSsl.clear_error();
            result := LibSsl.do_handshake(t.ssl.address);
            error := LibSsl.get_error(t.ssl.address, result);
            verified := LibSsl.get_verify_result(t.ssl.address);
            IF result # 1 AND error # LibSsl.ERROR_WANT_READ THEN why := Reason() END;
          END;
          Send(t);
          IF result = 1 THEN EXIT END;
          IF error # LibSsl.ERROR_WANT_READ THEN
            IF verified # 0 THEN why := M3toC.CopyStoT(LibSsl.verify_error_string(verified)) END;
            RAISE Error("the handshake of TLS failed: " & why);
          END;
          IF NOT Receive(t, Net.NoLimit) THEN
            RAISE Error("the other side ended the connection during the handshake of TLS");
          END;
        END;
        done := TRUE;
      EXCEPT
      | Rd.Failure, Wr.Failure (causes) =>
        RAISE Error("the handshake of TLS failed: " & RdUtils.FailureText(causes));
      | ConnFD.TimedOut => <*ASSERT FALSE*>
      END;
    FINALLY
      IF NOT done THEN t.net.close() END;
    END;
  END Handshake;

(* --- Moving bytes *)

(* Sends what the library has written. *)
PROCEDURE Send(t: T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    LOCK t.outMu DO Drain(t) END;
  END Send;

PROCEDURE Drain(t: T) RAISES {Wr.Failure, Thread.Alerted} =
  VAR n: int;
  BEGIN
    LOOP
      LOCK t.mu DO n := LibSsl.bio_read(t.ssl.writing, ADR(t.output[0]), NUMBER(t.output^)) END;
      IF n <= 0 THEN RETURN END;
      t.net.put(SUBARRAY(t.output^, 0, n));
    END;
  END Drain;

(* Gives the library what arrives next. FALSE: the other side has ended. *)
PROCEDURE Receive(t: T; seconds: LONGREAL): BOOLEAN
  RAISES {Rd.Failure, ConnFD.TimedOut, Thread.Alerted} =
  VAR n: CARDINAL;
  BEGIN
    n := t.net.get(t.input^, seconds);
    IF n = 0 THEN RETURN FALSE END;
    LOCK t.mu DO EVAL LibSsl.bio_write(t.ssl.reading, ADR(t.input[0]), n) END;
    RETURN TRUE;
  END Receive;

PROCEDURE Causes(why: TEXT): AtomList.T =
  BEGIN
    RETURN AtomList.List1(Atom.FromText("TLS: " & why));
  END Causes;

PROCEDURE Get(t: T; VAR arr: ARRAY OF CHAR; waitFor: LONGREAL): CARDINAL
  RAISES {Rd.Failure, ConnFD.TimedOut, Thread.Alerted} =
  VAR n, error: int;  why: TEXT := NIL;
  BEGIN
    IF NUMBER(arr) = 0 THEN RETURN 0 END;
    LOCK t.inMu DO
      LOOP
        LOCK t.mu DO
          LibSsl.clear_error();
          n := LibSsl.read(t.ssl.address, ADR(t.input[0]), MIN(NUMBER(arr), Piece));
          error := LibSsl.get_error(t.ssl.address, n);
          IF n <= 0 AND error # LibSsl.ERROR_WANT_READ THEN why := Reason() END;
        END;
        IF n > 0 THEN
          SUBARRAY(arr, 0, n) := SUBARRAY(t.input^, 0, n);
          RETURN n;
        END;
        IF error = LibSsl.ERROR_ZERO_RETURN THEN RETURN 0 END;
        IF error # LibSsl.ERROR_WANT_READ THEN RAISE Rd.Failure(Causes(why)) END;
        TRY
          Send(t);  (* perhaps an answer to a change of keys *)
        EXCEPT
        | Wr.Failure (causes) => RAISE Rd.Failure(causes);
        END;
        IF NOT Receive(t, waitFor) THEN
          RAISE Rd.Failure(Causes("the connection was cut"));
        END;
      END;
    END;
  END Get;

PROCEDURE Put(t: T; READONLY arr: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  VAR at, n: CARDINAL := 0;  why: TEXT := NIL;
  BEGIN
    LOCK t.outMu DO
      WHILE at < NUMBER(arr) DO
        n := MIN(NUMBER(arr) - at, Piece);
        SUBARRAY(t.output^, 0, n) := SUBARRAY(arr, at, n);
        LOCK t.mu DO
          LibSsl.clear_error();
          IF LibSsl.write(t.ssl.address, ADR(t.output[0]), n) # n THEN why := Reason() END;
        END;
        IF why # NIL THEN RAISE Wr.Failure(Causes(why)) END;
        Drain(t);
        INC(at, n);
      END;
    END;
  END Put;

PROCEDURE ShutdownIn(t: T) RAISES {Rd.Failure} =
  BEGIN
    t.net.shutdownIn();
  END ShutdownIn;

PROCEDURE ShutdownOut(t: T) RAISES {Wr.Failure} =
  BEGIN
    LOCK t.mu DO
      LibSsl.clear_error();
      EVAL LibSsl.shutdown(t.ssl.address);
    END;
    TRY
      Send(t);
    EXCEPT
    | Thread.Alerted => Thread.Alert(Thread.Self());  (* for the caller's next wait *)
    END;
    t.net.shutdownOut();
  END ShutdownOut;

PROCEDURE Close(t: T) =
  BEGIN
    t.net.close();
  END Close;

BEGIN
END Tls.
