(* golden: run, with lib/Check *)
(* Threads that wait for input can be alerted: readers of pipes and sockets, and accept. *)
MODULE Main;

IMPORT Check, File, FileRd, FileWr, Fmt, OSError, Pipe, RTCollector, Rd, Socket, Text, Thread, Wr;

<*FATAL OSError.E, Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

TYPE
  Reader = Thread.Closure OBJECT rd: Rd.T; result := "" OVERRIDES apply := Read END;
  Acceptor = Thread.Closure OBJECT socket: Socket.T; alerted := FALSE OVERRIDES apply := Accept END;

PROCEDURE Read(self: Reader): REFANY =
  BEGIN
    TRY
      self.result := Rd.GetLine(self.rd);
    EXCEPT
    | Thread.Alerted => self.result := "alerted";
    ELSE self.result := "another exception";
    END;
    RETURN NIL;
  END Read;

PROCEDURE Accept(self: Acceptor): REFANY =
  BEGIN
    TRY EVAL self.socket.accept() EXCEPT Thread.Alerted => self.alerted := TRUE ELSE END;
    RETURN NIL;
  END Accept;

(* A reader of a pipe: alerted when it waits, or before it does. Afterwards it goes on. *)
PROCEDURE Pipes() =
  VAR r, w: Pipe.T;  rd: Rd.T;  wr: Wr.T;  reader: Reader;  t: Thread.T;
  BEGIN
    Pipe.Open(r, w);
    rd := NEW(FileRd.T).init(r);
    wr := NEW(FileWr.T).init(w);
    FOR i := 1 TO 20 DO
      reader := NEW(Reader, rd := rd);
      t := Thread.Fork(reader);
      IF i MOD 2 = 0 THEN Thread.Pause(0.01d0) END;
      IF i MOD 5 = 0 THEN RTCollector.Collect() END;
      Thread.Alert(t);
      EVAL Thread.Join(t);
      Check.Text(reader.result, "alerted", "a pipe, " & Fmt.Int(i));
    END;

    (* Characters read before the alert are not lost. *)
    Wr.PutText(wr, "first ");
    Wr.Flush(wr);
    reader := NEW(Reader, rd := rd);
    t := Thread.Fork(reader);
    Wr.PutText(wr, "second\nmore\n");
    Wr.Flush(wr);
    EVAL Thread.Join(t);
    Check.Text(reader.result, "first second", "a reader that waits");

    (* If input is there, the alert stays for the next wait. *)
    Thread.Alert(Thread.Self());
    Check.Text(Rd.GetLine(rd), "more", "input that is there");
    TRY
      EVAL Rd.GetChar(rd);
      Check.That(FALSE, "the pending alert");
    EXCEPT
    | Thread.Alerted => Check.That(NOT Thread.TestAlert(), "it is forgotten");
    END;

    (* Nor is the beginning of a line lost when an alert ends the wait for its rest. *)
    Wr.PutText(wr, "begun ");
    Wr.Flush(wr);
    Thread.Alert(Thread.Self());
    TRY
      EVAL Rd.GetLine(rd);
      Check.That(FALSE, "a line that is not there");
    EXCEPT
    | Thread.Alerted =>
    END;
    Wr.PutText(wr, "and ended\n");
    Wr.Flush(wr);
    Check.Text(Rd.GetLine(rd), "begun and ended", "a line in two parts");
    Wr.Close(wr);
    Check.That(Rd.EOF(rd), "the end is no wait");
    Rd.Close(rd);
  END Pipes;

PROCEDURE Sockets() =
  VAR listener := Socket.Create(TRUE);  here := Socket.NullEndPoint;
      acceptor: Acceptor;  t: Thread.T;  client, server: Socket.T;  reader: Reader;
  BEGIN
    here.addr.a[0] := 16_0100007f;  (* 127.0.0.1 *)
    listener.bind(here);
    listener.listen(5);
    acceptor := NEW(Acceptor, socket := listener);
    t := Thread.Fork(acceptor);
    Thread.Pause(0.01d0);
    Thread.Alert(t);
    EVAL Thread.Join(t);
    Check.That(acceptor.alerted, "accept");

    client := Socket.Create(TRUE);
    client.connect(listener.this_end());
    server := listener.accept();
    reader := NEW(Reader, rd := NEW(FileRd.T).init(server));
    t := Thread.Fork(reader);
    Thread.Pause(0.01d0);
    Thread.Alert(t);
    EVAL Thread.Join(t);
    Check.Text(reader.result, "alerted", "a reader of a socket");
    client.write(ARRAY OF File.Byte{ORD('o'), ORD('k'), 10});
    t := Thread.Fork(reader);
    EVAL Thread.Join(t);
    Check.Text(reader.result, "ok", "it goes on");
    client.close();
    server.close();
    listener.close();
  END Sockets;

TYPE
  (* A file of the program's own, without a descriptor. *)
  Own = File.T OBJECT left := 3 OVERRIDES read := ReadOwn END;

PROCEDURE ReadOwn(f: Own; VAR b: ARRAY OF File.Byte; <*UNUSED*> mayBlock: BOOLEAN): INTEGER =
  BEGIN
    IF f.left = 0 THEN RETURN 0 END;
    DEC(f.left);
    b[0] := ORD('a') + f.left;
    RETURN 1;
  END ReadOwn;

BEGIN
  Pipes();
  Sockets();
  WITH rd = NEW(FileRd.T).init(NEW(Own)) DO
    Check.Text(Rd.GetText(rd, 100), "cba", "a file of the program's own");
    Check.Int(Text.Length(Rd.GetText(rd, 1)), 0, "its end");
  END;
  Check.Done();
END Main.
(* expect: all checks hold *)
