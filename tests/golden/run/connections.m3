(* golden: run, with lib/Check *)
(* Connections as the classic package tcp has them, over the loopback interface. *)
MODULE Main;

IMPORT Check, ConnFD, ConnMsgRW, ConnRW, Fmt, IO, IP, MsgRd, MsgWr, Rd, TCP, TCPExtras, TCPPeer, TCPSpecial, Text, Thread, Wr;

<*FATAL IP.Error, Thread.Alerted, Rd.EndOfFile, Rd.Failure, Wr.Failure*>

CONST Localhost = IP.Address{a := ARRAY [0..3] OF BITS 8 FOR [0..255]{127, 0, 0, 1}};

TYPE
  Server = Thread.Closure OBJECT
    connector: TCP.Connector;
    served := 0;
  OVERRIDES
    apply := Serve;
  END;

  Acceptor = Thread.Closure OBJECT
    connector: TCP.Connector;
  OVERRIDES
    apply := AcceptUntilClosed;
  END;

(* Answers each line of one client with the line in brackets. *)
PROCEDURE Serve(self: Server): REFANY =
  VAR t := TCP.Accept(self.connector);  rd := ConnRW.NewRd(t);  wr := ConnRW.NewWr(t);
  BEGIN
    TRY
      LOOP
        Wr.PutText(wr, "[" & Rd.GetLine(rd) & "]\n");
        Wr.Flush(wr);
        INC(self.served);
      END;
    EXCEPT
    | Rd.EndOfFile =>
    END;
    Wr.Close(wr);
    Rd.Close(rd);
    TCP.Close(t);
    RETURN NIL;
  END Serve;

PROCEDURE AcceptUntilClosed(self: Acceptor): REFANY =
  BEGIN
    TRY
      EVAL TCP.Accept(self.connector);
    EXCEPT
    | IP.Error (code) => RETURN code.head;
    END;
    RETURN NIL;
  END AcceptUntilClosed;

PROCEDURE Talk() =
  VAR
    connector := TCP.NewConnector(IP.Endpoint{Localhost, IP.NullPort});
    server := NEW(Server, connector := connector);
    thread := Thread.Fork(server);
    client := TCP.Connect(TCP.GetEndPoint(connector));
    rd := ConnRW.NewRd(client);
    wr := ConnRW.NewWr(client);
    long := "";
    buffer: ARRAY [0..9] OF CHAR;
  BEGIN
    Check.That(TCP.GetEndPoint(connector).addr = Localhost, "GetEndPoint");
    Check.That(TCPPeer.GetEndpoint(client) = TCP.GetEndPoint(connector), "TCPPeer.GetEndpoint");
    Check.That(TCPExtras.LocalEndpoint(client).addr = Localhost, "LocalEndpoint");
    Check.That(NOT Text.Empty(TCPPeer.GetName(client)), "GetName");
    Check.That(TCPPeer.Match(client, Localhost, 32), "Match");
    Check.That(TCPPeer.Match(client, IP.Address{a := ARRAY [0..3] OF BITS 8 FOR [0..255]{127, 3, 0, 1}}, 14), "14 bits");
    Check.That(NOT TCPPeer.Match(client, IP.Address{a := ARRAY [0..3] OF BITS 8 FOR [0..255]{127, 3, 0, 1}}, 15), "15 bits");
    TRY
      EVAL client.get(buffer, 0.02D0);
      Check.That(FALSE, "nothing has been sent");
    EXCEPT
    | ConnFD.TimedOut =>
    END;
    Check.That(Rd.CharsReady(rd) = 0, "CharsReady");
    Wr.PutText(wr, "one\ntwo\n");
    Wr.Flush(wr);
    Check.Text(Rd.GetLine(rd), "[one]", "an answer");
    Check.That(Rd.GetChar(rd) = '[', "GetChar");
    Rd.UnGetChar(rd);
    Check.Text(Rd.GetLine(rd), "[two]", "another");
    FOR i := 1 TO 4000 DO long := long & Fmt.Int(i) & " " END;
    Wr.PutText(wr, long);
    Wr.PutText(wr, "\n");
    Wr.Flush(wr);
    Check.Text(Rd.GetLine(rd), "[" & long & "]", "a long line");
    Check.That(NOT TCPSpecial.Eof(client), "Eof before");
    Wr.Close(wr);
    Check.That(Rd.EOF(rd) AND TCPSpecial.Eof(client), "Eof after");
    EVAL Thread.Join(thread);
    Check.Int(server.served, 3, "lines");
    client.close();
    TRY
      EVAL client.get(buffer);
      Check.That(FALSE, "closed");
    EXCEPT
    | Rd.Failure (code) => Check.That(code.head = TCP.Closed, "TCP.Closed");
    | ConnFD.TimedOut => Check.That(FALSE, "no limit of time");
    END;
    TCP.CloseConnector(connector);
    TCP.CloseConnector(connector);
  END Talk;

