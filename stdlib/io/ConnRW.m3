UNSAFE MODULE ConnRW;

IMPORT ConnFD, Rd, RdClass, Thread, Wr, WrClass, WrShort;

CONST
  BufferSize = 8192;

TYPE
  Reader = Rd.T BRANDED "ConnRW.Reader" OBJECT
    fd: ConnFD.T;
  OVERRIDES
    seek := SeekRd;
    length := LengthRd;
    close := CloseRd;
  END;

  Writer = Wr.T BRANDED "ConnRW.Writer" OBJECT
    fd: ConnFD.T;
  OVERRIDES
    seek := SeekWr;
    putString := PutString;
    flush := Send;
    close := CloseWr;
  END;

(* --- reading --- *)

PROCEDURE NewRd(fd: ConnFD.T): Rd.T =
  VAR rd := NEW(Reader, fd := fd);
  BEGIN
    RdClass.Init(rd);
    rd.intermittent := TRUE;
    rd.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    RETURN rd;
  END NewRd;

PROCEDURE SeekRd(rd: Reader; n: CARDINAL; dontBlock: BOOLEAN): RdClass.SeekResult
  RAISES {Rd.Failure, Thread.Alerted} =
  CONST Seconds = ARRAY BOOLEAN OF LONGREAL{-1.0D0, 0.0D0};
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
      got := rd.fd.get(SUBARRAY(rd.buff^, kept, BufferSize - kept), Seconds[dontBlock]);
    EXCEPT
    | ConnFD.TimedOut => RETURN RdClass.SeekResult.WouldBlock;
    END;
    IF got = 0 THEN RETURN RdClass.SeekResult.Eof END;
    rd.hi := n + got;
    RETURN RdClass.SeekResult.Ready;
  END SeekRd;

PROCEDURE LengthRd(<*UNUSED*> rd: Reader): INTEGER =
  BEGIN
    RETURN -1;
  END LengthRd;

PROCEDURE CloseRd(rd: Reader) RAISES {Rd.Failure} =
  BEGIN
    rd.fd.shutdownIn();
  END CloseRd;

(* --- writing --- *)

PROCEDURE NewWr(fd: ConnFD.T): Wr.T =
  BEGIN
    RETURN NEW(Writer, fd := fd, buff := NEW(REF ARRAY OF CHAR, BufferSize), hi := BufferSize,
               closed := FALSE, buffered := TRUE);
  END NewWr;

(* Sends characters lo .. cur - 1, and empties the buffer. *)
PROCEDURE Send(wr: Writer) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF wr.cur > wr.lo THEN wr.fd.put(SUBARRAY(wr.buff^, wr.st, wr.cur - wr.lo)) END;
    wr.st := 0;
    wr.lo := wr.cur;
    wr.hi := wr.cur + BufferSize;
  END Send;

PROCEDURE SeekWr(wr: Writer; <*UNUSED*> n: CARDINAL) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Send(wr);
  END SeekWr;

PROCEDURE PutString(wr: Writer; READONLY a: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF NUMBER(a) > wr.hi - wr.cur THEN Send(wr) END;
    IF NUMBER(a) >= BufferSize THEN
      wr.fd.put(a);
      INC(wr.cur, NUMBER(a));
      wr.lo := wr.cur;
      wr.hi := wr.cur + BufferSize;
    ELSE
      SUBARRAY(wr.buff^, wr.st + wr.cur - wr.lo, NUMBER(a)) := a;
      INC(wr.cur, NUMBER(a));
    END;
  END PutString;

PROCEDURE CloseWr(wr: Writer) RAISES {Wr.Failure} =
  BEGIN
    wr.fd.shutdownOut();
  END CloseWr;

BEGIN
  WrShort.PutStringCopies(LOOPHOLE(PutString, ADDRESS));
END ConnRW.
