MODULE ConnMsgRW;

IMPORT Atom, AtomList, ConnFD, MsgRd, MsgWr, Rd, RdClass, Thread, Word, Wr, WrClass;

CONST
  BufferSize = 8192;
  HeaderSize = 8;

TYPE
  Header = ARRAY [0..HeaderSize - 1] OF CHAR;

  Reader = MsgRd.T BRANDED "ConnMsgRW.Reader" OBJECT
    fd: ConnFD.T;
    rest: CARDINAL := 0;  (* number of bytes of the fragment that have not been received *)
    last := FALSE;        (* whether the fragment is the message's last *)
    ended := FALSE;       (* whether there are no more messages *)
    header: Header;       (* the header of the next fragment, as far as it has been received *)
    received: CARDINAL := 0;
  OVERRIDES
    seek := SeekRd;
    length := LengthRd;
    close := CloseRd;
    nextMsg := NextToRead;
  END;

  Writer = MsgWr.T BRANDED "ConnMsgRW.Writer" OBJECT
    fd: ConnFD.T;
    open := FALSE;  (* whether a part of the message has been sent *)
  OVERRIDES
    seek := SeekWr;
    flush := Flush;
    close := CloseWr;
    nextMsg := NextToWrite;
  END;

VAR
  cut_off := Atom.FromText("ConnMsgRW: the connection ended within a message");

(* --- reading --- *)

PROCEDURE NewRd(fd: ConnFD.T): MsgRd.T =
  VAR rd := NEW(Reader, fd := fd);
  BEGIN
    RdClass.Init(rd);
    rd.intermittent := TRUE;
    rd.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    RETURN rd;
  END NewRd;

(* Receives into a; returns 0 at the end of the connection, which must not be within a message. *)
PROCEDURE Receive(rd: Reader; VAR a: ARRAY OF CHAR; dontBlock: BOOLEAN): CARDINAL
  RAISES {Rd.Failure, ConnFD.TimedOut, Thread.Alerted} =
  CONST Seconds = ARRAY BOOLEAN OF LONGREAL{-1.0D0, 0.0D0};
  BEGIN
    RETURN rd.fd.get(a, Seconds[dontBlock]);
  END Receive;

(* Receives the header of the next fragment. FALSE: the connection has ended before it. *)
PROCEDURE NextFragment(rd: Reader; within, dontBlock: BOOLEAN): BOOLEAN
  RAISES {Rd.Failure, ConnFD.TimedOut, Thread.Alerted} =
  VAR got: CARDINAL;
  BEGIN
    WHILE rd.received < HeaderSize DO
      got := Receive(rd, SUBARRAY(rd.header, rd.received, HeaderSize - rd.received), dontBlock);
      IF got = 0 THEN
        rd.ended := TRUE;
        IF within OR rd.received > 0 THEN RAISE Rd.Failure(AtomList.List1(cut_off)) END;
        RETURN FALSE;
      END;
      INC(rd.received, got);
    END;
    rd.received := 0;
    rd.rest := 0;
    FOR i := 0 TO 3 DO rd.rest := 256 * rd.rest + ORD(rd.header[i]) END;
    rd.last := rd.header[7] # VAL(0, CHAR);
    RETURN TRUE;
  END NextFragment;

PROCEDURE SeekRd(rd: Reader; n: CARDINAL; dontBlock: BOOLEAN): RdClass.SeekResult
  RAISES {Rd.Failure, Thread.Alerted} =
  VAR
    kept := MIN(rd.hi - rd.lo, Rd.UnGetCapacity);
    got: CARDINAL;
  BEGIN
    (* Keep the characters that can be pushed back. *)
    SUBARRAY(rd.buff^, 0, kept) := SUBARRAY(rd.buff^, rd.st + rd.hi - rd.lo - kept, kept);
    rd.st := 0;
    rd.lo := n - kept;
    rd.cur := n;
    rd.hi := n;
    TRY
      WHILE rd.rest = 0 DO
        IF rd.last OR rd.ended THEN RETURN RdClass.SeekResult.Eof END;
        IF NOT NextFragment(rd, n > 0, dontBlock) THEN RETURN RdClass.SeekResult.Eof END;
      END;
      got := Receive(rd, SUBARRAY(rd.buff^, kept, MIN(rd.rest, BufferSize - kept)), dontBlock);
    EXCEPT
    | ConnFD.TimedOut => RETURN RdClass.SeekResult.WouldBlock;
    END;
    IF got = 0 THEN
      rd.ended := TRUE;
      rd.rest := 0;
      RAISE Rd.Failure(AtomList.List1(cut_off));
    END;
    DEC(rd.rest, got);
    rd.hi := n + got;
    RETURN RdClass.SeekResult.Ready;
  END SeekRd;

PROCEDURE NextToRead(rd: Reader): BOOLEAN RAISES {Rd.Failure, Thread.Alerted} =
  VAR dropped: ARRAY [0..BufferSize - 1] OF CHAR;  got: CARDINAL;
  BEGIN
    RdClass.Lock(rd);
    TRY
      TRY
        WHILE NOT rd.ended AND NOT (rd.last AND rd.rest = 0) DO
          IF rd.rest = 0 THEN
            EVAL NextFragment(rd, TRUE, FALSE);
          ELSE
            got := Receive(rd, SUBARRAY(dropped, 0, MIN(rd.rest, BufferSize)), FALSE);
            IF got = 0 THEN
              rd.ended := TRUE;
              RAISE Rd.Failure(AtomList.List1(cut_off));
            END;
            DEC(rd.rest, got);
          END;
        END;
        rd.st := 0;
        rd.lo := 0;
        rd.cur := 0;
        rd.hi := 0;
        IF rd.ended THEN RETURN FALSE END;
        RETURN NextFragment(rd, FALSE, FALSE);
      EXCEPT
      | ConnFD.TimedOut => <*ASSERT FALSE*>
      END;
    FINALLY
      RdClass.Unlock(rd);
    END;
  END NextToRead;

PROCEDURE LengthRd(<*UNUSED*> rd: Reader): INTEGER =
  BEGIN
    RETURN -1;
  END LengthRd;

PROCEDURE CloseRd(rd: Reader) RAISES {Rd.Failure} =
  BEGIN
    rd.fd.shutdownIn();
  END CloseRd;

(* --- writing --- *)

PROCEDURE NewWr(fd: ConnFD.T): MsgWr.T =
  BEGIN
    RETURN NEW(Writer, fd := fd, buff := NEW(REF ARRAY OF CHAR, HeaderSize + BufferSize),
               st := HeaderSize, hi := BufferSize, closed := FALSE, buffered := TRUE);
  END NewWr;

(* Sends characters lo .. cur - 1 as a fragment, and empties the buffer. *)
PROCEDURE Send(wr: Writer; last: BOOLEAN) RAISES {Wr.Failure, Thread.Alerted} =
  VAR bytes := wr.cur - wr.lo;
  BEGIN
    FOR i := 0 TO HeaderSize - 1 DO wr.buff[i] := VAL(0, CHAR) END;
    FOR i := 0 TO 3 DO wr.buff[i] := VAL(Word.Extract(bytes, 8 * (3 - i), 8), CHAR) END;
    wr.buff[HeaderSize - 1] := VAL(ORD(last), CHAR);
    wr.fd.put(SUBARRAY(wr.buff^, 0, HeaderSize + bytes));
    wr.open := NOT last;
    wr.lo := wr.cur;
    wr.hi := wr.cur + BufferSize;
  END Send;

PROCEDURE SeekWr(wr: Writer; <*UNUSED*> n: CARDINAL) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Send(wr, FALSE);
  END SeekWr;

PROCEDURE Flush(wr: Writer) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF wr.cur > wr.lo THEN Send(wr, FALSE) END;
  END Flush;

PROCEDURE NextToWrite(wr: Writer) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    WrClass.Lock(wr);
    TRY
      Send(wr, TRUE);
      wr.lo := 0;
      wr.cur := 0;
      wr.hi := BufferSize;
    FINALLY
      WrClass.Unlock(wr);
    END;
  END NextToWrite;

PROCEDURE CloseWr(wr: Writer) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF wr.open OR wr.cur > wr.lo THEN Send(wr, TRUE) END;
    wr.fd.shutdownOut();
  END CloseWr;

BEGIN
END ConnMsgRW.