PROCEDURE Errors() =
  VAR
    connector := TCP.NewConnector(IP.Endpoint{Localhost, IP.NullPort});
    ep := TCP.GetEndPoint(connector);
    thread := Thread.Fork(NEW(Acceptor, connector := connector));
  BEGIN
    TRY
      EVAL TCP.NewConnector(ep);
      Check.That(FALSE, "the port is busy");
    EXCEPT
    | IP.Error (code) => Check.That(code.head = TCP.PortBusy, "PortBusy");
    END;
    Thread.Pause(0.01D0);
    TCP.CloseConnector(connector);
    Check.That(Thread.Join(thread) = TCP.Closed, "an Accept that waits");
    TRY
      EVAL TCP.Connect(ep);
      Check.That(FALSE, "nobody listens");
    EXCEPT
    | IP.Error (code) => Check.That(code.head = TCP.Refused, "Refused");
    END;
  END Errors;

TYPE
  (* Answers each message with its length and its text, as a message. *)
  MessageServer = Thread.Closure OBJECT
    connector: TCP.Connector;
  OVERRIDES
    apply := ServeMessages;
  END;

PROCEDURE ServeMessages(self: MessageServer): REFANY =
  VAR
    t := TCP.Accept(self.connector);
    rd: MsgRd.T := ConnMsgRW.NewRd(t);
    wr: MsgWr.T := ConnMsgRW.NewWr(t);
    text: TEXT;
  BEGIN
    REPEAT
      text := Rd.GetText(rd, LAST(CARDINAL));
      Wr.PutText(wr, Fmt.Int(Text.Length(text)) & ":");
      Wr.Flush(wr);
      Wr.PutText(wr, text);
      wr.nextMsg();
    UNTIL NOT rd.nextMsg();
    Wr.Close(wr);
    Rd.Close(rd);
    TCP.Close(t);
    RETURN NIL;
  END ServeMessages;

PROCEDURE Messages() =
  VAR
    connector := TCP.NewConnector(IP.Endpoint{Localhost, IP.NullPort});
    thread := Thread.Fork(NEW(MessageServer, connector := connector));
    client := TCPSpecial.StartConnect(TCP.GetEndPoint(connector));
    rd: MsgRd.T;
    wr: MsgWr.T;
    long := "";
  BEGIN
    Check.That(TCPSpecial.FinishConnect(client, 10.0D0), "FinishConnect");
    Check.That(TCPSpecial.FinishConnect(client), "FinishConnect again");
    rd := ConnMsgRW.NewRd(client);
    wr := ConnMsgRW.NewWr(client);
    FOR i := 1 TO 5000 DO long := long & Fmt.Int(i) & " " END;
    Wr.PutText(wr, "one");
    wr.nextMsg();
    wr.nextMsg();
    Wr.PutText(wr, long);
    wr.nextMsg();
    Wr.PutText(wr, "last");
    Wr.Close(wr);
    Check.Text(Rd.GetText(rd, 2), "3:", "the beginning of a message");
    Check.That(rd.nextMsg(), "nextMsg passes over the rest");
    Check.Text(Rd.GetText(rd, LAST(CARDINAL)), "0:", "an empty message");
    Check.That(Rd.EOF(rd) AND rd.nextMsg(), "a third message");
    Check.Text(Rd.GetText(rd, LAST(CARDINAL)), Fmt.Int(Text.Length(long)) & ":" & long, "long");
    Check.That(rd.nextMsg(), "a fourth message");
    Check.Text(Rd.GetText(rd, LAST(CARDINAL)), "4:last", "what close sends");
    Check.That(NOT rd.nextMsg(), "no more");
    EVAL Thread.Join(thread);
    TCP.Close(client);
    TCP.CloseConnector(connector);
    client := TCPSpecial.StartConnect(TCP.GetEndPoint(connector));
    TRY
      EVAL TCPSpecial.FinishConnect(client);
      Check.That(FALSE, "nobody listens");
    EXCEPT
    | IP.Error (code) => Check.That(code.head = TCP.Refused, "FinishConnect: Refused");
    END;
    Check.That(TCPPeer.Get = TCPPeer.GetEndpoint AND TCPSpecial.EOF = TCPSpecial.Eof, "two names");
  END Messages;

PROCEDURE Names() =
  VAR address := IP.NullAddress;
  BEGIN
    Check.That(IP.GetHostByName("127.0.0.1", address) AND address = Localhost, "digits");
    Check.That(IP.GetHostByName("localhost", address) AND address.a[0] = 127, "localhost");
    (* Whatever the host's files and servers answer. *)
    address := IP.NullAddress;
    Check.That(IP.GetHostByName("nobody-has-this.LocalHost.", address) AND address = Localhost,
               "names in localhost");
    Check.Text(IP.FormatAddress(Localhost), "127.0.0.1", "FormatAddress");
    Check.That(IP.GetHostAddr() # IP.NullAddress, "GetHostAddr");
    TRY
      Check.That(NOT Text.Empty(IP.GetCanonicalByName("localhost")), "GetCanonicalByName");
      EVAL IP.GetCanonicalByAddr(IP.Address{a := ARRAY [0..3] OF BITS 8 FOR [0..255]{203, 0, 113, 1}});
    EXCEPT
    | IP.Error (code) => Check.That(code.head = IP.LookupFailure, "LookupFailure");
    END;
  END Names;

BEGIN
  Talk();
  Messages();
  Errors();
  Names();
  IO.Put("done\n");
END Main.
(* expect: done *)
