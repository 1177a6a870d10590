MODULE Csv;

IMPORT FloatMode, Fmt, Lex, Rd, RdClass, Scan, Text, TextConv, TextRep, Texts, Thread, UnsafeRd, Wr;
FROM Thread IMPORT Alerted;

REVEAL
  Reader = ReaderPublic BRANDED "Csv.Reader" OBJECT
    rd: Rd.T;
    separator: CHAR;
    plain: SET OF CHAR;  (* stand for themselves in fields without quotes *)
    ragged: BOOLEAN;
    longest: CARDINAL;
    width: INTEGER;      (* the number of fields of the first row, or -1 *)
    names: Texts.Array;  (* of the columns, or NIL *)
    lineNumber, first: CARDINAL;  (* of the next character; of the row *)
    passNewline: BOOLEAN;         (* the last row has ended with a carriage return *)

    (* The fields one behind the other: field i is chars[ends[i - 1]] .. chars[ends[i] - 1]. *)
    chars: REF ARRAY OF CHAR;
    length: CARDINAL;
    ends: REF ARRAY OF CARDINAL;
    fields: CARDINAL;
  OVERRIDES
    init := InitReader;
    next := Next;
    header := Header;
    column := Column;
    count := Count;
    line := Line;
    get := Get;
    getInt := GetInt;
    getLongReal := GetLongReal;
    getChars := GetChars;
    fail := Fail;
  END;

PROCEDURE InitReader(self: Reader; rd: Rd.T; separator: CHAR; ragged: BOOLEAN; longest: CARDINAL): Reader =
  BEGIN
    <*ASSERT separator # '\"' AND separator # '\r' AND separator # '\n', "this character cannot separate fields"*>
    self.rd := rd;
    self.separator := separator;
    self.plain := SET OF CHAR{FIRST(CHAR)..LAST(CHAR)} - SET OF CHAR{separator, '\"', '\r', '\n'};
    self.ragged := ragged;
    self.longest := longest;
    self.width := -1;
    self.names := NIL;
    self.lineNumber := 1;
    self.first := 1;
    self.passNewline := FALSE;
    self.chars := NEW(REF ARRAY OF CHAR, 256);
    self.length := 0;
    self.ends := NEW(REF ARRAY OF CARDINAL, 16);
    self.fields := 0;
    RETURN self;
  END InitReader;

PROCEDURE Next(self: Reader): BOOLEAN RAISES {Error, Rd.Failure, Alerted} =
  BEGIN
    LOCK self.rd DO
      IF NOT ReadRow(self) THEN RETURN FALSE END;
    END;
    IF self.width < 0 THEN self.width := self.fields END;
    IF NOT self.ragged AND self.fields # self.width THEN
      Fail(self, "the row has " & Fmt.Int(self.fields) & " fields, and the first one " & Fmt.Int(self.width));
    END;
    RETURN TRUE;
  END Next;

