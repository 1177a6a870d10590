MODULE NetTest;

IMPORT FS, Net, OSError, Rd, RdUtils, RTCollector, Socket, Test, Text, Thread, Time, Wr;

(* A server that answers each line by the same line, until the other side ends. *)
TYPE
  Server = Thread.Closure OBJECT
      listener: Net.Listener;
      alerted := FALSE;
    OVERRIDES
      apply := Serve;
    END;

PROCEDURE Serve(s: Server): REFANY =
  BEGIN
    TRY
      Answer(s.listener.accept());
    EXCEPT
    | Thread.Alerted => s.alerted := TRUE;
    | OSError.E, Rd.Failure, Wr.Failure =>
    END;
    RETURN NIL;
  END Serve;

PROCEDURE Answer(c: Net.T) RAISES {Rd.Failure, Wr.Failure, Thread.Alerted} =
  BEGIN
    TRY
      LOOP
        Wr.PutText(c.wr, Rd.GetLine(c.rd) & "\n");
        Wr.Flush(c.wr);
      END;
    EXCEPT
    | Rd.EndOfFile => Wr.Close(c.wr);
    END;
    c.close();
  END Answer;

PROCEDURE TestLinesThereAndBack(t: Test.T) RAISES ANY =
  CONST Addresses = ARRAY OF TEXT{"127.0.0.1:0", "[::1]:0", ":0", "localhost:0"};
  BEGIN
    FOR i := 0 TO LAST(Addresses) DO
      IF i # 1 OR HasIPv6() THEN CheckLines(t, Addresses[i]) END;
    END;
  END TestLinesThereAndBack;

PROCEDURE HasIPv6(): BOOLEAN =
  BEGIN
    TRY
      Net.Listen("[::1]:0").close();
      RETURN TRUE;
    EXCEPT
    | OSError.E => RETURN FALSE;
    END;
  END HasIPv6;

PROCEDURE CheckLines(t: Test.T; address: TEXT) RAISES ANY =
  VAR
    listener := Net.Listen(address);
    server := Thread.Fork(NEW(Server, listener := listener));
    host, port: TEXT;
    long := "0123456789abcdef";
    c: Net.T;
  BEGIN
    t.require(Net.Split(listener.address(), host, port), listener.address());
    IF Text.Equal(address, ":0") THEN host := "" END;
    c := Net.Connect(Net.Join(host, port), 10.0D0);
    IF NOT Text.Empty(host) THEN t.equalText(c.otherEnd(), listener.address()) END;
    FOR i := 1 TO 14 DO long := long & long END;
    FOR i := 1 TO 3 DO
      Wr.PutText(c.wr, long & "\n");
      Wr.Flush(c.wr);
      t.check(Text.Equal(Rd.GetLine(c.rd), long));
    END;
    Wr.Close(c.wr);
    t.check(Rd.EOF(c.rd));
    c.close();
    c.close();
    EVAL Thread.Join(server);
    listener.close();
  END CheckLines;

PROCEDURE TestLimitsOfTime(t: Test.T) RAISES ANY =
  CONST Limit = 0.05D0;
  VAR listener := Net.Listen("127.0.0.1:0");  c, other: Net.T;  begin := Time.Now();
      much := NEW(REF ARRAY OF CHAR, 16_1000000);
  BEGIN
    TRY
      EVAL listener.accept(Limit);
      t.fail("nobody connects");
    EXCEPT
    | OSError.E (code) => t.check(code.head = Socket.Timeout);
    END;
    c := Net.Connect(listener.address());
    other := listener.accept(10.0D0);
    c.setLimit(Limit);
    TRY
      EVAL Rd.GetChar(c.rd);
      t.fail("nothing comes");
    EXCEPT
    | Rd.Failure (code) => t.check(code.head = Socket.Timeout);
    END;
    TRY
      Wr.PutString(c.wr, much^);
      t.fail("nobody reads");
    EXCEPT
    | Wr.Failure (code) => t.check(code.head = Socket.Timeout);
    END;
    t.check(Time.Now() - begin >= 3.0D0 * Limit);
    other.close();
    c.close();
    listener.close();
  END TestLimitsOfTime;

PROCEDURE TestAlertsAndClosing(t: Test.T) RAISES ANY =
  VAR listener := Net.Listen("127.0.0.1:0");  server := NEW(Server, listener := listener);
      thread := Thread.Fork(server);
  BEGIN
    Thread.Alert(thread);
    EVAL Thread.Join(thread);
    t.check(server.alerted);
    server := NEW(Server, listener := listener);
    thread := Thread.Fork(server);
    Thread.Pause(0.05D0);
    listener.close();
    EVAL Thread.Join(thread);
    t.check(NOT server.alerted, "accept raised OSError.E");
  END TestAlertsAndClosing;

PROCEDURE TestErrors(t: Test.T) RAISES ANY =
  VAR listener := Net.Listen("127.0.0.1:0");  address := listener.address();
  BEGIN
    TRY
      EVAL Net.Listen(address);
      t.fail("the port is in use");
    EXCEPT
    | OSError.E (code) => t.check(code.head = Socket.PortBusy);
    END;
    listener.close();
    TRY
      EVAL Net.Connect(address);
      t.fail("nobody listens");
    EXCEPT
    | OSError.E (code) => t.check(code.head = Socket.Refused);
    END;
    CheckNoAddress(t, "127.0.0.1");
    CheckNoAddress(t, "127.0.0.1:");
    CheckNoAddress(t, "::1:80");
    CheckNoAddress(t, "127.0.0.1:no such service");
    CheckNoAddress(t, "");
  END TestErrors;

PROCEDURE CheckNoAddress(t: Test.T; address: TEXT) RAISES ANY =
  BEGIN
    TRY
      EVAL Net.Connect(address, 1.0D0);
      t.fail(address);
    EXCEPT
    | OSError.E (code) => t.check(code.head = Net.LookupFailure, RdUtils.FailureText(code));
    END;
  END CheckNoAddress;

PROCEDURE TestConnectionsThatNobodyUsesAreClosed(t: Test.T) RAISES ANY =
  CONST Connections = 100;  Patience = 100;
  VAR listener := Net.Listen("127.0.0.1:0");  before := Descriptors();  waits: CARDINAL := 0;
  BEGIN
    FOR i := 1 TO Connections DO
      EVAL Net.Connect(listener.address(), 10.0D0);
      EVAL listener.accept(10.0D0);
    END;
    t.check(Descriptors() > before);
    WHILE Descriptors() > before + Connections DIV 2 AND waits < Patience DO
      RTCollector.Collect();
      Thread.Pause(0.05D0);
      INC(waits);
    END;
    t.check(waits < Patience);
    listener.close();
  END TestConnectionsThatNobodyUsesAreClosed;

(* The number of descriptors of this process. *)
PROCEDURE Descriptors(): CARDINAL RAISES ANY =
  VAR names := FS.Iterate("/proc/self/fd");  name: TEXT;  n: CARDINAL := 0;
  BEGIN
    WHILE names.next(name) DO INC(n) END;
    names.close();
    RETURN n;
  END Descriptors;

PROCEDURE TestParts(t: Test.T) RAISES ANY =
  VAR host, port: TEXT;
  BEGIN
    t.check(Net.Split("[2001:db8::1]:http", host, port));
    t.equalText(host, "2001:db8::1");
    t.equalText(port, "http");
    t.equalText(Net.Join(host, port), "[2001:db8::1]:http");
    t.check(Net.Split(":80", host, port));
    t.equalText(host, "");
    t.check(NOT Net.Split("host", host, port));
  END TestParts;

BEGIN
END NetTest.
