MODULE AutoFlushWr;

IMPORT AtomList, Thread, Time, UnsafeWr, Wr, WrClass;
FROM Thread IMPORT Alerted;
FROM Wr IMPORT Failure;

CONST
  BufferSize = 1024;
  DefaultPeriod = 0.1d0;

REVEAL
  T = Public BRANDED "AutoFlushWr.T" OBJECT
      ch: Wr.T := NIL;
      period := DefaultPeriod;
      pending := FALSE;               (* a thread waits in order to flush *)
      failed := FALSE;
      failure: AtomList.T := NIL;     (* the error of the thread's last flush *)
    OVERRIDES
      init := Init;
      seek := Seek;
      flush := Flush;
      close := Close;
    END;

TYPE
  Flusher = Thread.Closure OBJECT
      wr: T;
    OVERRIDES
      apply := FlushLater;
    END;

PROCEDURE Init(wr: T; ch: Wr.T; p: Time.T := -1.0D0): T =
  BEGIN
    wr.ch := ch;
    IF p >= 0.0d0 THEN wr.period := p ELSE wr.period := DefaultPeriod END;
    wr.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    wr.st := 0;
    wr.lo := 0;
    wr.cur := 0;
    wr.hi := 0;
    wr.closed := FALSE;
    wr.seekable := FALSE;
    wr.buffered := TRUE;
    wr.failed := FALSE;
    RETURN wr;
  END Init;

PROCEDURE FlushLater(flusher: Flusher): REFANY =
  VAR wr := flusher.wr;
  BEGIN
    Thread.Pause(wr.period);
    LOCK wr DO
      wr.pending := FALSE;
      TRY
        IF NOT wr.closed THEN UnsafeWr.FastFlush(wr) END;
      EXCEPT
      | Failure (why) =>
        wr.failed := TRUE;
        wr.failure := why;
      | Alerted =>
      END;
    END;
    RETURN NIL;
  END FlushLater;

PROCEDURE CheckFailure(wr: T) RAISES {Failure} =
  VAR why := wr.failure;
  BEGIN
    IF wr.failed THEN
      wr.failed := FALSE;
      wr.failure := NIL;
      RAISE Failure(why);
    END;
  END CheckFailure;

(* The empty buffer has no room, so that the first character after a flush is noticed here. *)
PROCEDURE Seek(wr: T; <*UNUSED*> n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    CheckFailure(wr);
    PassOn(wr);
    wr.hi := wr.cur + BufferSize;
    IF NOT wr.pending THEN
      wr.pending := TRUE;
      EVAL Thread.Fork(NEW(Flusher, wr := wr));
    END;
  END Seek;

PROCEDURE PassOn(wr: T) RAISES {Failure, Alerted} =
  VAR length := wr.cur - wr.lo;
  BEGIN
    wr.lo := wr.cur;
    wr.hi := wr.cur;
    IF length > 0 THEN Wr.PutString(wr.ch, SUBARRAY(wr.buff^, 0, length)) END;
  END PassOn;

PROCEDURE Flush(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    CheckFailure(wr);
    PassOn(wr);
    Wr.Flush(wr.ch);
  END Flush;

PROCEDURE Close(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    Wr.Close(wr.ch);
  END Close;

BEGIN
END AutoFlushWr.
