UNSAFE MODULE Rd EXPORTS Rd, RdClass, UnsafeRd;

IMPORT RTMemory, RTThread, Text, Thread;
FROM Thread IMPORT Alerted;

REVEAL
  Private = MUTEX BRANDED "RdClass.Private" OBJECT
    (* The last characters before position savedEnd of the source. They can be pushed back even
       if the class of the reader did not keep them in the buffer that begins at savedEnd. *)
    saved: ARRAY [0..UnGetCapacity - 1] OF CHAR;
    savedCount: CARDINAL := 0;
    savedEnd: CARDINAL := 0;
    plain := FALSE;  (* RTThread.IsPlainMutex; set when the buffer first had characters *)
    uses: RTThread.Uses;
  END;

(* The procedures of Rd lock the reader and call the procedures whose names begin with Fast
   (UnsafeRd). *)

PROCEDURE Init(rd: T) =
  BEGIN
    rd.st := 0;
    rd.cur := 0;
    rd.lo := 0;
    rd.hi := 0;
    rd.closed := FALSE;
    rd.seekable := FALSE;
    rd.intermittent := FALSE;
    rd.savedCount := 0;
  END Init;

PROCEDURE Lock(rd: T) =
  BEGIN
    Thread.Acquire(rd);
  END Lock;

PROCEDURE Unlock(rd: T) =
  BEGIN
    Thread.Release(rd);
  END Unlock;

PROCEDURE CheckOpen(rd: T) =
  BEGIN
    <*ASSERT NOT rd.closed WITH "the reader is closed"*>
  END CheckOpen;

(* Whether there is a character at cur. *)
PROCEDURE Fill(rd: T): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    RETURN rd.cur < rd.hi OR Next(rd, FALSE) = SeekResult.Ready;
  END Fill;

(* The next buffer; cur = hi. *)
PROCEDURE Next(rd: T; dontBlock: BOOLEAN): SeekResult RAISES {Failure, Alerted} =
  VAR old, new: CARDINAL;
  BEGIN
    rd.plain := RTThread.IsPlainMutex(rd);
    new := MIN(rd.hi - rd.lo, UnGetCapacity);
    IF new > 0 AND rd.buff # NIL THEN
      old := 0;
      IF rd.savedEnd = rd.lo THEN old := MIN(rd.savedCount, UnGetCapacity - new) END;
      SUBARRAY(rd.saved, 0, old) := SUBARRAY(rd.saved, rd.savedCount - old, old);
      SUBARRAY(rd.saved, old, new) := SUBARRAY(rd.buff^, rd.st + rd.hi - rd.lo - new, new);
      rd.savedCount := old + new;
      rd.savedEnd := rd.hi;
    END;
    RETURN rd.seek(rd.cur, dontBlock);
  END Next;

(* Puts the saved characters before those of the buffer, into a new buffer that is at least as
   long: the class may rely on the length. *)
PROCEDURE Restore(rd: T) =
  VAR size := rd.hi - rd.lo;  buff: REF ARRAY OF CHAR;
  BEGIN
    IF rd.buff = NIL THEN
      buff := NEW(REF ARRAY OF CHAR, rd.savedCount + size);
    ELSE
      buff := NEW(REF ARRAY OF CHAR, NUMBER(rd.buff^) + rd.savedCount);
      SUBARRAY(buff^, rd.savedCount, size) := SUBARRAY(rd.buff^, rd.st, size);
    END;
    SUBARRAY(buff^, 0, rd.savedCount) := SUBARRAY(rd.saved, 0, rd.savedCount);
    rd.buff := buff;
    rd.st := 0;
    DEC(rd.lo, rd.savedCount);
    rd.savedCount := 0;
  END Restore;

(* When this call fails, the characters that it has taken from position start on are not lost:
   the next call reads them again, even if they are no longer in the buffer. *)
