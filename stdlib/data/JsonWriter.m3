MODULE JsonWriter;

IMPORT Fmt, Hex, Json, Text, TextConv, TextRep, Utf8, Wr;
FROM Json IMPORT Error;
FROM Thread IMPORT Alerted;
FROM Wr IMPORT Failure;

TYPE
  (* An array or object that is open. *)
  Level = RECORD
    isObject: BOOLEAN;
    empty := TRUE;
    named := FALSE;  (* a name has been written whose value has not *)
  END;

REVEAL
  T = Public BRANDED "JsonWriter.T" OBJECT
    wr: Wr.T;
    indent: CARDINAL;
    count: CARDINAL;           (* of open levels *)
    open: REF ARRAY OF Level;
    any: BOOLEAN;              (* a value has been written outside of arrays and objects *)
  OVERRIDES
    init := Init;
    beginObject := BeginObject;
    endObject := EndObject;
    beginArray := BeginArray;
    endArray := EndArray;
    name := Name;
    text := PutText;
    int := Int;
    bool := Bool;
    null := Null;
    longReal := LongReal;
    number := Number;
    value := Value;
    depth := Depth;
  END;

PROCEDURE Init(self: T; wr: Wr.T; indent: CARDINAL): T =
  BEGIN
    self.wr := wr;
    self.indent := indent;
    self.count := 0;
    self.open := NEW(REF ARRAY OF Level, 8);
    self.any := FALSE;
    RETURN self;
  END Init;

PROCEDURE Depth(self: T): CARDINAL =
  BEGIN
    RETURN self.count;
  END Depth;

(* What stands in front of an element or a name. *)
PROCEDURE Separate(self: T; VAR level: Level) RAISES {Failure, Alerted} =
  BEGIN
    IF NOT level.empty THEN Wr.PutChar(self.wr, ',') END;
    level.empty := FALSE;
    NewLine(self);
  END Separate;

PROCEDURE NewLine(self: T) RAISES {Failure, Alerted} =
  BEGIN
    IF self.indent > 0 THEN
      Wr.PutChar(self.wr, '\n');
      FOR i := 1 TO self.indent * self.count DO Wr.PutChar(self.wr, ' ') END;
    END;
  END NewLine;

(* What stands in front of a value. *)
PROCEDURE BeforeValue(self: T) RAISES {Failure, Alerted} =
  BEGIN
    IF self.count = 0 THEN
      IF self.any THEN Wr.PutChar(self.wr, '\n') END;
      self.any := TRUE;
    ELSE
      WITH level = self.open[self.count - 1] DO
        IF level.isObject THEN
          <*ASSERT level.named, "a value in an object must have a name"*>
          level.named := FALSE;
        ELSE
          Separate(self, level);
        END;
      END;
    END;
  END BeforeValue;

PROCEDURE Begin(self: T; isObject: BOOLEAN) RAISES {Failure, Alerted} =
  CONST Brackets = ARRAY BOOLEAN OF CHAR{'[', '{'};
  VAR longer: REF ARRAY OF Level;
  BEGIN
    BeforeValue(self);
    IF self.count = NUMBER(self.open^) THEN
      longer := NEW(REF ARRAY OF Level, 2 * self.count);
      SUBARRAY(longer^, 0, self.count) := self.open^;
      self.open := longer;
    END;
    self.open[self.count] := Level{isObject};
    INC(self.count);
    Wr.PutChar(self.wr, Brackets[isObject]);
  END Begin;

PROCEDURE End(self: T; isObject: BOOLEAN) RAISES {Failure, Alerted} =
  CONST Brackets = ARRAY BOOLEAN OF CHAR{']', '}'};
  BEGIN
    <*ASSERT self.count > 0 AND self.open[self.count - 1].isObject = isObject
             AND NOT self.open[self.count - 1].named, "there is no such array or object to end here"*>
    DEC(self.count);
    IF NOT self.open[self.count].empty THEN NewLine(self) END;
    Wr.PutChar(self.wr, Brackets[isObject]);
  END End;

PROCEDURE BeginObject(self: T) RAISES {Failure, Alerted} = BEGIN Begin(self, TRUE) END BeginObject;
PROCEDURE EndObject(self: T) RAISES {Failure, Alerted} = BEGIN End(self, TRUE) END EndObject;
PROCEDURE BeginArray(self: T) RAISES {Failure, Alerted} = BEGIN Begin(self, FALSE) END BeginArray;
PROCEDURE EndArray(self: T) RAISES {Failure, Alerted} = BEGIN End(self, FALSE) END EndArray;

PROCEDURE Name(self: T; t: TEXT) RAISES {Error, Failure, Alerted} =
  VAR quoted := Quoted(t);
  BEGIN
    <*ASSERT self.count > 0 AND self.open[self.count - 1].isObject
             AND NOT self.open[self.count - 1].named, "a name may only stand in an object, before a value"*>
    Separate(self, self.open[self.count - 1]);
    self.open[self.count - 1].named := TRUE;
    Wr.PutString(self.wr, quoted^);
    Wr.PutChar(self.wr, ':');
    IF self.indent > 0 THEN Wr.PutChar(self.wr, ' ') END;
  END Name;

