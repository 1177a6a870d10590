MODULE Wr EXPORTS Wr, WrClass;

IMPORT Text, TextClass, Thread;
FROM Thread IMPORT Alerted;

REVEAL
  Private = MUTEX BRANDED "WrClass.Private" OBJECT END;

PROCEDURE Lock(wr: T) =
  BEGIN
    Thread.Acquire(wr);
  END Lock;

PROCEDURE Unlock(wr: T) =
  BEGIN
    Thread.Release(wr);
  END Unlock;

PROCEDURE CheckOpen(wr: T) =
  BEGIN
    <*ASSERT NOT wr.closed WITH "the writer is closed"*>
  END CheckOpen;

(* What ends each operation. *)
PROCEDURE Done(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    IF NOT wr.buffered THEN wr.flush() END;
  END Done;

PROCEDURE FastPutChar(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    IF wr.cur >= wr.hi THEN
      CheckOpen(wr);
      wr.seek(wr.cur);
    END;
    wr.buff[wr.st + wr.cur - wr.lo] := ch;
    INC(wr.cur);
  END FastPutChar;

PROCEDURE PutChar(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    FastPutChar(wr, ch);
    Done(wr);
  END PutChar;

PROCEDURE PutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    FastPutWideChar(wr, ch);
    Done(wr);
  END PutWideChar;

PROCEDURE FastPutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    FastPutChar(wr, VAL(ORD(ch) MOD 256, CHAR));
    FastPutChar(wr, VAL(ORD(ch) DIV 256, CHAR));
  END FastPutWideChar;

PROCEDURE PutText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  VAR piece: ARRAY [0..255] OF CHAR;  at: CARDINAL := 0;  length := Text.Length(t);  n: CARDINAL;
  BEGIN
    CheckOpen(wr);
    WHILE at < length DO
      n := MIN(NUMBER(piece), length - at);
      t.get_chars(SUBARRAY(piece, 0, n), at);
      wr.putString(SUBARRAY(piece, 0, n));
      INC(at, n);
    END;
    Done(wr);
  END PutText;

PROCEDURE PutWideText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    FOR i := 0 TO Text.Length(t) - 1 DO FastPutWideChar(wr, Text.GetWideChar(t, i)) END;
    Done(wr);
  END PutWideText;

PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    wr.putString(a);
    Done(wr);
  END PutString;

PROCEDURE PutWideString(wr: T; READONLY a: ARRAY OF WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    FOR i := FIRST(a) TO LAST(a) DO FastPutWideChar(wr, a[i]) END;
    Done(wr);
  END PutWideString;

PROCEDURE Seek(wr: T; n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    <*ASSERT wr.seekable WITH "Wr.Seek: the writer is not seekable"*>
    wr.seek(n);
    Done(wr);
  END Seek;

PROCEDURE Flush(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    wr.flush();
  END Flush;

PROCEDURE Close(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    IF wr.closed THEN RETURN END;
    TRY
      TRY wr.flush() FINALLY wr.close() END;
    FINALLY
      wr.closed := TRUE;
      wr.buff := NIL;
      wr.hi := wr.cur;  (* so that the next PutChar finds no room and looks *)
    END;
  END Close;

PROCEDURE Length(wr: T): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    RETURN wr.length();
  END Length;

PROCEDURE Index(wr: T): CARDINAL =
  BEGIN
    CheckOpen(wr);
    RETURN wr.cur;
  END Index;

PROCEDURE Seekable(wr: T): BOOLEAN =
  BEGIN
    RETURN wr.seekable;
  END Seekable;

PROCEDURE Closed(wr: T): BOOLEAN =
  BEGIN
    RETURN wr.closed;
  END Closed;

PROCEDURE Buffered(wr: T): BOOLEAN =
  BEGIN
    RETURN wr.buffered;
  END Buffered;

PROCEDURE PutStringDefault(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;  n: CARDINAL;
  BEGIN
    WHILE i < NUMBER(a) DO
      IF wr.cur >= wr.hi THEN wr.seek(wr.cur) END;
      n := MIN(NUMBER(a) - i, wr.hi - wr.cur);
      SUBARRAY(wr.buff^, wr.st + wr.cur - wr.lo, n) := SUBARRAY(a, i, n);
      INC(wr.cur, n);
      INC(i, n);
    END;
  END PutStringDefault;

PROCEDURE LengthDefault(wr: T): CARDINAL =
  BEGIN
    RETURN wr.cur;
  END LengthDefault;

PROCEDURE FlushDefault(<*UNUSED*> wr: T) =
  BEGIN
  END FlushDefault;

PROCEDURE CloseDefault(<*UNUSED*> wr: T) =
  BEGIN
  END CloseDefault;

BEGIN
END Wr.