PROCEDURE PutBack(rd: T; start: CARDINAL; READONLY taken: ARRAY OF CHAR) =
  VAR n := NUMBER(taken);  size := rd.hi - rd.cur;  buff: REF ARRAY OF CHAR;
  BEGIN
    (* If the class has moved, keep its position. *)
    IF rd.closed OR rd.cur # start + n THEN RETURN END;
    IF n > rd.cur - rd.lo THEN
      IF rd.buff = NIL THEN
        buff := NEW(REF ARRAY OF CHAR, n + size);
      ELSE
        buff := NEW(REF ARRAY OF CHAR, NUMBER(rd.buff^) + n);
        SUBARRAY(buff^, n, size) := SUBARRAY(rd.buff^, rd.st + rd.cur - rd.lo, size);
      END;
      SUBARRAY(buff^, 0, n) := taken;
      rd.buff := buff;
      rd.st := 0;
      rd.lo := start;
    END;
    rd.cur := start;
  END PutBack;

PROCEDURE PutBackWide(rd: T; start: CARDINAL; READONLY taken: ARRAY OF WIDECHAR) =
  VAR chars := NEW(REF ARRAY OF CHAR, 2 * NUMBER(taken));
  BEGIN
    FOR i := 0 TO LAST(taken) DO
      chars[2 * i] := VAL(ORD(taken[i]) MOD 256, CHAR);
      chars[2 * i + 1] := VAL(ORD(taken[i]) DIV 256, CHAR);
    END;
    PutBack(rd, start, chars^);
  END PutBackWide;

PROCEDURE PutBackText(rd: T; start: CARDINAL; taken: TEXT) =
  VAR chars := NEW(REF ARRAY OF CHAR, Text.Length(taken));
  BEGIN
    Text.SetChars(chars^, taken);
    PutBack(rd, start, chars^);
  END PutBackText;

PROCEDURE PutBackWideText(rd: T; start: CARDINAL; taken: TEXT) =
  VAR chars := NEW(REF ARRAY OF WIDECHAR, Text.Length(taken));
  BEGIN
    Text.SetWideChars(chars^, taken);
    PutBackWide(rd, start, chars^);
  END PutBackWideText;

(* As Fill, for a caller that has taken these characters from position start on. *)
PROCEDURE FillAfter(rd: T; start: CARDINAL; READONLY taken: ARRAY OF CHAR): BOOLEAN
  RAISES {Failure, Alerted} =
  BEGIN
    TRY
      RETURN Fill(rd);
    EXCEPT
    | Failure (code) => PutBack(rd, start, taken); RAISE Failure(code);
    | Alerted => PutBack(rd, start, taken); RAISE Alerted;
    END;
  END FillAfter;

PROCEDURE FillAfterText(rd: T; start: CARDINAL; taken: TEXT): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    TRY
      RETURN Fill(rd);
    EXCEPT
    | Failure (code) => PutBackText(rd, start, taken); RAISE Failure(code);
    | Alerted => PutBackText(rd, start, taken); RAISE Alerted;
    END;
  END FillAfterText;