PROCEDURE PutText(self: T; t: TEXT) RAISES {Error, Failure, Alerted} =
  VAR quoted := Quoted(t);
  BEGIN
    BeforeValue(self);
    Wr.PutString(self.wr, quoted^);
  END PutText;

(* t as JSON has it. *)
PROCEDURE Quoted(t: TEXT): REF ARRAY OF CHAR RAISES {Error} =
  VAR chars, out: REF ARRAY OF CHAR;  n, at: CARDINAL;

  PROCEDURE Escape(ch: CHAR) =
    BEGIN
      out[at] := '\\';
      out[at + 1] := ch;
      INC(at, 2);
    END Escape;

  BEGIN
    IF NOT TextRep.IsNarrow(t) THEN
      WITH alone = Utf8.FirstUnpaired(t) DO
        IF alone >= 0 THEN
          RAISE Error("a text is not UTF-16: character " & Fmt.Int(alone) & " is half of a surrogate pair");
        END;
      END;
      t := Utf8.FromWide(t);
    ELSE
      WITH wrong = Utf8.FirstInvalid(t) DO
        IF wrong >= 0 THEN
          RAISE Error("byte " & Fmt.Int(wrong) & " of a text is not UTF-8: "
                      & TextConv.Encode(Text.Sub(t, MAX(wrong - 40, 0), MIN(wrong, 40) + 4)));
        END;
      END;
    END;
    chars := TextRep.Chars(t);
    n := NUMBER(chars^) + 2;
    FOR i := 0 TO LAST(chars^) DO
      CASE chars[i] OF
      | '\"', '\\', '\010', '\f', '\n', '\r', '\t' => INC(n);
      | '\000'..'\007', '\013', '\016'..'\037' => INC(n, 5);
      ELSE
      END;
    END;
    out := NEW(REF ARRAY OF CHAR, n);
    out[0] := '\"';
    at := 1;
    FOR i := 0 TO LAST(chars^) DO
      WITH ch = chars[i] DO
        CASE ch OF
        | '\"', '\\' => Escape(ch);
        | '\010' => Escape('b');
        | '\f' => Escape('f');
        | '\n' => Escape('n');
        | '\r' => Escape('r');
        | '\t' => Escape('t');
        | '\000'..'\007', '\013', '\016'..'\037' =>
          Escape('u');
          out[at] := '0';
          out[at + 1] := '0';
          out[at + 2] := Hex.Digits[ORD(ch) DIV 16];
          out[at + 3] := Hex.Digits[ORD(ch) MOD 16];
          INC(at, 4);
        ELSE
          out[at] := ch;
          INC(at);
        END;
      END;
    END;
    out[at] := '\"';
    RETURN out;
  END Quoted;

PROCEDURE Plain(self: T; t: TEXT) RAISES {Failure, Alerted} =
  BEGIN
    BeforeValue(self);
    Wr.PutText(self.wr, t);
  END Plain;

PROCEDURE Int(self: T; n: INTEGER) RAISES {Failure, Alerted} =
  BEGIN
    Plain(self, Fmt.Int(n));
  END Int;

PROCEDURE Bool(self: T; b: BOOLEAN) RAISES {Failure, Alerted} =
  CONST Words = ARRAY BOOLEAN OF TEXT{"false", "true"};
  BEGIN
    Plain(self, Words[b]);
  END Bool;

PROCEDURE Null(self: T) RAISES {Failure, Alerted} =
  BEGIN
    Plain(self, "null");
  END Null;

PROCEDURE LongReal(self: T; x: LONGREAL) RAISES {Error, Failure, Alerted} =
  BEGIN
    Plain(self, LongRealDigits(x));
  END LongReal;

PROCEDURE LongRealDigits(x: LONGREAL): TEXT RAISES {Error} =
  BEGIN
    IF x - x # 0.0D0 THEN RAISE Error("JSON has no number for " & Fmt.LongReal(x)) END;
    RETURN Fmt.LongReal(x);
  END LongRealDigits;

PROCEDURE Number(self: T; digits: TEXT) RAISES {Error, Failure, Alerted} =
  BEGIN
    Plain(self, Json.Number(digits).number());
  END Number;

PROCEDURE Value(self: T; v: Json.T) RAISES {Error, Failure, Alerted} =
  BEGIN
    CASE v.kind() OF
    | Json.Kind.Null => Null(self);
    | Json.Kind.Boolean => Bool(self, v.bool());
    | Json.Kind.Number => Plain(self, v.number());
    | Json.Kind.Text => PutText(self, v.text());
    | Json.Kind.Array =>
      Begin(self, FALSE);
      FOR i := 0 TO v.size() - 1 DO Value(self, v.at(i)) END;
      End(self, FALSE);
    | Json.Kind.Object =>
      Begin(self, TRUE);
      FOR i := 0 TO v.size() - 1 DO
        Name(self, v.nameAt(i));
        Value(self, v.at(i));
      END;
      End(self, TRUE);
    END;
  END Value;

BEGIN
END JsonWriter.
