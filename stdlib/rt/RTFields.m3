UNSAFE MODULE RTFields;

IMPORT M3toC, RTLayout, RTTypes, Text, TextRep, Word;

(* These follow abi/type_descriptor.h. *)
CONST
  CountAt = 44;   (* TypeDescriptor.field_count and fields *)
  FieldsAt = 64;
  CodeAt = 8;     (* TypeDescriptor.typecode *)

TYPE
  Half = BITS 32 FOR [0..16_FFFFFFFF];
  Descriptor = RECORD  (* FieldDescriptor *)
    name, type, value: ADDRESS;
    bitOffset, bits: Half;
    referents: ADDRESS;
    referentCount, reserved: Half;
  END;

VAR
  mutex := NEW(MUTEX);
  known: REF ARRAY OF Fields := NIL;  (* by typecode; guarded by mutex *)

PROCEDURE Of(typecode: INTEGER): Fields =
  BEGIN
    LOCK mutex DO
      IF known = NIL THEN known := NEW(REF ARRAY OF Fields, RTLayout.TypeCount()) END;
      IF known[typecode] = NIL THEN known[typecode] := Read(typecode) END;
      RETURN known[typecode];
    END;
  END Of;

PROCEDURE Read(typecode: INTEGER): Fields =
  VAR
    type := RTTypes.Descriptor(typecode);
    fields := NEW(Fields, LOOPHOLE(type + CountAt, UNTRACED REF Half)^);
    first := LOOPHOLE(type + FieldsAt, UNTRACED REF ADDRESS)^;
  BEGIN
    FOR i := 0 TO LAST(fields^) DO
      WITH d = LOOPHOLE(first + i * BYTESIZE(Descriptor), UNTRACED REF Descriptor) DO
        fields[i].name := M3toC.CopyStoT(d.name);
        fields[i].offset := d.bitOffset DIV 8;
        fields[i].type := TypeOf(d^);
      END;
    END;
    RETURN fields;
  END Read;

EXCEPTION Unknown;