PROCEDURE FastGetChar(rd: T): CHAR RAISES {EndOfFile, Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    IF rd.cur >= rd.hi OR rd.closed THEN
      IF NOT Fill(rd) THEN RAISE EndOfFile END;
    END;
    ch := rd.buff[rd.st + rd.cur - rd.lo];
    INC(rd.cur);
    RETURN ch;
  END FastGetChar;

(* The lock is free, and stays free while this thread looks at the buffer. *)
PROCEDURE NeedsNoLock(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.plain AND RTThread.alone AND rd.word = 0;
  END NeedsNoLock;

(* The same beside other threads, until RTThread.LeaveBiased. *)
<*INLINE*>
PROCEDURE EnterWithoutLock(rd: T): BOOLEAN =
  BEGIN
    RETURN NOT RTThread.alone AND rd.plain AND RTThread.EnterBiased(rd.word);
  END EnterWithoutLock;

(* Called with the lock held, which this procedure releases. *)
PROCEDURE ReleaseUsed(rd: T) =
  VAR often := rd.plain AND NOT RTThread.alone AND RTThread.Used(rd.uses);
  BEGIN
    Thread.Release(rd);
    IF often THEN RTThread.Bias(rd.word) END;
  END ReleaseUsed;

(* Whether the next character is in the buffer, whatever the class has done to the fields. *)
<*INLINE*>
PROCEDURE HasChar(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.cur < rd.hi AND NOT rd.closed AND rd.cur >= rd.lo AND rd.buff # NIL
             AND rd.st + rd.cur - rd.lo < NUMBER(rd.buff^);
  END HasChar;

(* A character in the buffer is taken without LOCK's handler, because nothing can be raised
   between Acquire and Release. *)
PROCEDURE GetChar(rd: T): CHAR RAISES {EndOfFile, Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    IF NeedsNoLock(rd) THEN
      IF HasChar(rd) THEN
        ch := rd.buff[rd.st + rd.cur - rd.lo];
        INC(rd.cur);
        RETURN ch;
      END;
    ELSIF EnterWithoutLock(rd) THEN
      IF HasChar(rd) THEN
        ch := rd.buff[rd.st + rd.cur - rd.lo];
        INC(rd.cur);
        RTThread.LeaveBiased();
        RETURN ch;
      END;
      RTThread.LeaveBiased();
    END;
    RETURN GetCharLocked(rd);
  END GetChar;

PROCEDURE GetCharLocked(rd: T): CHAR RAISES {EndOfFile, Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    Thread.Acquire(rd);
    IF HasChar(rd) THEN
      ch := rd.buff[rd.st + rd.cur - rd.lo];
      INC(rd.cur);
      ReleaseUsed(rd);
      RETURN ch;
    END;
    Thread.Release(rd);
    LOCK rd DO RETURN FastGetChar(rd) END;
  END GetCharLocked;

PROCEDURE FastGetWideChar(rd: T): WIDECHAR RAISES {EndOfFile, Failure, Alerted} =
  VAR start := rd.cur;  low := ORD(FastGetChar(rd));
  BEGIN
    IF rd.cur >= rd.hi THEN
      IF NOT FillAfter(rd, start, ARRAY [0..0] OF CHAR{VAL(low, CHAR)}) THEN RAISE EndOfFile END;
    END;
    RETURN VAL(low + 256 * ORD(FastGetChar(rd)), WIDECHAR);
  END FastGetWideChar;

PROCEDURE FastEOF(rd: T): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    RETURN NOT Fill(rd);
  END FastEOF;

PROCEDURE FastUnGetChar(rd: T) =
  VAR n := FastUnGetCharMulti(rd, 1);
  BEGIN
    <*ASSERT n = 1 WITH "Rd.UnGetChar: there is no character to push back"*>
  END FastUnGetChar;

PROCEDURE FastUnGetCharMulti(rd: T; n: UnGetCount := 1): CARDINAL =
  VAR m: CARDINAL;
  BEGIN
    CheckOpen(rd);
    IF n > rd.cur - rd.lo AND rd.savedEnd = rd.lo AND rd.savedCount > 0 THEN Restore(rd) END;
    m := MIN(n, rd.cur - rd.lo);
    DEC(rd.cur, m);
    RETURN m;
  END FastUnGetCharMulti;

PROCEDURE FastCharsReady(rd: T): CARDINAL RAISES {Failure} =
  BEGIN
    CheckOpen(rd);
    TRY
      IF rd.cur >= rd.hi THEN
        CASE Next(rd, TRUE) OF
        | SeekResult.Ready =>
        | SeekResult.WouldBlock => RETURN 0;
        | SeekResult.Eof => RETURN 1;
        END;
      END;
      RETURN rd.hi - rd.cur;
    EXCEPT
    | Alerted => RETURN 0;
    END;
  END FastCharsReady;

PROCEDURE FastGetSub(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    RETURN rd.getSub(str);
  END FastGetSub;

PROCEDURE FastGetWideSub(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;  start := rd.cur;
  BEGIN
    TRY
      WHILE i < NUMBER(str) DO str[i] := FastGetWideChar(rd); INC(i) END;
    EXCEPT
    | EndOfFile =>
    | Failure (code) => PutBackWide(rd, start, SUBARRAY(str, 0, i)); RAISE Failure(code);
    | Alerted => PutBackWide(rd, start, SUBARRAY(str, 0, i)); RAISE Alerted;
    END;
    RETURN i;
  END FastGetWideSub;

PROCEDURE LockedGetSubLine(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;  start := rd.cur;
  BEGIN
    CheckOpen(rd);
    WHILE i < NUMBER(str) AND (rd.cur < rd.hi OR FillAfter(rd, start, SUBARRAY(str, 0, i))) DO
      str[i] := rd.buff[rd.st + rd.cur - rd.lo];
      INC(rd.cur);
      INC(i);
      IF str[i - 1] = '\n' THEN EXIT END;
    END;
    RETURN i;
  END LockedGetSubLine;

PROCEDURE LockedGetWideSubLine(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL
  RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;  start := rd.cur;
  BEGIN
    TRY
      WHILE i < NUMBER(str) DO
        str[i] := FastGetWideChar(rd);
        INC(i);
        IF str[i - 1] = W'\n' THEN EXIT END;
      END;
    EXCEPT
    | EndOfFile =>
    | Failure (code) => PutBackWide(rd, start, SUBARRAY(str, 0, i)); RAISE Failure(code);
    | Alerted => PutBackWide(rd, start, SUBARRAY(str, 0, i)); RAISE Alerted;
    END;
    RETURN i;
  END LockedGetWideSubLine;

(* A flat text, unless it has more than Most characters: a concatenation of pieces would take longer
   for each Text.GetChar. *)
PROCEDURE LockedGetText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted} =
  CONST
    Piece = 4096;
    Most = 16_4000000;
  VAR
    piece: ARRAY [0..Piece - 1] OF CHAR;
    chars: REF ARRAY OF CHAR;
    before := "";     (* the characters that were taken before those in chars *)
    count: CARDINAL;  (* of characters in chars *)
    n := MIN(len, Piece);
    m: CARDINAL;
    start := rd.cur;
  BEGIN
    CheckOpen(rd);
    count := rd.getSub(SUBARRAY(piece, 0, n));
    IF count < n OR n = len THEN RETURN Text.FromChars(SUBARRAY(piece, 0, count)) END;
    chars := NEW(REF ARRAY OF CHAR, 4 * Piece);
    SUBARRAY(chars^, 0, count) := SUBARRAY(piece, 0, count);
    TRY
      WHILE count < len DO
        IF count >= Most THEN
          before := before & Text.FromChars(SUBARRAY(chars^, 0, count));
          DEC(len, count);
          count := 0;
        ELSIF count = NUMBER(chars^) THEN
          chars := Longer(chars^);
        END;
        n := MIN(len, NUMBER(chars^)) - count;
        m := rd.getSub(SUBARRAY(chars^, count, n));
        INC(count, m);
        IF m < n THEN EXIT END;
      END;
    EXCEPT
    | Failure (code) =>
      PutBackText(rd, start, before & Text.FromChars(SUBARRAY(chars^, 0, count)));
      RAISE Failure(code);
    | Alerted =>
      PutBackText(rd, start, before & Text.FromChars(SUBARRAY(chars^, 0, count)));
      RAISE Alerted;
    END;
    RETURN before & Text.FromChars(SUBARRAY(chars^, 0, count));
  END LockedGetText;

PROCEDURE Longer(READONLY chars: ARRAY OF CHAR): REF ARRAY OF CHAR =
  VAR longer := NEW(REF ARRAY OF CHAR, 2 * NUMBER(chars));
  BEGIN
    SUBARRAY(longer^, 0, NUMBER(chars)) := chars;
    RETURN longer;
  END Longer;

PROCEDURE LockedGetWideText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted} =
  CONST Piece = 2048;
  VAR
    piece: ARRAY [0..Piece - 1] OF WIDECHAR;
    result := "";
    n, m: CARDINAL;
    start := rd.cur;
  BEGIN
    TRY
      WHILE len > 0 DO
        n := MIN(len, Piece);
        m := FastGetWideSub(rd, SUBARRAY(piece, 0, n));
        result := result & Text.FromWideChars(SUBARRAY(piece, 0, m));
        IF m < n THEN EXIT END;
        DEC(len, n);
      END;
    EXCEPT
    | Failure (code) => PutBackWideText(rd, start, result); RAISE Failure(code);
    | Alerted => PutBackWideText(rd, start, result); RAISE Alerted;
    END;
    RETURN result;
  END LockedGetWideText;

PROCEDURE LockedGetLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted} =
  VAR
    result: TEXT := NIL;
    first, length: CARDINAL;
    newline: INTEGER;
    piece: TEXT;
    start := rd.cur;
  BEGIN
    IF NOT Fill(rd) THEN RAISE EndOfFile END;
    REPEAT
      (* Take the part of the line that is in the buffer. *)
      first := rd.st + rd.cur - rd.lo;
      length := rd.hi - rd.cur;
      WITH chars = SUBARRAY(rd.buff^, first, length) DO
        newline := RTMemory.Find(ADR(chars[0]), length, ORD('\n'));
        IF newline >= 0 THEN length := newline END;
        INC(rd.cur, length);
        IF newline >= 0 THEN
          INC(rd.cur);
          IF length > 0 AND chars[length - 1] = '\r' THEN DEC(length) END;
        END;
        piece := Text.FromChars(SUBARRAY(chars, 0, length));
      END;
      IF result = NIL THEN
        result := piece;
      ELSIF newline = 0 AND Text.GetChar(result, Text.Length(result) - 1) = '\r' THEN
        result := Text.Sub(result, 0, Text.Length(result) - 1);
      ELSE
        result := result & piece;
      END;
    UNTIL newline >= 0 OR NOT FillAfterText(rd, start, result);
    RETURN result;
  END LockedGetLine;

PROCEDURE LockedGetWideLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted} =
  VAR piece: ARRAY [0..127] OF WIDECHAR;  result: TEXT := "";  n: CARDINAL;  start := rd.cur;
  BEGIN
    IF NOT Fill(rd) THEN RAISE EndOfFile END;
    LOOP
      TRY
        n := LockedGetWideSubLine(rd, piece);
      EXCEPT
      | Failure (code) => PutBackWideText(rd, start, result); RAISE Failure(code);
      | Alerted => PutBackWideText(rd, start, result); RAISE Alerted;
      END;
      IF n > 0 AND piece[n - 1] = W'\n' THEN
        result := result & Text.FromWideChars(SUBARRAY(piece, 0, n - 1));
        WITH length = Text.Length(result) DO
          IF length > 0 AND Text.GetWideChar(result, length - 1) = W'\r' THEN
            result := Text.Sub(result, 0, length - 1);
          END;
        END;
        RETURN result;
      END;
      result := result & Text.FromWideChars(SUBARRAY(piece, 0, n));
      IF n < NUMBER(piece) THEN RETURN result END;
    END;
  END LockedGetWideLine;

PROCEDURE LockedSeek(rd: T; n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    <*ASSERT rd.seekable WITH "Rd.Seek: the reader is not seekable"*>
    IF rd.lo <= n AND n <= rd.hi THEN
      rd.cur := n;
    ELSE
      EVAL rd.seek(n, FALSE);
    END;
  END LockedSeek;

PROCEDURE FastClose(rd: T) RAISES {Failure, Alerted} =
  BEGIN
    IF rd.closed THEN RETURN END;
    TRY
      rd.close();
    FINALLY
      rd.closed := TRUE;
      rd.buff := NIL;
      rd.cur := rd.hi;
    END;
  END FastClose;

PROCEDURE FastIndex(rd: T): CARDINAL =
  BEGIN
    CheckOpen(rd);
    RETURN rd.cur;
  END FastIndex;

PROCEDURE FastLength(rd: T): INTEGER RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    RETURN rd.length();
  END FastLength;

PROCEDURE FastIntermittent(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.intermittent;
  END FastIntermittent;

PROCEDURE FastSeekable(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.seekable;
  END FastSeekable;

PROCEDURE FastClosed(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.closed;
  END FastClosed;

PROCEDURE GetWideChar(rd: T): WIDECHAR RAISES {EndOfFile, Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN FastGetWideChar(rd) END;
  END GetWideChar;

PROCEDURE EOF(rd: T): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    IF NeedsNoLock(rd) THEN
      IF rd.cur < rd.hi AND NOT rd.closed THEN RETURN FALSE END;
    ELSIF EnterWithoutLock(rd) THEN
      WITH ready = rd.cur < rd.hi AND NOT rd.closed DO
        RTThread.LeaveBiased();
        IF ready THEN RETURN FALSE END;
      END;
    END;
    RETURN EOFLocked(rd);
  END EOF;

PROCEDURE EOFLocked(rd: T): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    Thread.Acquire(rd);
    IF rd.cur < rd.hi AND NOT rd.closed THEN
      ReleaseUsed(rd);
      RETURN FALSE;
    END;
    Thread.Release(rd);
    LOCK rd DO RETURN FastEOF(rd) END;
  END EOFLocked;

PROCEDURE UnGetChar(rd: T) =
  BEGIN
    LOCK rd DO FastUnGetChar(rd) END;
  END UnGetChar;

PROCEDURE UnGetCharMulti(rd: T; n: UnGetCount := 1): CARDINAL =
  BEGIN
    LOCK rd DO RETURN FastUnGetCharMulti(rd, n) END;
  END UnGetCharMulti;

PROCEDURE CharsReady(rd: T): CARDINAL RAISES {Failure} =
  BEGIN
    LOCK rd DO RETURN FastCharsReady(rd) END;
  END CharsReady;

PROCEDURE GetSub(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN FastGetSub(rd, str) END;
  END GetSub;

PROCEDURE GetWideSub(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN FastGetWideSub(rd, str) END;
  END GetWideSub;

PROCEDURE Close(rd: T) RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO FastClose(rd) END;
  END Close;

PROCEDURE Index(rd: T): CARDINAL =
  BEGIN
    LOCK rd DO RETURN FastIndex(rd) END;
  END Index;

PROCEDURE Length(rd: T): INTEGER RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN FastLength(rd) END;
  END Length;

PROCEDURE Intermittent(rd: T): BOOLEAN =
  BEGIN
    LOCK rd DO RETURN FastIntermittent(rd) END;
  END Intermittent;

PROCEDURE Seekable(rd: T): BOOLEAN =
  BEGIN
    LOCK rd DO RETURN FastSeekable(rd) END;
  END Seekable;

PROCEDURE Closed(rd: T): BOOLEAN =
  BEGIN
    LOCK rd DO RETURN FastClosed(rd) END;
  END Closed;

PROCEDURE GetSubLine(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN LockedGetSubLine(rd, str) END;
  END GetSubLine;

PROCEDURE GetWideSubLine(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL
  RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN LockedGetWideSubLine(rd, str) END;
  END GetWideSubLine;

PROCEDURE GetText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN LockedGetText(rd, len) END;
  END GetText;

PROCEDURE GetWideText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN LockedGetWideText(rd, len) END;
  END GetWideText;

PROCEDURE GetLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN LockedGetLine(rd) END;
  END GetLine;

PROCEDURE GetWideLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted} =
  BEGIN
    LOCK rd DO RETURN LockedGetWideLine(rd) END;
  END GetWideLine;

PROCEDURE Seek(rd: T; n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    LOCK rd DO LockedSeek(rd, n) END;
  END Seek;

PROCEDURE GetSubDefault(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;  n: CARDINAL;  start := rd.cur;
  BEGIN
    WHILE i < NUMBER(str) AND (rd.cur < rd.hi OR FillAfter(rd, start, SUBARRAY(str, 0, i))) DO
      n := MIN(NUMBER(str) - i, rd.hi - rd.cur);
      SUBARRAY(str, i, n) := SUBARRAY(rd.buff^, rd.st + rd.cur - rd.lo, n);
      INC(rd.cur, n);
      INC(i, n);
    END;
    RETURN i;
  END GetSubDefault;

PROCEDURE LengthDefault(<*UNUSED*> rd: T): INTEGER =
  BEGIN
    <*ASSERT FALSE WITH "Rd.Length: this class of readers has no length method"*>
  END LengthDefault;

PROCEDURE CloseDefault(<*UNUSED*> rd: T) =
  BEGIN
  END CloseDefault;

BEGIN
END Rd.
