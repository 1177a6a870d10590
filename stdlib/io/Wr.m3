UNSAFE MODULE Wr EXPORTS Wr, WrClass, UnsafeWr;

IMPORT Convert, RTMemory, RTThread, Text, TextClass, TextFlat, Thread;
FROM Thread IMPORT Alerted;

REVEAL
  Private = MUTEX BRANDED "WrClass.Private" OBJECT
    plain := FALSE;  (* RTThread.IsPlainMutex; set at the first write *)
    copies := FALSE;  (* `plain`, and putString is PutStringDefault; set at the first write of a
                         text *)
  END;

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

(* The procedures of Wr lock the writer and call the procedures whose names begin with Fast
   (UnsafeWr). Each of these calls this procedure at its end. *)
PROCEDURE Done(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    IF NOT wr.buffered THEN wr.flush() END;
  END Done;

PROCEDURE Char(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    IF wr.cur >= wr.hi THEN
      CheckOpen(wr);
      wr.seek(wr.cur);
    END;
    wr.buff[wr.st + wr.cur - wr.lo] := ch;
    INC(wr.cur);
  END Char;

PROCEDURE FastPutChar(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    Char(wr, ch);
    Done(wr);
  END FastPutChar;

PROCEDURE FastPutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    WideChar(wr, ch);
    Done(wr);
  END FastPutWideChar;

PROCEDURE WideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    Char(wr, VAL(ORD(ch) MOD 256, CHAR));
    Char(wr, VAL(ORD(ch) DIV 256, CHAR));
  END WideChar;

PROCEDURE FastPutText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  VAR info: TextClass.Info;
  BEGIN
    CheckOpen(wr);
    t.get_info(info);
    IF info.start # NIL AND NOT info.wide THEN
      WITH chars = LOOPHOLE(info.start, TextFlat.Array8) DO
        wr.putString(SUBARRAY(chars^, 0, info.length));
      END;
    ELSE
      PutPieces(wr, t, info.length);
    END;
    Done(wr);
  END FastPutText;

PROCEDURE PutPieces(wr: T; t: TEXT; length: CARDINAL) RAISES {Failure, Alerted} =
  VAR piece: ARRAY [0..255] OF CHAR;  at: CARDINAL := 0;  n: CARDINAL;
  BEGIN
    WHILE at < length DO
      n := MIN(NUMBER(piece), length - at);
      t.get_chars(SUBARRAY(piece, 0, n), at);
      wr.putString(SUBARRAY(piece, 0, n));
      INC(at, n);
    END;
  END PutPieces;

PROCEDURE FastPutWideText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    FOR i := 0 TO Text.Length(t) - 1 DO WideChar(wr, Text.GetWideChar(t, i)) END;
    Done(wr);
  END FastPutWideText;

PROCEDURE FastPutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    wr.putString(a);
    Done(wr);
  END FastPutString;

PROCEDURE FastPutWideString(wr: T; READONLY a: ARRAY OF WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    FOR i := FIRST(a) TO LAST(a) DO WideChar(wr, a[i]) END;
    Done(wr);
  END FastPutWideString;

PROCEDURE FastSeek(wr: T; n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    <*ASSERT wr.seekable WITH "Wr.Seek: the writer is not seekable"*>
    wr.seek(n);
    Done(wr);
  END FastSeek;

PROCEDURE FastFlush(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    wr.flush();
  END FastFlush;

PROCEDURE FastClose(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    IF wr.closed THEN RETURN END;
    TRY
      TRY wr.flush() FINALLY wr.close() END;
    FINALLY
      wr.closed := TRUE;
      wr.buff := NIL;
      wr.hi := wr.cur;  (* so that the next PutChar finds no room and checks the state *)
    END;
  END FastClose;

PROCEDURE FastLength(wr: T): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(wr);
    RETURN wr.length();
  END FastLength;

PROCEDURE Index(wr: T): CARDINAL =
  BEGIN
    LOCK wr DO
      CheckOpen(wr);
      RETURN wr.cur;
    END;
  END Index;

PROCEDURE Seekable(wr: T): BOOLEAN =
  BEGIN
    LOCK wr DO RETURN wr.seekable END;
  END Seekable;

PROCEDURE Closed(wr: T): BOOLEAN =
  BEGIN
    LOCK wr DO RETURN wr.closed END;
  END Closed;

PROCEDURE Buffered(wr: T): BOOLEAN =
  BEGIN
    LOCK wr DO RETURN wr.buffered END;
  END Buffered;

PROCEDURE FastPutInt(wr: T; n: INTEGER; base: Convert.Base := 10) RAISES {Failure, Alerted} =
  <*FATAL Convert.Failed*>
  VAR buffer: ARRAY [0..BITSIZE(INTEGER)] OF CHAR;  length := Convert.FromInt(buffer, n, base);
  BEGIN
    FastPutString(wr, SUBARRAY(buffer, 0, length));
  END FastPutInt;

(* More than the length of the longest number before the point. *)
CONST
  NumberLength = 400;

PROCEDURE FastPutReal(wr: T; r: REAL; precision: CARDINAL := 6; style := Convert.Style.Mix)
  RAISES {Failure, Alerted} =
  <*FATAL Convert.Failed*>
  VAR buffer := NEW(REF ARRAY OF CHAR, NumberLength + precision);
  BEGIN
    FastPutString(wr, SUBARRAY(buffer^, 0, Convert.FromFloat(buffer^, r, precision, style)));
  END FastPutReal;

PROCEDURE FastPutLongReal(wr: T; r: LONGREAL; precision: CARDINAL := 6;
                          style := Convert.Style.Mix) RAISES {Failure, Alerted} =
  <*FATAL Convert.Failed*>
  VAR buffer := NEW(REF ARRAY OF CHAR, NumberLength + precision);
  BEGIN
    FastPutString(wr, SUBARRAY(buffer^, 0, Convert.FromLongFloat(buffer^, r, precision, style)));
  END FastPutLongReal;

(* If there is room, a character is put without LOCK's handler, because nothing can be raised
   between Acquire and Release. *)
PROCEDURE PutChar(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    (* The lock is free, and stays free while this thread changes the buffer. *)
    IF wr.plain AND RTThread.alone AND wr.word = 0 AND wr.cur < wr.hi AND wr.buffered
         AND wr.cur >= wr.lo AND wr.st + wr.cur - wr.lo < NUMBER(wr.buff^) THEN
      wr.buff[wr.st + wr.cur - wr.lo] := ch;
      INC(wr.cur);
      RETURN;
    END;
    PutCharLocked(wr, ch);
  END PutChar;

PROCEDURE PutCharLocked(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    wr.plain := RTThread.IsPlainMutex(wr);
    Thread.Acquire(wr);
    IF wr.cur < wr.hi AND wr.buffered AND wr.cur >= wr.lo
         AND wr.st + wr.cur - wr.lo < NUMBER(wr.buff^) THEN
      wr.buff[wr.st + wr.cur - wr.lo] := ch;
      INC(wr.cur);
      Thread.Release(wr);
      RETURN;
    END;
    Thread.Release(wr);
    LOCK wr DO FastPutChar(wr, ch) END;
  END PutCharLocked;

PROCEDURE PutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastPutWideChar(wr, ch) END;
  END PutWideChar;

(* A short way for most texts, as PutChar has one. *)
PROCEDURE PutText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  VAR n, at: INTEGER;
  BEGIN
    IF wr.copies AND RTThread.alone AND wr.word = 0 AND wr.buffered AND wr.cur >= wr.lo THEN
      TYPECASE t OF
      | TextFlat.T8 =>
        n := TextFlat.Length(t);
        at := wr.st + wr.cur - wr.lo;
        (* In a closed writer hi = cur. *)
        IF 0 < n AND n <= wr.hi - wr.cur AND n <= NUMBER(wr.buff^) - at THEN
          RTMemory.Move(ADR(wr.buff[at]), TextFlat.Chars8(t), n);
          INC(wr.cur, n);
          RETURN;
        END;
      ELSE
      END;
    END;
    PutTextLocked(wr, t);
  END PutText;

PROCEDURE PutTextLocked(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    wr.copies := RTThread.IsPlainMutex(wr)
                   AND RTMemory.HasMethod(wr, LOOPHOLE(PutStringDefault, ADDRESS));
    LOCK wr DO FastPutText(wr, t) END;
  END PutTextLocked;

PROCEDURE PutWideText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastPutWideText(wr, t) END;
  END PutWideText;

PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastPutString(wr, a) END;
  END PutString;

PROCEDURE PutWideString(wr: T; READONLY a: ARRAY OF WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastPutWideString(wr, a) END;
  END PutWideString;

PROCEDURE Seek(wr: T; n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastSeek(wr, n) END;
  END Seek;

PROCEDURE Flush(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastFlush(wr) END;
  END Flush;

PROCEDURE Close(wr: T) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastClose(wr) END;
  END Close;

PROCEDURE Length(wr: T): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO RETURN FastLength(wr) END;
  END Length;

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
