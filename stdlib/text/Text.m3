UNSAFE MODULE Text EXPORTS Text, TextSlow;

IMPORT RTMemory, RTReport, TextBuffer, TextCat, TextClass, TextFlat, TextSub, Word;

CONST
  (* Texts that are not flat are processed in pieces of this many characters. *)
  ChunkSize = 256;

TYPE
  Chunk8 = ARRAY [0..ChunkSize - 1] OF CHAR;
  Chunk16 = ARRAY [0..ChunkSize - 1] OF WIDECHAR;

TYPE
  CharRef = UNTRACED REF CHAR;

  (* Most texts are flat and narrow (TextFlat.Is8). In memory they look like this, an array with
     a zero behind the characters. The compiler knows that the length does not change, so a loop
     over a text reads it once. *)
  Flat8 = REF ARRAY OF CHAR;

<*INLINE*>
PROCEDURE Length(t: T): CARDINAL =
  VAR info: TextClass.Info;
  BEGIN
    IF TextFlat.Is8(t) THEN RETURN NUMBER(LOOPHOLE(t, Flat8)^) - 1 END;
    t.get_info(info);
    RETURN info.length;
  END Length;

<*INLINE*>
PROCEDURE Empty(t: T): BOOLEAN =
  BEGIN
    RETURN Length(t) = 0;
  END Empty;

<*INLINE*>
PROCEDURE Equal(t, u: T): BOOLEAN =
  BEGIN
    IF NOT TextFlat.Is8(t) OR NOT TextFlat.Is8(u) THEN RETURN EqualByMethods(t, u) END;
    WITH a = LOOPHOLE(t, ADDRESS) + TextFlat.Header, b = LOOPHOLE(u, ADDRESS) + TextFlat.Header,
         n = NUMBER(LOOPHOLE(t, Flat8)^) DO
      (* An empty text has a zero there. *)
      RETURN n = NUMBER(LOOPHOLE(u, Flat8)^) AND LOOPHOLE(a, CharRef)^ = LOOPHOLE(b, CharRef)^
               AND RTMemory.Equal(a, b, n);
    END;
  END Equal;

PROCEDURE EqualByMethods(t, u: T): BOOLEAN =
  VAR ti, ui: TextClass.Info;
  BEGIN
    t.get_info(ti);
    u.get_info(ui);
    IF ti.length # ui.length THEN RETURN FALSE END;
    IF t = u THEN RETURN TRUE END;  <*NOWARN*>
    RETURN CompareFirst(t, ti, u, ui, ti.length) = 0;
  END EqualByMethods;

PROCEDURE Compare(t1, t2: T): [-1..1] =
  VAR n, m: INTEGER;  result: [-1..1];
  BEGIN
    IF NOT TextFlat.Is8(t1) OR NOT TextFlat.Is8(t2) THEN RETURN CompareByMethods(t1, t2) END;
    n := NUMBER(LOOPHOLE(t1, Flat8)^) - 1;
    m := NUMBER(LOOPHOLE(t2, Flat8)^) - 1;
    result := RTMemory.Compare(LOOPHOLE(t1, ADDRESS) + TextFlat.Header,
                               LOOPHOLE(t2, ADDRESS) + TextFlat.Header, MIN(n, m));
    IF result # 0 THEN RETURN result END;
    RETURN Order(n, m);
  END Compare;

PROCEDURE Order(n, m: INTEGER): [-1..1] =
  BEGIN
    RETURN ORD(n > m) - ORD(n < m);
  END Order;

PROCEDURE CompareByMethods(t1, t2: T): [-1..1] =
  VAR i1, i2: TextClass.Info;  result: [-1..1];
  BEGIN
    t1.get_info(i1);
    t2.get_info(i2);
    IF t1 = t2 THEN RETURN 0 END;  <*NOWARN*>
    result := CompareFirst(t1, i1, t2, i2, MIN(i1.length, i2.length));
    IF result # 0 THEN RETURN result END;
    RETURN Order(i1.length, i2.length);
  END CompareByMethods;

