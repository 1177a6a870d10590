MODULE Rd EXPORTS Rd, RdClass;

IMPORT Text, Thread;
FROM Thread IMPORT Alerted;

REVEAL
  Private = MUTEX BRANDED "RdClass.Private" OBJECT END;

(* The procedures of Rd lock the reader around those whose names begin with Fast. *)

PROCEDURE Init(rd: T) =
  BEGIN
    rd.st := 0;
    rd.cur := 0;
    rd.lo := 0;
    rd.hi := 0;
    rd.closed := FALSE;
    rd.seekable := FALSE;
    rd.intermittent := FALSE;
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
    RETURN rd.cur < rd.hi OR rd.seek(rd.cur, FALSE) = SeekResult.Ready;
  END Fill;

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

PROCEDURE GetChar(rd: T): CHAR RAISES {EndOfFile, Failure, Alerted} =
  BEGIN
    RETURN FastGetChar(rd);
  END GetChar;

PROCEDURE GetWideChar(rd: T): WIDECHAR RAISES {EndOfFile, Failure, Alerted} =
  VAR low := ORD(FastGetChar(rd));
  BEGIN
    RETURN VAL(low + 256 * ORD(FastGetChar(rd)), WIDECHAR);
  END GetWideChar;

PROCEDURE EOF(rd: T): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    RETURN NOT Fill(rd);
  END EOF;

PROCEDURE UnGetChar(rd: T) =
  VAR n := UnGetCharMulti(rd, 1);
  BEGIN
    <*ASSERT n = 1 WITH "Rd.UnGetChar: there is no character to push back"*>
  END UnGetChar;

PROCEDURE UnGetCharMulti(rd: T; n: UnGetCount := 1): CARDINAL =
  VAR m := MIN(n, rd.cur - rd.lo);
  BEGIN
    CheckOpen(rd);
    DEC(rd.cur, m);
    RETURN m;
  END UnGetCharMulti;

PROCEDURE CharsReady(rd: T): CARDINAL RAISES {Failure} =
  BEGIN
    CheckOpen(rd);
    TRY
      IF rd.cur >= rd.hi THEN
        CASE rd.seek(rd.cur, TRUE) OF
        | SeekResult.Ready =>
        | SeekResult.WouldBlock => RETURN 0;
        | SeekResult.Eof => RETURN 1;
        END;
      END;
      RETURN rd.hi - rd.cur;
    EXCEPT
    | Alerted => RETURN 0;
    END;
  END CharsReady;

