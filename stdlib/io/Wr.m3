UNSAFE MODULE Wr EXPORTS Wr, WrClass, UnsafeWr, WrShort;

IMPORT Convert, RTMemory, RTThread, Text, TextClass, TextFlat, Thread;
FROM Thread IMPORT Alerted;

REVEAL
  Private = MUTEX BRANDED "WrClass.Private" OBJECT
    known := FALSE;  (* whether the next two fields are set, which happens at the first write *)
    plain := FALSE;  (* RTThread.IsPlainMutex *)
    copies := FALSE; (* `plain`, and putString only copies what fits (WrShort) *)
    uses: RTThread.Uses;
  END;

VAR
  (* The procedures given to PutStringCopies. *)
  copying: ARRAY [0..7] OF ADDRESS;
  copyings: CARDINAL := 0;

PROCEDURE PutStringCopies(putString: ADDRESS) =
  BEGIN
    copying[copyings] := putString;
    INC(copyings);
  END PutStringCopies;

(* Called with the lock held. *)
PROCEDURE FindShortWays(wr: T) =
  BEGIN
    wr.plain := RTThread.IsPlainMutex(wr);
    IF wr.plain THEN
      FOR i := 0 TO copyings - 1 DO
        IF RTMemory.HasMethod(wr, copying[i]) THEN wr.copies := TRUE END;
      END;
    END;
    wr.known := TRUE;
  END FindShortWays;

(* The lock is free, and stays free while this thread changes the buffer. *)
<*INLINE*>
PROCEDURE NeedsNoLock(wr: T): BOOLEAN =
  BEGIN
    RETURN wr.plain AND RTThread.alone AND wr.word = 0;
  END NeedsNoLock;

(* The same beside other threads, until RTThread.LeaveBiased. *)
<*INLINE*>
PROCEDURE EnterWithoutLock(wr: T): BOOLEAN =
  BEGIN
    RETURN NOT RTThread.alone AND wr.plain AND RTThread.EnterBiased(wr.word);
  END EnterWithoutLock;

(* Called with the lock held, which this procedure releases. *)
PROCEDURE ReleaseUsed(wr: T) =
  VAR often := wr.plain AND NOT RTThread.alone AND RTThread.Used(wr.uses);
  BEGIN
    Thread.Release(wr);
    IF often THEN RTThread.Bias(wr.word) END;
  END ReleaseUsed;

(* Whether there is room for more than n characters in the buffer, whatever the class has done to the fields; then
   putString would copy them. In a closed writer hi = cur. *)
<*INLINE*>
PROCEDURE HasRoom(wr: T; n: INTEGER): BOOLEAN =
  BEGIN
    RETURN n < wr.hi - wr.cur AND wr.buffered AND NOT wr.closed AND wr.cur >= wr.lo AND wr.buff # NIL
             AND n < NUMBER(wr.buff^) - (wr.st + wr.cur - wr.lo);
  END HasRoom;

(* n is positive, and HasRoom. *)
<*INLINE*>
PROCEDURE Copy(wr: T; chars: ADDRESS; n: INTEGER) =
  BEGIN
    RTMemory.Move(ADR(wr.buff[wr.st + wr.cur - wr.lo]), chars, n);
    INC(wr.cur, n);
  END Copy;

(* Copies the n characters at `chars` into the buffer if that is all that the writer would do, without its lock if that
   is possible. FALSE: nothing was done. *)
PROCEDURE CopyAtOnce(wr: T; chars: ADDRESS; n: INTEGER): BOOLEAN =
  VAR done := FALSE;
  BEGIN
    IF NOT wr.copies OR n <= 0 THEN RETURN FALSE END;
    IF NeedsNoLock(wr) THEN
      IF HasRoom(wr, n) THEN Copy(wr, chars, n); RETURN TRUE END;
    ELSIF EnterWithoutLock(wr) THEN
      IF HasRoom(wr, n) THEN Copy(wr, chars, n); done := TRUE END;
      RTThread.LeaveBiased();
    END;
    RETURN done;
  END CopyAtOnce;

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
      WHILE info.length > TextFlat.Piece DO
        wr.putString(LOOPHOLE(info.start, TextFlat.Array8)^);
        info.start := info.start + TextFlat.Piece;
        DEC(info.length, TextFlat.Piece);
      END;
      wr.putString(SUBARRAY(LOOPHOLE(info.start, TextFlat.Array8)^, 0, info.length));
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
    IF NeedsNoLock(wr) THEN
      IF HasRoom(wr, 0) THEN
        wr.buff[wr.st + wr.cur - wr.lo] := ch;
        INC(wr.cur);
        RETURN;
      END;
    ELSIF EnterWithoutLock(wr) THEN
      IF HasRoom(wr, 0) THEN
        wr.buff[wr.st + wr.cur - wr.lo] := ch;
        INC(wr.cur);
        RTThread.LeaveBiased();
        RETURN;
      END;
      RTThread.LeaveBiased();
    END;
    PutCharLocked(wr, ch);
  END PutChar;

PROCEDURE PutCharLocked(wr: T; ch: CHAR) RAISES {Failure, Alerted} =
  BEGIN
    Thread.Acquire(wr);
    IF NOT wr.known THEN FindShortWays(wr) END;
    IF HasRoom(wr, 0) THEN
      wr.buff[wr.st + wr.cur - wr.lo] := ch;
      INC(wr.cur);
      ReleaseUsed(wr);
      RETURN;
    END;
    Thread.Release(wr);
    LOCK wr DO FastPutChar(wr, ch) END;
  END PutCharLocked;

PROCEDURE PutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastPutWideChar(wr, ch) END;
  END PutWideChar;

(* Most texts are flat and narrow, and fit in the buffer. *)
PROCEDURE PutText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    IF t # NIL AND TextFlat.Is8(t) AND CopyAtOnce(wr, LOOPHOLE(t, ADDRESS) + TextFlat.Header, TextFlat.Length(t)) THEN
      RETURN;
    END;
    PutTextLocked(wr, t);
  END PutText;

PROCEDURE PutTextLocked(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  VAR often: BOOLEAN;
  BEGIN
    LOCK wr DO
      IF NOT wr.known THEN FindShortWays(wr) END;
      FastPutText(wr, t);
      often := wr.plain AND NOT RTThread.alone AND RTThread.Used(wr.uses);
    END;
    IF often THEN RTThread.Bias(wr.word) END;
  END PutTextLocked;

PROCEDURE PutWideText(wr: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    LOCK wr DO FastPutWideText(wr, t) END;
  END PutWideText;

PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} =
  VAR often: BOOLEAN;
  BEGIN
    IF NUMBER(a) > 0 AND CopyAtOnce(wr, ADR(a[0]), NUMBER(a)) THEN RETURN END;
    LOCK wr DO
      IF NOT wr.known THEN FindShortWays(wr) END;
      FastPutString(wr, a);
      often := wr.plain AND NOT RTThread.alone AND RTThread.Used(wr.uses);
    END;
    IF often THEN RTThread.Bias(wr.word) END;
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
  PutStringCopies(LOOPHOLE(PutStringDefault, ADDRESS));
END Wr.