(* The caller of the procedures below has the reader's lock. *)

<*INLINE*>
PROCEDURE Ready(rd: Rd.T): BOOLEAN RAISES {Rd.Failure, Alerted} =
  BEGIN
    RETURN rd.cur < rd.hi AND NOT rd.closed OR NOT UnsafeRd.FastEOF(rd);
  END Ready;

<*INLINE*>
PROCEDURE At(rd: Rd.T): CHAR =
  BEGIN
    RETURN rd.buff[rd.st + rd.cur - rd.lo];
  END At;

PROCEDURE Wrong(self: Reader; line: CARDINAL; why: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error("line " & Fmt.Int(line) & ", field " & Fmt.Int(self.fields) & ": " & why);
  END Wrong;

PROCEDURE ReadRow(self: Reader): BOOLEAN RAISES {Error, Rd.Failure, Alerted} =
  VAR rd := self.rd;  ch: CHAR;
  BEGIN
    self.fields := 0;
    self.length := 0;
    IF self.passNewline THEN
      self.passNewline := FALSE;
      IF Ready(rd) AND At(rd) = '\n' THEN INC(rd.cur) END;
    END;
    self.first := self.lineNumber;
    IF NOT Ready(rd) THEN RETURN FALSE END;
    IF At(rd) = '\r' OR At(rd) = '\n' THEN
      EndLine(self);
      RETURN TRUE;
    END;
    LOOP
      IF Ready(rd) AND At(rd) = '\"' THEN
        Quoted(self);
      ELSE
        WHILE Ready(rd) AND At(rd) IN self.plain DO Run(self, self.plain) END;
      END;
      EndField(self);
      IF NOT Ready(rd) THEN RETURN TRUE END;
      ch := At(rd);
      IF ch = self.separator THEN
        INC(rd.cur);
      ELSIF ch = '\r' OR ch = '\n' THEN
        EndLine(self);
        RETURN TRUE;
      ELSE
        DEC(self.fields);
        IF ch = '\"' THEN
          Wrong(self, self.lineNumber, "a double quote in a field without quotes around it");
        END;
        Wrong(self, self.lineNumber,
              "a separator or the end of the line must follow the double quote that ends a field");
      END;
    END;
  END ReadRow;

(* Behind a character that ends a line. *)
PROCEDURE EndLine(self: Reader) =
  BEGIN
    self.passNewline := At(self.rd) = '\r';
    INC(self.rd.cur);
    INC(self.lineNumber);
  END EndLine;

PROCEDURE EndField(self: Reader) =
  VAR longer: REF ARRAY OF CARDINAL;
  BEGIN
    IF self.fields = NUMBER(self.ends^) THEN
      longer := NEW(REF ARRAY OF CARDINAL, 2 * self.fields);
      SUBARRAY(longer^, 0, self.fields) := self.ends^;
      self.ends := longer;
    END;
    self.ends[self.fields] := self.length;
    INC(self.fields);
  END EndField;

(* Adds n characters from rd.cur on, which lie in the buffer. *)
PROCEDURE Add(self: Reader; n: CARDINAL) RAISES {Error} =
  VAR rd := self.rd;  longer: REF ARRAY OF CHAR;
  BEGIN
    IF n > self.longest - self.length THEN
      Wrong(self, self.lineNumber, "the row has more than " & Fmt.Int(self.longest) & " characters");
    END;
    IF self.length + n > NUMBER(self.chars^) THEN
      longer := NEW(REF ARRAY OF CHAR, MAX(2 * NUMBER(self.chars^), self.length + n));
      SUBARRAY(longer^, 0, self.length) := SUBARRAY(self.chars^, 0, self.length);
      self.chars := longer;
    END;
    SUBARRAY(self.chars^, self.length, n) := SUBARRAY(rd.buff^, rd.st + rd.cur - rd.lo, n);
    INC(self.length, n);
    INC(rd.cur, n);
  END Add;

(* Adds the longest run of characters in the set that lies in the buffer. *)
PROCEDURE Run(self: Reader; READONLY set: SET OF CHAR) RAISES {Error} =
  VAR rd := self.rd;  start := rd.st + rd.cur - rd.lo;  n: CARDINAL := 0;  ready := rd.hi - rd.cur;
  BEGIN
    WITH chars = SUBARRAY(rd.buff^, start, ready) DO
      WHILE n < ready AND chars[n] IN set DO INC(n) END;
    END;
    Add(self, n);
  END Run;

(* A field in quotes. *)
PROCEDURE Quoted(self: Reader) RAISES {Error, Rd.Failure, Alerted} =
  CONST Inner = SET OF CHAR{FIRST(CHAR)..LAST(CHAR)} - SET OF CHAR{'\"', '\r', '\n'};
  VAR rd := self.rd;  start := self.lineNumber;  last := '\"';
  BEGIN
    INC(rd.cur);
    LOOP
      IF NOT Ready(rd) THEN Wrong(self, start, "the double quotes around a field are not closed") END;
      CASE At(rd) OF
      | '\"' =>
        INC(rd.cur);
        IF NOT Ready(rd) OR At(rd) # '\"' THEN RETURN END;
        Add(self, 1);
        last := '\"';
      | '\r', '\n' =>
        (* A newline behind a carriage return belongs to the same end of a line. *)
        IF At(rd) # '\n' OR last # '\r' THEN INC(self.lineNumber) END;
        last := At(rd);
        Add(self, 1);
      ELSE
        Run(self, Inner);
        last := ' ';
      END;
    END;
  END Quoted;

(* The callers of the following ones have no lock. *)

PROCEDURE Header(self: Reader): BOOLEAN RAISES {Error, Rd.Failure, Alerted} =
  BEGIN
    IF NOT self.next() THEN RETURN FALSE END;
    self.names := NEW(Texts.Array, self.fields);
    FOR i := 0 TO LAST(self.names^) DO self.names[i] := self.get(i) END;
    RETURN TRUE;
  END Header;

PROCEDURE Column(self: Reader; name: TEXT): CARDINAL RAISES {Error} =
  BEGIN
    IF self.names = NIL THEN
      RAISE Error("no header has been read that could name a column " & TextConv.Encode(name));
    END;
    FOR i := 0 TO LAST(self.names^) DO
      IF Text.Equal(self.names[i], name) THEN RETURN i END;
    END;
    RAISE Error("the header has no column " & TextConv.Encode(name) & ", but " & Texts.Join(self.names^, ", "));
  END Column;

PROCEDURE Count(self: Reader): CARDINAL = BEGIN RETURN self.fields END Count;
PROCEDURE Line(self: Reader): CARDINAL = BEGIN RETURN self.first END Line;

(* Where field i begins. *)
PROCEDURE StartOf(self: Reader; i: CARDINAL): CARDINAL RAISES {Error} =
  BEGIN
    IF i >= self.fields THEN
      Fail(self, "there is no field " & Fmt.Int(i) & " in a row of " & Fmt.Int(self.fields));
    END;
    IF i = 0 THEN RETURN 0 END;
    RETURN self.ends[i - 1];
  END StartOf;

PROCEDURE Get(self: Reader; i: CARDINAL): TEXT RAISES {Error} =
  VAR start := StartOf(self, i);
  BEGIN
    RETURN Text.FromChars(SUBARRAY(self.chars^, start, self.ends[i] - start));
  END Get;

PROCEDURE GetChars(self: Reader; i: CARDINAL; VAR a: ARRAY OF CHAR): CARDINAL RAISES {Error} =
  VAR start := StartOf(self, i);  n := MIN(self.ends[i] - start, NUMBER(a));
  BEGIN
    SUBARRAY(a, 0, n) := SUBARRAY(self.chars^, start, n);
    RETURN self.ends[i] - start;
  END GetChars;

PROCEDURE Fail(self: Reader; why: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error("line " & Fmt.Int(self.first) & ": " & why);
  END Fail;

PROCEDURE WrongField(self: Reader; i: CARDINAL; wanted: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error("line " & Fmt.Int(self.first) & ", field " & Fmt.Int(i) & ": " & TextConv.Encode(self.get(i))
                & " is not " & wanted);
  END WrongField;

PROCEDURE GetInt(self: Reader; i: CARDINAL): INTEGER RAISES {Error} =
  BEGIN
    TRY
      RETURN Scan.Int(self.get(i));
    EXCEPT
    | Lex.Error => WrongField(self, i, "an integer");
    | FloatMode.Trap => WrongField(self, i, "an integer that fits INTEGER");
    END;
    RETURN 0;
  END GetInt;

PROCEDURE GetLongReal(self: Reader; i: CARDINAL): LONGREAL RAISES {Error} =
  BEGIN
    TRY
      RETURN Scan.LongReal(self.get(i));
    EXCEPT
    | Lex.Error => WrongField(self, i, "a number");
    | FloatMode.Trap => WrongField(self, i, "a number that fits LONGREAL");
    END;
    RETURN 0.0D0;
  END GetLongReal;

REVEAL
  Writer = WriterPublic BRANDED "Csv.Writer" OBJECT
    wr: Wr.T;
    separator: CHAR;
    lineEnd: TEXT;
  OVERRIDES
    init := InitWriter;
    put := Put;
  END;

PROCEDURE InitWriter(self: Writer; wr: Wr.T; separator: CHAR; lineEnd: TEXT): Writer =
  BEGIN
    self.wr := wr;
    self.separator := separator;
    self.lineEnd := lineEnd;
    RETURN self;
  END InitWriter;

PROCEDURE Put(self: Writer; READONLY fields: ARRAY OF TEXT) RAISES {Wr.Failure, Thread.Alerted} =
  VAR needQuotes := SET OF CHAR{self.separator, '\"', '\r', '\n'};
  BEGIN
    FOR i := 0 TO LAST(fields) DO
      IF i > 0 THEN Wr.PutChar(self.wr, self.separator) END;
      WITH chars = TextRep.Chars(fields[i]),
           quoted = NUMBER(fields) = 1 AND NUMBER(chars^) = 0 OR Has(chars^, needQuotes) DO
        IF quoted THEN
          Wr.PutChar(self.wr, '\"');
          FOR k := 0 TO LAST(chars^) DO
            IF chars[k] = '\"' THEN Wr.PutChar(self.wr, '\"') END;
            Wr.PutChar(self.wr, chars[k]);
          END;
          Wr.PutChar(self.wr, '\"');
        ELSE
          Wr.PutString(self.wr, chars^);
        END;
      END;
    END;
    Wr.PutText(self.wr, self.lineEnd);
  END Put;

PROCEDURE Has(READONLY chars: ARRAY OF CHAR; READONLY set: SET OF CHAR): BOOLEAN =
  BEGIN
    FOR i := 0 TO LAST(chars) DO
      IF chars[i] IN set THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Has;

BEGIN
END Csv.