(* Compares the first n characters of t and u; ti and ui describe t and u. *)
PROCEDURE CompareFirst(t: T; READONLY ti: TextClass.Info; u: T; READONLY ui: TextClass.Info;
                       n: CARDINAL): [-1..1] =
  VAR tc8, uc8: Chunk8;  tc16, uc16: Chunk16;  at: CARDINAL := 0;  m: CARDINAL;  result: INTEGER;
  BEGIN
    IF NOT ti.wide AND NOT ui.wide THEN
      IF ti.start # NIL AND ui.start # NIL THEN
        RETURN RTMemory.Compare(ti.start, ui.start, n);
      END;
      WHILE at < n DO
        m := MIN(ChunkSize, n - at);
        t.get_chars(SUBARRAY(tc8, 0, m), at);
        u.get_chars(SUBARRAY(uc8, 0, m), at);
        result := RTMemory.Compare(ADR(tc8[0]), ADR(uc8[0]), m);
        IF result # 0 THEN RETURN result END;
        INC(at, m);
      END;
    ELSE
      WHILE at < n DO
        m := MIN(ChunkSize, n - at);
        t.get_wide_chars(SUBARRAY(tc16, 0, m), at);
        u.get_wide_chars(SUBARRAY(uc16, 0, m), at);
        FOR i := 0 TO m - 1 DO
          IF tc16[i] < uc16[i] THEN RETURN -1 END;
          IF tc16[i] > uc16[i] THEN RETURN 1 END;
        END;
        INC(at, m);
      END;
    END;
    RETURN 0;
  END CompareFirst;

PROCEDURE Cat(t, u: T): T =
  VAR result: T;
  BEGIN
    IF TextFlat.Is8(u) THEN
      IF TextFlat.Is8(t) THEN
        result := RTMemory.Join(t, u, TextClass.MaxFlat8);
        IF result # NIL THEN RETURN result END;
      ELSE
        TYPECASE t OF
        | TextBuffer.T (buffer) =>
          result := RTMemory.AppendText(buffer, u);
          IF result # NIL THEN RETURN result END;
          RETURN CatToBuffer(buffer, u);
        ELSE
        END;
      END;
    END;
    RETURN TextCat.Join(t, u);
  END Cat;

(* u is flat and narrow. *)
PROCEDURE CatToBuffer(t: TextBuffer.T; u: T): T =
  VAR n := NUMBER(LOOPHOLE(u, Flat8)^) - 1;  result: T := NIL;
  BEGIN
    IF n > 0 THEN
      result := TextBuffer.Append(t, LOOPHOLE(u, ADDRESS) + TextFlat.Header, n);
    END;
    IF result # NIL THEN RETURN result END;
    RETURN TextCat.Join(t, u);
  END CatToBuffer;

CONST
  (* Pieces of flat texts up to this length are copied without asking further (TextSub.New would do
     the same). *)
  ShortPiece = 1024;

