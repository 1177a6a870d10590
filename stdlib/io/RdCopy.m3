MODULE RdCopy;

IMPORT Rd, RdClass, Thread, Wr;

CONST
  PieceSize = 8192;

TYPE
  Piece = REF ARRAY OF CHAR;

(* Fills piece from rd's buffer and waits only if the buffer is empty; returns the number of
   characters, 0 at the end. Neither stream's lock is held while the other stream works, so
   copying cannot deadlock. *)
PROCEDURE Next(rd: Rd.T; piece: Piece; atMost: CARDINAL): CARDINAL
  RAISES {Rd.Failure, Thread.Alerted} =
  VAR n: CARDINAL;
  BEGIN
    RdClass.Lock(rd);
    TRY
      <*ASSERT NOT rd.closed WITH "RdCopy: the reader is closed"*>
      IF rd.cur >= rd.hi AND rd.seek(rd.cur, FALSE) # RdClass.SeekResult.Ready THEN RETURN 0 END;
      n := MIN(MIN(atMost, NUMBER(piece^)), rd.hi - rd.cur);
      SUBARRAY(piece^, 0, n) := SUBARRAY(rd.buff^, rd.st + rd.cur - rd.lo, n);
      INC(rd.cur, n);
      RETURN n;
    FINALLY
      RdClass.Unlock(rd);
    END;
  END Next;

PROCEDURE ToWriter(rd: Rd.T; wr: Wr.T; length: CARDINAL := LAST(CARDINAL)): CARDINAL
  RAISES {Rd.Failure, Wr.Failure, Thread.Alerted} =
  VAR piece := NEW(Piece, PieceSize);  total, n: CARDINAL := 0;
  BEGIN
    WHILE total < length DO
      n := Next(rd, piece, length - total);
      IF n = 0 THEN EXIT END;
      Wr.PutString(wr, SUBARRAY(piece^, 0, n));
      INC(total, n);
    END;
    RETURN total;
  END ToWriter;

PROCEDURE ToProc(rd: Rd.T; proc: PROCEDURE (READONLY a: ARRAY OF CHAR) RAISES ANY;
                 length: CARDINAL := LAST(CARDINAL)): CARDINAL RAISES ANY =
  VAR piece := NEW(Piece, PieceSize);  total, n: CARDINAL := 0;
  BEGIN
    WHILE total < length DO
      n := Next(rd, piece, length - total);
      IF n = 0 THEN EXIT END;
      proc(SUBARRAY(piece^, 0, n));
      INC(total, n);
    END;
    RETURN total;
  END ToProc;

PROCEDURE FromProc(wr: Wr.T; proc: PROCEDURE (VAR a: ARRAY OF CHAR): CARDINAL RAISES ANY;
                   length: CARDINAL := LAST(CARDINAL)): CARDINAL RAISES ANY =
  VAR piece := NEW(Piece, PieceSize);  total, size, n: CARDINAL := 0;
  BEGIN
    WHILE total < length DO
      size := MIN(PieceSize, length - total);
      n := proc(SUBARRAY(piece^, 0, size));
      Wr.PutString(wr, SUBARRAY(piece^, 0, n));
      INC(total, n);
      IF n < size THEN EXIT END;
    END;
    RETURN total;
  END FromProc;

BEGIN
END RdCopy.