PROCEDURE GetSub(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    RETURN rd.getSub(str);
  END GetSub;

PROCEDURE GetWideSub(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;
  BEGIN
    TRY
      WHILE i < NUMBER(str) DO str[i] := GetWideChar(rd); INC(i) END;
    EXCEPT
    | EndOfFile =>
    END;
    RETURN i;
  END GetWideSub;

PROCEDURE GetSubLine(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;
  BEGIN
    WHILE i < NUMBER(str) AND Fill(rd) DO
      str[i] := rd.buff[rd.st + rd.cur - rd.lo];
      INC(rd.cur);
      INC(i);
      IF str[i - 1] = '\n' THEN EXIT END;
    END;
    RETURN i;
  END GetSubLine;

PROCEDURE GetWideSubLine(rd: T; VAR str: ARRAY OF WIDECHAR): CARDINAL
  RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;
  BEGIN
    TRY
      WHILE i < NUMBER(str) DO
        str[i] := GetWideChar(rd);
        INC(i);
        IF str[i - 1] = W'\n' THEN EXIT END;
      END;
    EXCEPT
    | EndOfFile =>
    END;
    RETURN i;
  END GetWideSubLine;

PROCEDURE GetText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted} =
  CONST Piece = 4096;
  VAR piece: ARRAY [0..Piece - 1] OF CHAR;  result := "";  n, m: CARDINAL;
  BEGIN
    CheckOpen(rd);
    WHILE len > 0 DO
      n := MIN(len, Piece);
      m := rd.getSub(SUBARRAY(piece, 0, n));
      result := result & Text.FromChars(SUBARRAY(piece, 0, m));
      IF m < n THEN EXIT END;
      DEC(len, n);
    END;
    RETURN result;
  END GetText;

PROCEDURE GetWideText(rd: T; len: CARDINAL): TEXT RAISES {Failure, Alerted} =
  CONST Piece = 2048;
  VAR piece: ARRAY [0..Piece - 1] OF WIDECHAR;  result := "";  n, m: CARDINAL;
  BEGIN
    WHILE len > 0 DO
      n := MIN(len, Piece);
      m := GetWideSub(rd, SUBARRAY(piece, 0, n));
      result := result & Text.FromWideChars(SUBARRAY(piece, 0, m));
      IF m < n THEN EXIT END;
      DEC(len, n);
    END;
    RETURN result;
  END GetWideText;

PROCEDURE GetLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted} =
  VAR result: TEXT := "";  first, last: CARDINAL;  found: BOOLEAN;
  BEGIN
    IF NOT Fill(rd) THEN RAISE EndOfFile END;
    REPEAT
      (* Take what the buffer has of the line. *)
      first := rd.st + rd.cur - rd.lo;
      last := first;
      WITH end = rd.st + rd.hi - rd.lo, buff = rd.buff^ DO
        WHILE last < end AND buff[last] # '\n' DO INC(last) END;
        found := last < end;
        result := result & Text.FromChars(SUBARRAY(buff, first, last - first));
      END;
      INC(rd.cur, last - first);
      IF found THEN INC(rd.cur) END;
    UNTIL found OR NOT Fill(rd);
    IF found THEN
      WITH n = Text.Length(result) DO
        IF n > 0 AND Text.GetChar(result, n - 1) = '\r' THEN
          result := Text.Sub(result, 0, n - 1);
        END;
      END;
    END;
    RETURN result;
  END GetLine;

PROCEDURE GetWideLine(rd: T): TEXT RAISES {EndOfFile, Failure, Alerted} =
  VAR piece: ARRAY [0..127] OF WIDECHAR;  result: TEXT := "";  n: CARDINAL;
  BEGIN
    IF NOT Fill(rd) THEN RAISE EndOfFile END;
    LOOP
      n := GetWideSubLine(rd, piece);
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
  END GetWideLine;

PROCEDURE Seek(rd: T; n: CARDINAL) RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    <*ASSERT rd.seekable WITH "Rd.Seek: the reader is not seekable"*>
    IF rd.lo <= n AND n <= rd.hi THEN
      rd.cur := n;
    ELSE
      EVAL rd.seek(n, FALSE);
    END;
  END Seek;

PROCEDURE Close(rd: T) RAISES {Failure, Alerted} =
  BEGIN
    IF rd.closed THEN RETURN END;
    TRY
      rd.close();
    FINALLY
      rd.closed := TRUE;
      rd.buff := NIL;
      rd.cur := rd.hi;
    END;
  END Close;

PROCEDURE Index(rd: T): CARDINAL =
  BEGIN
    CheckOpen(rd);
    RETURN rd.cur;
  END Index;

PROCEDURE Length(rd: T): INTEGER RAISES {Failure, Alerted} =
  BEGIN
    CheckOpen(rd);
    RETURN rd.length();
  END Length;

PROCEDURE Intermittent(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.intermittent;
  END Intermittent;

PROCEDURE Seekable(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.seekable;
  END Seekable;

PROCEDURE Closed(rd: T): BOOLEAN =
  BEGIN
    RETURN rd.closed;
  END Closed;

PROCEDURE GetSubDefault(rd: T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} =
  VAR i: CARDINAL := 0;  n: CARDINAL;
  BEGIN
    WHILE i < NUMBER(str) AND (rd.cur < rd.hi OR rd.seek(rd.cur, FALSE) = SeekResult.Ready) DO
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