PROCEDURE Sub(t: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T =
  VAR n: INTEGER;
  BEGIN
    IF NOT TextFlat.Is8(t) THEN RETURN SubByMethods(t, start, length) END;
    n := NUMBER(LOOPHOLE(t, Flat8)^) - 1;
    IF start >= n OR length = 0 THEN RETURN "" END;
    length := MIN(length, n - start);
    IF length = n THEN RETURN t END;
    IF length > ShortPiece THEN RETURN TextSub.New(t, start, length) END;
    RETURN TextFlat.From8(LOOPHOLE(t, ADDRESS) + (TextFlat.Header + start), length);
  END Sub;

PROCEDURE SubByMethods(t: T; start, length: CARDINAL): T =
  VAR n := Length(t);
  BEGIN
    IF start >= n OR length = 0 THEN RETURN "" END;
    length := MIN(length, n - start);
    IF length = n THEN RETURN t END;
    RETURN TextSub.New(t, start, length);
  END SubByMethods;

CONST
  (* The 64-bit FNV-1a hash; a character below 256 counts as one byte, any other as two, so that the
     hash does not depend on how the text is represented. *)
  HashStart = 16_CBF29CE484222325;
  HashFactor = 16_100000001B3;

PROCEDURE Hash(t: T): Word.T =
  BEGIN
    IF NOT TextFlat.Is8(t) THEN RETURN HashByMethods(t) END;
    RETURN HashBytes(LOOPHOLE(t, ADDRESS) + TextFlat.Header, NUMBER(LOOPHOLE(t, Flat8)^) - 1, HashStart);
  END Hash;

(* The hash of n characters after others whose hash is `hash`. *)
<*INLINE*>
PROCEDURE HashBytes(chars: ADDRESS; n: CARDINAL; hash: Word.T): Word.T =
  BEGIN
    FOR i := 0 TO n - 1 DO
      hash := Word.Times(Word.Xor(hash, ORD(LOOPHOLE(chars + i, TextFlat.Char8)^)), HashFactor);
    END;
    RETURN hash;
  END HashBytes;

PROCEDURE HashByMethods(t: T): Word.T =
  VAR info: TextClass.Info;
  BEGIN
    t.get_info(info);
    IF info.wide THEN RETURN HashOfWide(t, info.length) END;
    IF info.start # NIL THEN RETURN HashBytes(info.start, info.length, HashStart) END;
    RETURN HashOfPieces(t, info.length);
  END HashByMethods;

PROCEDURE HashOfPieces(t: T; length: CARDINAL): Word.T =
  VAR hash: Word.T := HashStart;  at: CARDINAL := 0;  m: CARDINAL;  chunk: Chunk8;
  BEGIN
    WHILE at < length DO
      m := MIN(ChunkSize, length - at);
      t.get_chars(SUBARRAY(chunk, 0, m), at);
      hash := HashBytes(ADR(chunk[0]), m, hash);
      INC(at, m);
    END;
    RETURN hash;
  END HashOfPieces;

PROCEDURE HashOfWide(t: T; length: CARDINAL): Word.T =
  VAR hash: Word.T := HashStart;  at: CARDINAL := 0;  m: CARDINAL;  code: INTEGER;  chunk: Chunk16;
  BEGIN
    WHILE at < length DO
      m := MIN(ChunkSize, length - at);
      t.get_wide_chars(SUBARRAY(chunk, 0, m), at);
      FOR i := 0 TO m - 1 DO
        code := ORD(chunk[i]);
        hash := Word.Times(Word.Xor(hash, Word.And(code, 255)), HashFactor);
        IF code > 255 THEN
          hash := Word.Times(Word.Xor(hash, Word.RightShift(code, 8)), HashFactor);
        END;
      END;
      INC(at, m);
    END;
    RETURN hash;
  END HashOfWide;

PROCEDURE HasWideChars(t: T): BOOLEAN =
  VAR info: TextClass.Info;
  BEGIN
    t.get_info(info);
    RETURN info.wide;
  END HasWideChars;

<*INLINE*>
PROCEDURE GetChar(t: T; i: CARDINAL): CHAR =
  BEGIN
    IF NOT TextFlat.Is8(t) THEN RETURN t.get_char(i) END;
    WITH length = NUMBER(LOOPHOLE(t, Flat8)^) - 1 DO
      IF i >= length THEN RTReport.RaiseSubscript(i, length) END;
    END;
    RETURN LOOPHOLE(LOOPHOLE(t, ADDRESS) + (TextFlat.Header + i), CharRef)^;
  END GetChar;

PROCEDURE GetWideChar(t: T; i: CARDINAL): WIDECHAR =
  BEGIN
    RETURN t.get_wide_char(i);
  END GetWideChar;

PROCEDURE SetChars(VAR a: ARRAY OF CHAR; t: T; start: CARDINAL := 0) =
  BEGIN
    t.get_chars(a, start);
  END SetChars;

PROCEDURE SetWideChars(VAR a: ARRAY OF WIDECHAR; t: T; start: CARDINAL := 0) =
  BEGIN
    t.get_wide_chars(a, start);
  END SetWideChars;

PROCEDURE FromChar(ch: CHAR): T =
  BEGIN
    RETURN TextFlat.From8(ADR(ch), 1);
  END FromChar;

PROCEDURE FromWideChar(ch: WIDECHAR): T =
  VAR result: T;
  BEGIN
    IF ORD(ch) <= ORD(LAST(CHAR)) THEN RETURN FromChar(VAL(ORD(ch), CHAR)) END;
    result := TextFlat.New16(1);
    TextFlat.Chars16(result)[0] := ch;
    RETURN result;
  END FromWideChar;

PROCEDURE FromChars(READONLY a: ARRAY OF CHAR): T =
  BEGIN
    IF NUMBER(a) = 0 THEN RETURN "" END;
    RETURN TextFlat.From8(ADR(a[0]), NUMBER(a));
  END FromChars;

PROCEDURE FromWideChars(READONLY a: ARRAY OF WIDECHAR): T =
  VAR result: T;  wide := FALSE;  to: ADDRESS;  at: CARDINAL := 0;  n: CARDINAL;
  BEGIN
    IF NUMBER(a) = 0 THEN RETURN "" END;
    FOR i := 0 TO LAST(a) DO
      IF ORD(a[i]) > ORD(LAST(CHAR)) THEN wide := TRUE; EXIT END;
    END;
    IF wide THEN
      result := TextFlat.New16(NUMBER(a));
      to := LOOPHOLE(result, ADDRESS) + TextFlat.Header;
      WHILE at < NUMBER(a) DO
        n := MIN(NUMBER(a) - at, TextFlat.Piece);
        SUBARRAY(LOOPHOLE(to + at * BYTESIZE(WIDECHAR), TextFlat.Array16)^, 0, n) := SUBARRAY(a, at, n);
        INC(at, n);
      END;
    ELSE
      result := TextFlat.New8(NUMBER(a));
      to := LOOPHOLE(result, ADDRESS) + TextFlat.Header;
      FOR i := 0 TO LAST(a) DO LOOPHOLE(to + i, TextFlat.Char8)^ := VAL(ORD(a[i]), CHAR) END;
    END;
    RETURN result;
  END FromWideChars;

PROCEDURE FindChar(t: T; c: CHAR; start := 0): INTEGER =
  VAR n, found: INTEGER;  at := MAX(start, 0);
  BEGIN
    IF NOT TextFlat.Is8(t) THEN RETURN FindCharByMethods(t, c, at) END;
    n := NUMBER(LOOPHOLE(t, Flat8)^) - 1;
    IF at >= n THEN RETURN -1 END;
    found := RTMemory.Find(LOOPHOLE(t, ADDRESS) + (TextFlat.Header + at), n - at, ORD(c));
    IF found < 0 THEN RETURN -1 END;
    RETURN at + found;
  END FindChar;

PROCEDURE FindCharByMethods(t: T; c: CHAR; start: CARDINAL): INTEGER =
  VAR info: TextClass.Info;  at := start;  m: CARDINAL;  found: INTEGER;  chunk: Chunk8;
  BEGIN
    t.get_info(info);
    IF info.wide THEN RETURN FindWideChar(t, VAL(ORD(c), WIDECHAR), start) END;
    IF at >= info.length THEN RETURN -1 END;
    IF info.start # NIL THEN
      found := RTMemory.Find(info.start + at, info.length - at, ORD(c));
      IF found < 0 THEN RETURN -1 END;
      RETURN at + found;
    END;
    WHILE at < info.length DO
      m := MIN(ChunkSize, info.length - at);
      t.get_chars(SUBARRAY(chunk, 0, m), at);
      found := RTMemory.Find(ADR(chunk[0]), m, ORD(c));
      IF found >= 0 THEN RETURN at + found END;
      INC(at, m);
    END;
    RETURN -1;
  END FindCharByMethods;

PROCEDURE FindWideChar(t: T; c: WIDECHAR; start := 0): INTEGER =
  VAR n := Length(t);  at: CARDINAL := MAX(start, 0);  m: CARDINAL;  chunk: Chunk16;
  BEGIN
    WHILE at < n DO
      m := MIN(ChunkSize, n - at);
      t.get_wide_chars(SUBARRAY(chunk, 0, m), at);
      FOR i := 0 TO m - 1 DO
        IF chunk[i] = c THEN RETURN at + i END;
      END;
      INC(at, m);
    END;
    RETURN -1;
  END FindWideChar;

PROCEDURE FindCharR(t: T; c: CHAR; start := LAST(INTEGER)): INTEGER =
  BEGIN
    RETURN FindWideCharR(t, VAL(ORD(c), WIDECHAR), start);
  END FindCharR;

PROCEDURE FindWideCharR(t: T; c: WIDECHAR; start := LAST(INTEGER)): INTEGER =
  VAR end: INTEGER := MIN(start, Length(t) - 1) + 1;  from: CARDINAL;  chunk: Chunk16;
  BEGIN
    (* The characters from end on have been searched already, or lie outside the range. *)
    WHILE end > 0 DO
      from := MAX(0, end - ChunkSize);
      t.get_wide_chars(SUBARRAY(chunk, 0, end - from), from);
      FOR i := end - from - 1 TO 0 BY -1 DO
        IF chunk[i] = c THEN RETURN from + i END;
      END;
      end := from;
    END;
    RETURN -1;
  END FindWideCharR;

PROCEDURE ForAllDo(t: TEXT; VisitString: ProcOfString; VisitWideString: ProcOfWideString)
  RAISES ANY =
  VAR info: TextClass.Info;  at: CARDINAL := 0;  m: CARDINAL;  c8: Chunk8;  c16: Chunk16;
  BEGIN
    t.get_info(info);
    WHILE at < info.length DO
      m := MIN(ChunkSize, info.length - at);
      IF info.wide THEN
        t.get_wide_chars(SUBARRAY(c16, 0, m), at);
        VisitWideString(SUBARRAY(c16, 0, m));
      ELSE
        t.get_chars(SUBARRAY(c8, 0, m), at);
        VisitString(SUBARRAY(c8, 0, m));
      END;
      INC(at, m);
    END;
  END ForAllDo;

(* The procedure that the run time calls to print a text that is not flat. *)
PROCEDURE ReadForRuntime(t: TEXT; to: ADDRESS; size: INTEGER): INTEGER =
  VAR n := MIN(Length(t), size);  c: WIDECHAR;
  BEGIN
    WITH chars = LOOPHOLE(to, TextFlat.Array8) DO
      FOR i := 0 TO n - 1 DO
        c := t.get_wide_char(i);
        IF ORD(c) > ORD(LAST(CHAR)) THEN chars[i] := '?' ELSE chars[i] := VAL(ORD(c), CHAR) END;
      END;
    END;
    RETURN n;
  END ReadForRuntime;

BEGIN
  RTMemory.SetTextReader(ReadForRuntime);
END Text.
