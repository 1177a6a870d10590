MODULE JsonReader;

IMPORT Fmt, Hex, Json, JsonNumber, JsonRep, Rd, RdClass, Text, TextConv, UnsafeRd, Utf8, Word;
FROM Json IMPORT Error;
FROM Rd IMPORT Failure;
FROM Thread IMPORT Alerted;

TYPE
  (* What may come next. *)
  State = {
    Value,         (* a value *)
    FirstElement,  (* a value or ] *)
    FirstName,     (* a name or } *)
    Name,          (* a name *)
    Behind,        (* a comma or the end of the array or object *)
    Whole          (* nothing: the document is whole *)
  };

REVEAL
  T = Public BRANDED "JsonReader.T" OBJECT
    rd: Rd.T;
    most, longest, size: CARDINAL;
    first: CARDINAL;   (* the position at which the document begins *)
    many: BOOLEAN;
    state: State;
    failure: TEXT;     (* what has been raised, or NIL *)
    level: CARDINAL;
    objects: REF ARRAY OF BOOLEAN;  (* of each level that is open, whether it is an object *)

    (* Character i of the reader is character i - lineStart + 1 of line `lineNumber`: lineStart also counts the bytes of
       UTF-8 that belong to an earlier one's character. *)
    lineNumber: CARDINAL;
    lineStart: INTEGER;

    (* The first `count` characters of a text that does not lie in the reader's buffer as it is. *)
    chars: REF ARRAY OF CHAR;
    count: CARDINAL;
  OVERRIDES
    init := Init;
    next := Next;
    depth := Depth;
    value := Value;
    skip := Skip;
    fail := Fail;
  END;

CONST
  White = SET OF CHAR{' ', '\t', '\n', '\r'};
  (* These stand for themselves in texts. *)
  Plain = SET OF CHAR{' '..'\177'} - SET OF CHAR{'\"', '\\'};
  OfNumbers = SET OF CHAR{'0'..'9', '+', '-', '.', 'e', 'E'};

PROCEDURE Init(self: T; rd: Rd.T; depth, longest, size: CARDINAL; many: BOOLEAN): T =
  BEGIN
    self.rd := rd;
    self.most := depth;
    self.longest := MIN(longest, size);
    self.size := size;
    self.first := Rd.Index(rd);
    self.many := many;
    self.state := State.Value;
    self.failure := NIL;
    self.level := 0;
    self.objects := NEW(REF ARRAY OF BOOLEAN, 16);
    self.chars := NEW(REF ARRAY OF CHAR, 64);
    self.count := 0;
    self.lineNumber := 1;
    self.lineStart := Rd.Index(rd);
    self.event := Event.End;
    self.line := 1;
    self.column := 1;
    self.text := "";
    RETURN self;
  END Init;

PROCEDURE Depth(self: T): CARDINAL =
  BEGIN
    RETURN self.level;
  END Depth;

PROCEDURE Next(self: T): Event RAISES {Error, Failure, Alerted} =
  BEGIN
    IF self.failure # NIL THEN RAISE Error(self.failure) END;
    LOCK self.rd DO RETURN NextLocked(self) END;
  END Next;

(* The caller of the procedures below has the reader's lock. *)

PROCEDURE Wrong(self: T; why: TEXT; back: INTEGER := 0) RAISES {Error} =
  BEGIN
    self.failure := "line " & Fmt.Int(self.lineNumber) & ", column "
                    & Fmt.Int(self.rd.cur - back - self.lineStart + 1) & ": " & why;
    RAISE Error(self.failure);
  END Wrong;

(* Whether there is a next character, which then lies in the buffer at rd.cur. *)
<*INLINE*>
PROCEDURE Ready(rd: Rd.T): BOOLEAN RAISES {Failure, Alerted} =
  BEGIN
    RETURN rd.cur < rd.hi AND NOT rd.closed OR NOT UnsafeRd.FastEOF(rd);
  END Ready;

(* The next character, which stays. *)
<*INLINE*>
PROCEDURE At(rd: Rd.T): CHAR =
  BEGIN
    RETURN rd.buff[rd.st + rd.cur - rd.lo];
  END At;

(* "'x'", for messages; "the end of the document". *)
PROCEDURE Found(self: T): TEXT RAISES {Failure, Alerted} =
  VAR ch: CHAR;
  BEGIN
    IF NOT Ready(self.rd) THEN RETURN "the end of the document" END;
    ch := At(self.rd);
    IF ch > '\177' THEN RETURN "a character beyond ASCII" END;
    RETURN "'" & TextConv.Encode(Text.FromChar(ch), quoted := FALSE) & "'";
  END Found;

(* Moves to the next character that is no white space; whether there is one. *)
PROCEDURE PassWhite(self: T): BOOLEAN RAISES {Failure, Alerted} =
  VAR rd := self.rd;  ch: CHAR;
  BEGIN
    WHILE Ready(rd) DO
      ch := At(rd);
      IF NOT ch IN White THEN RETURN TRUE END;
      INC(rd.cur);
      IF ch = '\n' THEN
        INC(self.lineNumber);
        self.lineStart := rd.cur;
      END;
    END;
    RETURN FALSE;
  END PassWhite;

PROCEDURE NextLocked(self: T): Event RAISES {Error, Failure, Alerted} =
  VAR rd := self.rd;  more: BOOLEAN;
  BEGIN
    IF self.state = State.Value AND self.level = 0 AND self.event = Event.End THEN PassByteOrderMark(self) END;
    more := PassWhite(self);
    IF self.level > 0 AND rd.cur - self.first > self.size THEN
      Wrong(self, "the document has more than " & Fmt.Int(self.size) & " bytes");
    END;
    IF self.state = State.Behind THEN
      IF more AND At(rd) = ',' THEN
        INC(rd.cur);
        more := PassWhite(self);
        IF self.objects[self.level - 1] THEN self.state := State.Name ELSE self.state := State.Value END;
      ELSIF NOT more OR At(rd) # ']' AND At(rd) # '}' THEN
        Wrong(self, "a comma, or the end of the " & Open(self) & ", must stand here, not " & Found(self));
      END;
    ELSIF self.state = State.Whole THEN
      IF NOT more THEN
        Begin(self, Event.End);
        RETURN self.event;
      END;
      IF NOT self.many THEN Wrong(self, "the document has ended, and " & Found(self) & " follows") END;
      self.state := State.Value;
    ELSIF self.many AND self.level = 0 AND NOT more THEN
      self.state := State.Whole;
      Begin(self, Event.End);
      RETURN self.event;
    END;
    IF NOT more THEN
      IF self.level > 0 THEN Wrong(self, "the document ends within an " & Open(self)) END;
      Wrong(self, "a value must stand here, not the end of the document");
    END;
    IF self.level = 0 THEN self.first := rd.cur END;
    CASE self.state OF
    | State.Name, State.FirstName =>
      IF At(rd) = '\"' THEN
        Begin(self, Event.Name);
        self.text := String(self);
        IF NOT PassWhite(self) OR At(rd) # ':' THEN
          Wrong(self, "a colon must follow the name of a member, not " & Found(self));
        END;
        INC(rd.cur);
        self.state := State.Value;
      ELSIF self.state = State.FirstName AND At(rd) = '}' THEN
        Close(self);
      ELSE
        Wrong(self, "the name of a member in double quotes must stand here, not " & Found(self));
      END;
    | State.Behind =>
      IF (At(rd) = '}') # self.objects[self.level - 1] THEN
        Wrong(self, Found(self) & " does not end an " & Open(self));
      END;
      Close(self);
    ELSE
      IF self.state = State.FirstElement AND At(rd) = ']' THEN Close(self) ELSE BeginValue(self) END;
    END;
    RETURN self.event;
  END NextLocked;

PROCEDURE Open(self: T): TEXT =
  BEGIN
    IF self.objects[self.level - 1] THEN RETURN "object" END;
    RETURN "array";
  END Open;

PROCEDURE PassByteOrderMark(self: T) RAISES {Error, Failure, Alerted} =
  CONST Mark = ARRAY [0..2] OF CHAR{'\357', '\273', '\277'};
  VAR rd := self.rd;
  BEGIN
    IF NOT Ready(rd) OR At(rd) # Mark[0] THEN RETURN END;
    FOR i := 0 TO 2 DO
      IF NOT Ready(rd) OR At(rd) # Mark[i] THEN Wrong(self, "a value must stand here, not " & Found(self)) END;
      INC(rd.cur);
      INC(self.lineStart);
    END;
  END PassByteOrderMark;

PROCEDURE Begin(self: T; event: Event) =
  BEGIN
    self.event := event;
    self.line := self.lineNumber;
    self.column := self.rd.cur - self.lineStart + 1;
  END Begin;

(* A value is behind us. *)
PROCEDURE SetBehind(self: T) =
  BEGIN
    IF self.level = 0 THEN self.state := State.Whole ELSE self.state := State.Behind END;
  END SetBehind;

PROCEDURE Close(self: T) =
  BEGIN
    DEC(self.level);
    IF self.objects[self.level] THEN Begin(self, Event.ObjectEnd) ELSE Begin(self, Event.ArrayEnd) END;
    INC(self.rd.cur);
    SetBehind(self);
  END Close;

PROCEDURE OpenOne(self: T; isObject: BOOLEAN) RAISES {Error} =
  VAR longer: REF ARRAY OF BOOLEAN;
  BEGIN
    IF self.level >= self.most THEN
      Wrong(self, "arrays and objects are nested deeper than " & Fmt.Int(self.most) & " levels");
    END;
    IF self.level = NUMBER(self.objects^) THEN
      longer := NEW(REF ARRAY OF BOOLEAN, 2 * self.level);
      SUBARRAY(longer^, 0, self.level) := self.objects^;
      self.objects := longer;
    END;
    IF isObject THEN
      Begin(self, Event.ObjectStart);
      self.state := State.FirstName;
    ELSE
      Begin(self, Event.ArrayStart);
      self.state := State.FirstElement;
    END;
    self.objects[self.level] := isObject;
    INC(self.level);
    INC(self.rd.cur);
  END OpenOne;

PROCEDURE BeginValue(self: T) RAISES {Error, Failure, Alerted} =
  BEGIN
    CASE At(self.rd) OF
    | '{' => OpenOne(self, TRUE);
    | '[' => OpenOne(self, FALSE);
    | '\"' =>
      Begin(self, Event.Text);
      self.text := String(self);
      SetBehind(self);
    | '-', '0'..'9' =>
      Begin(self, Event.Number);
      self.text := Number(self);
      SetBehind(self);
    | 't' => Literal(self, Event.True, "true");
    | 'f' => Literal(self, Event.False, "false");
    | 'n' => Literal(self, Event.Null, "null");
    ELSE Wrong(self, "a value must stand here, not " & Found(self));
    END;
  END BeginValue;

PROCEDURE Literal(self: T; event: Event; word: TEXT) RAISES {Error, Failure, Alerted} =
  BEGIN
    Begin(self, event);
    FOR i := 0 TO Text.Length(word) - 1 DO
      IF NOT Ready(self.rd) OR At(self.rd) # Text.GetChar(word, i) THEN
        Wrong(self, "a value must stand here; only `true`, `false` and `null` have no quotes", back := i);
      END;
      INC(self.rd.cur);
    END;
    SetBehind(self);
  END Literal;

(* Room in self.chars for n more characters. *)
PROCEDURE Reserve(self: T; n: CARDINAL) RAISES {Error} =
  VAR longer: REF ARRAY OF CHAR;
  BEGIN
    IF n > self.longest OR self.count > self.longest - n THEN
      Wrong(self, "a text or number is longer than " & Fmt.Int(self.longest) & " bytes");
    END;
    IF self.count + n > NUMBER(self.chars^) THEN
      longer := NEW(REF ARRAY OF CHAR, MAX(2 * NUMBER(self.chars^), self.count + n));
      SUBARRAY(longer^, 0, self.count) := SUBARRAY(self.chars^, 0, self.count);
      self.chars := longer;
    END;
  END Reserve;

PROCEDURE Add(self: T; ch: CHAR) RAISES {Error} =
  BEGIN
    Reserve(self, 1);
    self.chars[self.count] := ch;
    INC(self.count);
  END Add;

(* Passes the longest run of characters in `set` that lies in the buffer, and adds it to self.chars; or, if the run is
   not the last one in the buffer and the first one of the text, makes a text of it. NIL: there may be more. *)
PROCEDURE Run(self: T; READONLY set: SET OF CHAR; end: CHAR): TEXT RAISES {Error} =
  VAR rd := self.rd;  start := rd.st + rd.cur - rd.lo;  n: CARDINAL := 0;  ready := rd.hi - rd.cur;  t: TEXT;
  BEGIN
    WITH chars = SUBARRAY(rd.buff^, start, ready) DO
      WHILE n < ready AND chars[n] IN set DO INC(n) END;
      IF n < ready AND chars[n] = end AND self.count = 0 AND n <= self.longest THEN
        t := Text.FromChars(SUBARRAY(chars, 0, n));
        INC(rd.cur, n);
        RETURN t;
      END;
      Reserve(self, n);
      SUBARRAY(self.chars^, self.count, n) := SUBARRAY(chars, 0, n);
    END;
    INC(self.count, n);
    INC(rd.cur, n);
    RETURN NIL;
  END Run;

PROCEDURE Number(self: T): TEXT RAISES {Error, Failure, Alerted} =
  VAR problem: TEXT;  at: CARDINAL;
  BEGIN
    self.count := 0;
    WHILE Ready(self.rd) AND At(self.rd) IN OfNumbers DO EVAL Run(self, OfNumbers, '0') END;
    WITH chars = SUBARRAY(self.chars^, 0, self.count) DO
      problem := JsonNumber.Problem(chars, at);
      IF problem # NIL THEN Wrong(self, problem, back := self.count - at) END;
      RETURN Text.FromChars(chars);
    END;
  END Number;

PROCEDURE String(self: T): TEXT RAISES {Error, Failure, Alerted} =
  VAR rd := self.rd;  t: TEXT;
  BEGIN
    INC(rd.cur);
    self.count := 0;
    WHILE Ready(rd) DO
      t := Run(self, Plain, '\"');
      IF t # NIL THEN
        INC(rd.cur);
        RETURN t;
      END;
      IF Ready(rd) THEN
        CASE At(rd) OF
        | '\"' =>
          INC(rd.cur);
          RETURN Text.FromChars(SUBARRAY(self.chars^, 0, self.count));
        | '\\' => Escape(self);
        | '\200'..'\377' => Bytes(self);
        | '\000'..'\037' =>
          Wrong(self, "a control character must be written as an escape in a text: " & Found(self));
        ELSE  (* the run went on in the next buffer *)
        END;
      END;
    END;
    Wrong(self, "the document ends within a text, which begins at line " & Fmt.Int(self.line) & ", column "
                & Fmt.Int(self.column));
    RETURN NIL;
  END String;

(* A character of several bytes, as RFC 3629 has them. *)
PROCEDURE Bytes(self: T) RAISES {Error, Failure, Alerted} =
  CONST Why = "the text is not UTF-8";
  VAR first := At(self.rd);  more := Utf8.Following(first);  low, high: CHAR;
  BEGIN
    IF more = 0 THEN Wrong(self, Why) END;
    Reserve(self, more + 1);
    Add(self, first);
    INC(self.rd.cur);
    FOR i := 1 TO more DO
      low := '\200';
      high := '\277';
      IF i = 1 THEN Utf8.Second(first, low, high) END;
      IF NOT Ready(self.rd) OR At(self.rd) < low OR high < At(self.rd) THEN Wrong(self, Why, back := 1) END;
      Add(self, At(self.rd));
      INC(self.rd.cur);
      INC(self.lineStart);
    END;
  END Bytes;

PROCEDURE Escape(self: T) RAISES {Error, Failure, Alerted} =
  VAR ch: CHAR;  code: INTEGER;
  BEGIN
    INC(self.rd.cur);
    IF NOT Ready(self.rd) THEN RETURN END;
    ch := At(self.rd);
    CASE ch OF
    | '\"', '\\', '/' => Add(self, ch);
    | 'b' => Add(self, '\010');
    | 'f' => Add(self, '\f');
    | 'n' => Add(self, '\n');
    | 'r' => Add(self, '\r');
    | 't' => Add(self, '\t');
    | 'u' =>
      INC(self.rd.cur);
      code := FourDigits(self);
      IF 16_DC00 <= code AND code <= 16_DFFF THEN
        Wrong(self, "an escape is the second half of a surrogate pair without the first one", back := 6);
      ELSIF 16_D800 <= code AND code <= 16_DBFF THEN
        code := Word.LeftShift(code - 16_D800, 10) + 16_10000 + SecondHalf(self);
      END;
      AddCode(self, code);
      RETURN;
    ELSE Wrong(self, "a backslash may not stand in front of " & Found(self), back := 0);
    END;
    INC(self.rd.cur);
  END Escape;

(* The last ten bits of a surrogate pair, of whose first half we are behind. *)
PROCEDURE SecondHalf(self: T): INTEGER RAISES {Error, Failure, Alerted} =
  CONST Why = "an escape is the first half of a surrogate pair without the second one";
  VAR code: INTEGER;
  BEGIN
    FOR i := 0 TO 1 DO
      IF NOT Ready(self.rd) OR At(self.rd) # ARRAY [0..1] OF CHAR{'\\', 'u'}[i] THEN
        Wrong(self, Why, back := 6 + i);
      END;
      INC(self.rd.cur);
    END;
    code := FourDigits(self);
    IF code < 16_DC00 OR 16_DFFF < code THEN Wrong(self, Why, back := 12) END;
    RETURN code - 16_DC00;
  END SecondHalf;

PROCEDURE FourDigits(self: T): INTEGER RAISES {Error, Failure, Alerted} =
  VAR code := 0;  digit: INTEGER;
  BEGIN
    FOR i := 1 TO 4 DO
      digit := -1;
      IF Ready(self.rd) THEN digit := Hex.Value(At(self.rd)) END;
      IF digit < 0 THEN Wrong(self, "four hexadecimal digits must follow \\u, not " & Found(self)) END;
      code := 16 * code + digit;
      INC(self.rd.cur);
    END;
    RETURN code;
  END FourDigits;

(* As UTF-8. *)
PROCEDURE AddCode(self: T; code: CARDINAL) RAISES {Error} =
  VAR bytes: ARRAY [0..3] OF CHAR;  n: CARDINAL := 0;
  BEGIN
    Utf8.Put(code, bytes, n);
    FOR i := 0 TO n - 1 DO Add(self, bytes[i]) END;
  END AddCode;

(* The caller of the following ones has no lock. *)

PROCEDURE Skip(self: T) RAISES {Error, Failure, Alerted} =
  VAR level: CARDINAL;
  BEGIN
    IF self.event = Event.Name THEN EVAL self.next() END;
    IF self.event = Event.ObjectStart OR self.event = Event.ArrayStart THEN
      level := self.level - 1;
      REPEAT EVAL self.next() UNTIL self.level = level;
    ELSE
      CheckBegins(self);
    END;
  END Skip;

PROCEDURE CheckBegins(self: T) =
  BEGIN
    <*ASSERT self.event # Event.ObjectEnd AND self.event # Event.ArrayEnd AND self.event # Event.End,
             "the last event begins no value"*>
  END CheckBegins;

PROCEDURE Value(self: T; duplicates: Json.Duplicates): Json.T RAISES {Error, Failure, Alerted} =
  VAR
    open := NEW(REF ARRAY OF Json.T, 8);  (* the first `count`: the arrays and objects that have not ended *)
    count: CARDINAL := 0;
    longer: REF ARRAY OF Json.T;
    value: Json.T;
    name: TEXT;
  BEGIN
    IF self.event = Event.Name THEN EVAL self.next() END;
    CheckBegins(self);
    LOOP
      value := NIL;
      CASE self.event OF
      | Event.ObjectStart => value := Json.Object();
      | Event.ArrayStart => value := Json.Array();
      | Event.Text => value := Json.Text(self.text);
      | Event.Number => value := JsonRep.NumberOf(self.text);
      | Event.True => value := Json.Bool(TRUE);
      | Event.False => value := Json.Bool(FALSE);
      | Event.Null => value := Json.Null();
      | Event.Name =>
        name := self.text;
        IF duplicates = Json.Duplicates.Refused AND open[count - 1].get(name) # NIL THEN
          self.fail("the object already has a member " & TextConv.Encode(name));
        END;
      | Event.ObjectEnd, Event.ArrayEnd =>
        DEC(count);
        IF count = 0 THEN RETURN open[0] END;
      | Event.End => <*ASSERT FALSE*>
      END;
      IF value # NIL THEN
        IF count > 0 THEN
          WITH around = open[count - 1] DO
            IF around.kind() = Json.Kind.Object THEN around.put(name, value) ELSE around.add(value) END;
          END;
        END;
        IF self.event = Event.ObjectStart OR self.event = Event.ArrayStart THEN
          IF count = NUMBER(open^) THEN
            longer := NEW(REF ARRAY OF Json.T, 2 * count);
            SUBARRAY(longer^, 0, count) := open^;
            open := longer;
          END;
          open[count] := value;
          INC(count);
        ELSIF count = 0 THEN
          RETURN value;
        END;
      END;
      EVAL self.next();
    END;
  END Value;

PROCEDURE Fail(self: T; why: TEXT) RAISES {Error} =
  BEGIN
    RAISE Error("line " & Fmt.Int(self.line) & ", column " & Fmt.Int(self.column) & ": " & why);
  END Fail;

BEGIN
END JsonReader.