PROCEDURE TypeOf(READONLY d: Descriptor): Type =
  VAR text := M3toC.CopyStoT(d.type);  type: Type;  parser: Parser;
  BEGIN
    IF d.value = NIL THEN
      parser.chars := TextRep.Chars(text);
    ELSE
      parser.chars := TextRep.Chars(M3toC.CopyStoT(d.value));
    END;
    parser.referents := d.referents;
    parser.left := d.referentCount;
    TRY
      type := Parse(parser);
      IF type.kind = Kind.Reference AND d.referentCount = 0 THEN type.kind := Kind.Left END;
      (* What does not add up has not been understood. *)
      IF type.kind # Kind.Left
         AND (parser.left # 0 OR parser.at # NUMBER(parser.chars^) OR type.bytes * 8 # d.bits) THEN
        RAISE Unknown;
      END;
    EXCEPT
    | Unknown => type := NEW(Type, kind := Kind.Other);
    END;
    type.text := text;
    RETURN type;
  END TypeOf;

(* Types are written as compiler/lower/type_info.cc writes them: with everything but references expanded. *)
TYPE
  Parser = RECORD
    chars: REF ARRAY OF CHAR := NIL;
    at: CARDINAL := 0;
    referents: ADDRESS := NIL;  (* of the next reference *)
    left: CARDINAL := 0;        (* the number of those that are left *)
    skipping := FALSE;          (* within the type behind REF, whose references are not among them *)
  END;

CONST
  Letters = SET OF CHAR{'A'..'Z', 'a'..'z', '0'..'9', '_', '.'};

PROCEDURE Is(READONLY p: Parser; t: TEXT): BOOLEAN =
  VAR n := Text.Length(t);
  BEGIN
    RETURN p.at + n <= NUMBER(p.chars^) AND Text.Equal(Text.FromChars(SUBARRAY(p.chars^, p.at, n)), t);
  END Is;

PROCEDURE Blanks(VAR p: Parser) =
  BEGIN
    WHILE p.at < NUMBER(p.chars^) AND p.chars[p.at] = ' ' DO INC(p.at) END;
  END Blanks;

(* Passes t, if it stands there. *)
PROCEDURE Took(VAR p: Parser; t: TEXT): BOOLEAN =
  BEGIN
    IF NOT Is(p, t) THEN RETURN FALSE END;
    INC(p.at, Text.Length(t));
    Blanks(p);
    RETURN TRUE;
  END Took;

PROCEDURE Need(VAR p: Parser; t: TEXT) RAISES {Unknown} =
  BEGIN
    IF NOT Took(p, t) THEN RAISE Unknown END;
  END Need;

(* A name, with the points of a qualified one; "" if there is none. *)
PROCEDURE Name(VAR p: Parser): TEXT =
  VAR start := p.at;  end: CARDINAL;
  BEGIN
    WHILE p.at < NUMBER(p.chars^) AND p.chars[p.at] IN Letters AND NOT Is(p, "..") DO INC(p.at) END;
    end := p.at;
    Blanks(p);
    RETURN Text.FromChars(SUBARRAY(p.chars^, start, end - start));
  END Name;

PROCEDURE Parse(VAR p: Parser): Type RAISES {Unknown} =
  VAR name: TEXT;
  BEGIN
    IF Is(p, "[") THEN RETURN Subrange(p) END;
    IF Is(p, "{") THEN RETURN Enumeration(p) END;
    IF Is(p, "<*") THEN RETURN NEW(Type, kind := Kind.Left, bytes := 8, alignment := 8) END;
    name := Name(p);
    IF Text.Empty(name) THEN RAISE Unknown END;
    IF Text.Equal(name, "INTEGER") OR Text.Equal(name, "LONGINT") THEN
      RETURN Sized(NEW(Type, kind := Kind.Integer, low := FIRST(INTEGER), high := LAST(INTEGER)), 8);
    ELSIF Text.Equal(name, "CARDINAL") OR Text.Equal(name, "LONGCARD") THEN
      RETURN Sized(NEW(Type, kind := Kind.Integer, low := 0, high := LAST(INTEGER)), 8);
    ELSIF Text.Equal(name, "BOOLEAN") THEN
      RETURN NEW(Type, kind := Kind.Boolean, high := 1);
    ELSIF Text.Equal(name, "CHAR") THEN
      RETURN NEW(Type, kind := Kind.Character, high := ORD(LAST(CHAR)));
    ELSIF Text.Equal(name, "WIDECHAR") THEN
      RETURN Sized(NEW(Type, kind := Kind.Character, high := ORD(LAST(WIDECHAR))), 2);
    ELSIF Text.Equal(name, "REAL") THEN
      RETURN Sized(NEW(Type, kind := Kind.Real), 4);
    ELSIF Text.Equal(name, "LONGREAL") OR Text.Equal(name, "EXTENDED") THEN
      RETURN Sized(NEW(Type, kind := Kind.LongReal), 8);
    ELSIF Text.Equal(name, "ADDRESS") OR Text.Equal(name, "UNTRACED") OR Text.Equal(name, "PROCEDURE") THEN
      (* Within a record the rest of it would have to be read. *)
      IF p.skipping OR NOT Text.Equal(name, "ADDRESS") AND p.left > 0 THEN RAISE Unknown END;
      RETURN Sized(NEW(Type, kind := Kind.Left), 8);
    ELSIF Text.Equal(name, "RECORD") THEN
      RETURN Record(p);
    ELSIF Text.Equal(name, "ARRAY") THEN
      RETURN Array(p);
    ELSIF Text.Equal(name, "SET") OR Text.Equal(name, "BITS") OR Text.Equal(name, "OBJECT")
          OR Text.Equal(name, "BRANDED") THEN
      RAISE Unknown;
    END;
    RETURN Reference(p, Text.Equal(name, "REF"));
  END Parse;

PROCEDURE Sized(type: Type; bytes: CARDINAL): Type =
  BEGIN
    type.bytes := bytes;
    type.alignment := bytes;
    RETURN type;
  END Sized;

(* Ordinals take the smallest of 1, 2, 4, 8 bytes that holds the range. *)
PROCEDURE Ranged(type: Type; low, high: INTEGER): Type =
  VAR bytes := 1;
  BEGIN
    type.low := low;
    type.high := high;
    IF low < 0 THEN
      WHILE bytes < 8 AND (low < -Word.LeftShift(1, 8 * bytes - 1) OR high >= Word.LeftShift(1, 8 * bytes - 1)) DO
        bytes := 2 * bytes;
      END;
    ELSE
      WHILE bytes < 8 AND high >= Word.LeftShift(1, 8 * bytes) DO bytes := 2 * bytes END;
    END;
    RETURN Sized(type, bytes);
  END Ranged;

(* [1..31], ['a'..'z']. *)
PROCEDURE Subrange(VAR p: Parser): Type RAISES {Unknown} =
  VAR low, high: INTEGER;  type := NEW(Type, kind := Kind.Integer);
  BEGIN
    Need(p, "[");
    IF Is(p, "W'") OR Is(p, "'") THEN type.kind := Kind.Character END;
    low := Bound(p);
    Need(p, "..");
    high := Bound(p);
    Need(p, "]");
    EVAL Ranged(type, low, high);
    RETURN type;
  END Subrange;

PROCEDURE Bound(VAR p: Parser): INTEGER RAISES {Unknown} =
  VAR n := 0;  negative: BOOLEAN;  any := FALSE;
  BEGIN
    IF Took(p, "FIRST(INTEGER)") THEN RETURN FIRST(INTEGER) END;
    IF Took(p, "LAST(INTEGER)") THEN RETURN LAST(INTEGER) END;
    IF Took(p, "W'") OR Took(p, "'") THEN
      (* Escapes are rare, and not read. *)
      IF p.at + 1 >= NUMBER(p.chars^) OR p.chars[p.at] = '\\' THEN RAISE Unknown END;
      n := ORD(p.chars[p.at]);
      INC(p.at);
      Need(p, "'");
      RETURN n;
    END;
    negative := Took(p, "-");
    WHILE p.at < NUMBER(p.chars^) AND '0' <= p.chars[p.at] AND p.chars[p.at] <= '9' DO
      n := Word.Plus(Word.Times(10, n), ORD(p.chars[p.at]) - ORD('0'));
      INC(p.at);
      any := TRUE;
    END;
    IF NOT any THEN RAISE Unknown END;
    IF negative THEN RETURN Word.Minus(0, n) END;
    RETURN n;
  END Bound;

(* {Red, Green}, with [0..1] behind it if it is a subrange. *)
PROCEDURE Enumeration(VAR p: Parser): Type RAISES {Unknown} =
  VAR type := NEW(Type, kind := Kind.Enumeration, names := NEW(REF ARRAY OF TEXT, 0));  longer: REF ARRAY OF TEXT;
  BEGIN
    Need(p, "{");
    WHILE NOT Took(p, "}") DO
      longer := NEW(REF ARRAY OF TEXT, NUMBER(type.names^) + 1);
      SUBARRAY(longer^, 0, NUMBER(type.names^)) := type.names^;
      longer[LAST(longer^)] := Name(p);
      type.names := longer;
      IF NOT Took(p, ",") AND NOT Is(p, "}") THEN RAISE Unknown END;
    END;
    EVAL Ranged(type, 0, MAX(LAST(type.names^), 0));
    IF Is(p, "[") THEN
      WITH range = Subrange(p) DO
        type.low := range.low;
        type.high := range.high;
        EVAL Sized(type, range.bytes);
      END;
    END;
    RETURN type;
  END Enumeration;

(* RECORD x: INTEGER; y: CHAR END: fields at natural alignment. *)
PROCEDURE Record(VAR p: Parser): Type RAISES {Unknown} =
  VAR type := NEW(Type, kind := Kind.Record, fields := NEW(Fields, 0));  longer: Fields;  end := 0;
  BEGIN
    WHILE NOT Took(p, "END") DO
      longer := NEW(Fields, NUMBER(type.fields^) + 1);
      SUBARRAY(longer^, 0, NUMBER(type.fields^)) := type.fields^;
      WITH field = longer[LAST(longer^)] DO
        field.name := Name(p);
        Need(p, ":");
        field.type := Parse(p);
        IF field.type.kind = Kind.Left THEN RAISE Unknown END;
        field.offset := RoundUp(end, field.type.alignment);
        end := field.offset + field.type.bytes;
        type.alignment := MAX(type.alignment, field.type.alignment);
      END;
      type.fields := longer;
      IF NOT Took(p, ";") AND NOT Is(p, "END") THEN RAISE Unknown END;
    END;
    type.bytes := RoundUp(end, type.alignment);
    RETURN type;
  END Record;

PROCEDURE RoundUp(n, unit: CARDINAL): CARDINAL =
  BEGIN
    RETURN (n + unit - 1) DIV unit * unit;
  END RoundUp;

(* ARRAY [0..2] OF T. *)
PROCEDURE Array(VAR p: Parser): Type RAISES {Unknown} =
  VAR type := NEW(Type, kind := Kind.Array);  index: Type;
  BEGIN
    IF Took(p, "OF") THEN
      (* An open array only stands behind REF. *)
      IF NOT p.skipping THEN RAISE Unknown END;
      RETURN Parse(p);
    END;
    index := Parse(p);
    IF index.high - index.low < 0 OR index.high - index.low > 16_FFFFFFFF THEN RAISE Unknown END;
    Need(p, "OF");
    type.count := index.high - index.low + 1;
    type.element := Parse(p);
    type.bytes := type.count * type.element.bytes;
    type.alignment := type.element.alignment;
    RETURN type;
  END Array;

(* Behind REF the type that it refers to is passed; a name has nothing behind it. *)
PROCEDURE Reference(VAR p: Parser; hasType: BOOLEAN): Type RAISES {Unknown} =
  VAR type := Sized(NEW(Type, kind := Kind.Reference), 8);  skipping := p.skipping;
  BEGIN
    IF NOT skipping AND p.left > 0 THEN
      type.typecode := LOOPHOLE(LOOPHOLE(p.referents, UNTRACED REF ADDRESS)^ + CodeAt, UNTRACED REF Half)^;
      INC(p.referents, BYTESIZE(ADDRESS));
      DEC(p.left);
    END;
    IF hasType THEN
      p.skipping := TRUE;
      EVAL Parse(p);
      p.skipping := skipping;
    END;
    RETURN type;
  END Reference;

BEGIN
END RTFields.
