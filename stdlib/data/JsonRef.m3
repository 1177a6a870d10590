UNSAFE MODULE JsonRef;

IMPORT FloatMode, Fmt, Json, Lex, RTFields, RTLayout, RTType, Rd, Scan, Text, TextConv, Texts, Thread, Utf8, Wr;
FROM Json IMPORT Error;
FROM RTFields IMPORT Kind;

PROCEDURE Put(wr: Wr.T; ref: REFANY; indent: CARDINAL := 0) RAISES {Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    Json.Write(wr, ToJson(ref), indent);
  END Put;

PROCEDURE Get(rd: Rd.T; type: RTType.Typecode; ignoreUnknown := FALSE): REFANY
  RAISES {Error, Rd.Failure, Thread.Alerted} =
  BEGIN
    RETURN FromJson(Json.Read(rd), type, ignoreUnknown);
  END Get;

CONST
  Refany = 1;  (* its typecode; NULL's is 0 *)

(* Raises Error with what the error in this part is about in front; of a long way in, the last steps are enough. *)
PROCEDURE Within(part, why: TEXT) RAISES {Error} =
  CONST Most = 250;
  BEGIN
    IF Text.Length(why) > Most THEN RAISE Error(why) END;
    RAISE Error(part & ": " & why);
  END Within;

PROCEDURE Member(name, why: TEXT) RAISES {Error} =
  BEGIN
    Within("member " & TextConv.Encode(name), why);
  END Member;

PROCEDURE Element(i: CARDINAL; why: TEXT) RAISES {Error} =
  BEGIN
    Within("element " & Fmt.Int(i), why);
  END Element;

(* Whether objects of the type are open arrays; then where the number of elements stands, and the bytes of an
   element. Error for a MUTEX, and for several open dimensions. *)
PROCEDURE IsOpen(type: INTEGER; VAR start: CARDINAL; VAR bytes: CARDINAL): BOOLEAN RAISES {Error} =
  VAR shape: RTLayout.Shape;
  BEGIN
    IF RTLayout.IsSubtype(type, TYPECODE(MUTEX)) THEN RAISE Error(RTLayout.Name(type) & " is a MUTEX") END;
    RTLayout.GetShape(type, shape);
    IF shape[RTLayout.Dimensions] > 1 THEN RAISE Error(RTLayout.Name(type) & " has several open dimensions") END;
    start := shape[RTLayout.FixedBytes];
    bytes := shape[RTLayout.ElementBytes];
    RETURN shape[RTLayout.Dimensions] = 1;
  END IsOpen;

(* Error if two fields have one name. *)
PROCEDURE CheckNames(fields: RTFields.Fields; type: INTEGER) RAISES {Error} =
  BEGIN
    FOR i := 1 TO LAST(fields^) DO
      FOR k := 0 TO i - 1 DO
        IF Text.Equal(fields[i].name, fields[k].name) THEN
          RAISE Error(RTLayout.Name(type) & " has two fields " & fields[i].name);
        END;
      END;
    END;
  END CheckNames;

PROCEDURE IsReferent(fields: RTFields.Fields): BOOLEAN =
  BEGIN
    RETURN NUMBER(fields^) = 1 AND Text.Empty(fields[0].name);
  END IsReferent;

(* Writing *)

PROCEDURE ToJson(ref: REFANY): Json.T RAISES {Error} =
  BEGIN
    RETURN OfRef(ref, 0);
  END ToJson;

PROCEDURE OfRef(ref: REFANY; depth: CARDINAL): Json.T RAISES {Error} =
  VAR type: INTEGER;  fields: RTFields.Fields;  start, bytes: CARDINAL;  list: Json.T;
  BEGIN
    IF ref = NIL THEN RETURN Json.Null() END;
    TYPECASE ref OF TEXT (t) => RETURN Json.Text(t) ELSE END;
    IF depth >= Json.Depth THEN
      RAISE Error("objects refer to each other deeper than " & Fmt.Int(Json.Depth) & " levels, perhaps in a circle");
    END;
    type := TYPECODE(ref);
    IF IsOpen(type, start, bytes) THEN
      fields := RTFields.Of(type);
      list := Json.Array();
      FOR i := 0 TO LOOPHOLE(LOOPHOLE(ref, ADDRESS) + start, UNTRACED REF INTEGER)^ - 1 DO
        TRY
          list.add(OfValue(ref, start + BYTESIZE(INTEGER) + i * bytes, fields[0].type, depth + 1));
        EXCEPT
        | Error (why) => Element(i, why);
        END;
      END;
      RETURN list;
    END;
    fields := RTFields.Of(type);
    IF IsReferent(fields) THEN RETURN OfValue(ref, 0, fields[0].type, depth + 1) END;
    CheckNames(fields, type);
    RETURN OfFields(ref, 0, fields, depth + 1);
  END OfRef;

PROCEDURE OfFields(ref: REFANY; offset: CARDINAL; fields: RTFields.Fields; depth: CARDINAL): Json.T RAISES {Error} =
  VAR object := Json.Object();
  BEGIN
    FOR i := 0 TO LAST(fields^) DO
      WITH field = fields[i] DO
        IF field.type.kind # Kind.Left THEN
          TRY
            object.put(field.name, OfValue(ref, offset + field.offset, field.type, depth));
          EXCEPT
          | Error (why) => Member(field.name, why);
          END;
        END;
      END;
    END;
    RETURN object;
  END OfFields;

(* The ordinal at this place. ref stays where it is, since this frame refers to it. *)
PROCEDURE Ordinal(ref: REFANY; offset: CARDINAL; type: RTFields.Type): INTEGER =
  VAR at := LOOPHOLE(ref, ADDRESS) + offset;
  BEGIN
    CASE type.bytes OF
    | 1 =>
      IF type.low < 0 THEN RETURN LOOPHOLE(at, UNTRACED REF [-128..127])^ END;
      RETURN LOOPHOLE(at, UNTRACED REF [0..255])^;
    | 2 =>
      IF type.low < 0 THEN RETURN LOOPHOLE(at, UNTRACED REF [-32768..32767])^ END;
      RETURN LOOPHOLE(at, UNTRACED REF [0..65535])^;
    | 4 =>
      IF type.low < 0 THEN RETURN LOOPHOLE(at, UNTRACED REF [-16_80000000..16_7FFFFFFF])^ END;
      RETURN LOOPHOLE(at, UNTRACED REF [0..16_FFFFFFFF])^;
    ELSE RETURN LOOPHOLE(at, UNTRACED REF INTEGER)^;
    END;
  END Ordinal;

PROCEDURE OfValue(ref: REFANY; offset: CARDINAL; type: RTFields.Type; depth: CARDINAL): Json.T RAISES {Error} =
  VAR list: Json.T;
  BEGIN
    CASE type.kind OF
    | Kind.Integer => RETURN Json.Int(Ordinal(ref, offset, type));
    | Kind.Boolean => RETURN Json.Bool(Ordinal(ref, offset, type) # 0);
    | Kind.Enumeration => RETURN Json.Text(type.names[Ordinal(ref, offset, type)]);
    | Kind.Character =>
      WITH code = Ordinal(ref, offset, type) DO
        IF 16_D800 <= code AND code <= 16_DFFF THEN RAISE Error("the character is half of a surrogate pair") END;
        RETURN Json.Text(Utf8.FromCode(code));
      END;
    | Kind.Real =>
      WITH x = LOOPHOLE(LOOPHOLE(ref, ADDRESS) + offset, UNTRACED REF REAL)^ DO
        RETURN Json.Number(Fmt.Real(x));
      END;
    | Kind.LongReal => RETURN Json.LongReal(LOOPHOLE(LOOPHOLE(ref, ADDRESS) + offset, UNTRACED REF LONGREAL)^);
    | Kind.Reference => RETURN OfRef(LOOPHOLE(LOOPHOLE(ref, ADDRESS) + offset, UNTRACED REF REFANY)^, depth);
    | Kind.Record => RETURN OfFields(ref, offset, type.fields, depth);
    | Kind.Array =>
      list := Json.Array();
      FOR i := 0 TO type.count - 1 DO
        TRY
          list.add(OfValue(ref, offset + i * type.element.bytes, type.element, depth));
        EXCEPT
        | Error (why) => Element(i, why);
        END;
      END;
      RETURN list;
    | Kind.Left, Kind.Other => RAISE Error("a " & type.text & " has no form in JSON");
    END;
  END OfValue;

(* Reading *)

PROCEDURE FromJson(value: Json.T; type: RTType.Typecode; ignoreUnknown := FALSE): REFANY RAISES {Error} =
  BEGIN
    RETURN RefOf(value, type, ignoreUnknown);
  END FromJson;

PROCEDURE Wrong(value: Json.T; wanted: TEXT) RAISES {Error} =
  CONST Most = 40;
  VAR shown := Json.ToText(value);
  BEGIN
    IF Text.Length(shown) > Most THEN shown := Text.Sub(shown, 0, Most) & "..." END;
    RAISE Error("the value must be " & wanted & ", and is " & shown);
  END Wrong;

PROCEDURE RefOf(value: Json.T; type: INTEGER; ignore: BOOLEAN): REFANY RAISES {Error} =
  VAR fields: RTFields.Fields;  start, bytes: CARDINAL;  ref: REFANY;  shape: RTLayout.Shape;
  BEGIN
    IF value.kind() = Json.Kind.Null THEN RETURN NIL END;
    IF RTLayout.IsSubtype(type, TYPECODE(TEXT)) THEN RETURN value.text() END;
    RTLayout.GetShape(type, shape);
    IF shape[RTLayout.IsTraced] = 0 OR type <= Refany THEN
      RAISE Error("a " & RTLayout.Name(type) & " can only be read as null");
    END;
    IF IsOpen(type, start, bytes) THEN
      IF value.kind() # Json.Kind.Array THEN Wrong(value, "an array") END;
      fields := RTFields.Of(type);
      ref := RTLayout.New(type, ARRAY [0..0] OF INTEGER{value.size()});
      FOR i := 0 TO value.size() - 1 DO
        TRY
          SetValue(ref, start + BYTESIZE(INTEGER) + i * bytes, fields[0].type, value.at(i), ignore);
        EXCEPT
        | Error (why) => Element(i, why);
        END;
      END;
      RETURN ref;
    END;
    fields := RTFields.Of(type);
    ref := RTLayout.New(type, ARRAY [0..0] OF INTEGER{0});
    IF IsReferent(fields) THEN
      SetValue(ref, 0, fields[0].type, value, ignore);
    ELSE
      CheckNames(fields, type);
      SetFields(ref, 0, fields, value, ignore);
    END;
    RETURN ref;
  END RefOf;

PROCEDURE SetFields(ref: REFANY; offset: CARDINAL; fields: RTFields.Fields; value: Json.T; ignore: BOOLEAN)
  RAISES {Error} =
  VAR known: CARDINAL := 0;
  BEGIN
    IF value.kind() # Json.Kind.Object THEN Wrong(value, "an object") END;
    FOR i := 0 TO LAST(fields^) DO
      WITH field = fields[i], part = value.get(field.name) DO
        IF part # NIL AND field.type.kind # Kind.Left THEN
          INC(known);
          TRY
            SetValue(ref, offset + field.offset, field.type, part, ignore);
          EXCEPT
          | Error (why) => Member(field.name, why);
          END;
        END;
      END;
    END;
    IF known < value.size() AND NOT ignore THEN
      FOR i := 0 TO value.size() - 1 DO
        IF NOT Has(fields, value.nameAt(i)) THEN Member(value.nameAt(i), "there is no field of this name") END;
      END;
    END;
  END SetFields;

PROCEDURE Has(fields: RTFields.Fields; name: TEXT): BOOLEAN =
  BEGIN
    FOR i := 0 TO LAST(fields^) DO
      IF fields[i].type.kind # Kind.Left AND Text.Equal(fields[i].name, name) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Has;

PROCEDURE SetOrdinal(ref: REFANY; offset: CARDINAL; type: RTFields.Type; n: INTEGER) =
  VAR at := LOOPHOLE(ref, ADDRESS) + offset;
  BEGIN
    (* The lowest bytes are the same with and without a sign. *)
    CASE type.bytes OF
    | 1 => LOOPHOLE(at, UNTRACED REF [0..255])^ := n MOD 256;
    | 2 => LOOPHOLE(at, UNTRACED REF [0..65535])^ := n MOD 65536;
    | 4 => LOOPHOLE(at, UNTRACED REF [0..16_FFFFFFFF])^ := n MOD 16_100000000;
    ELSE LOOPHOLE(at, UNTRACED REF INTEGER)^ := n;
    END;
  END SetOrdinal;

PROCEDURE SetValue(ref: REFANY; offset: CARDINAL; type: RTFields.Type; value: Json.T; ignore: BOOLEAN) RAISES {Error} =
  VAR n: INTEGER;
  BEGIN
    CASE type.kind OF
    | Kind.Integer =>
      n := value.int();
      IF n < type.low OR type.high < n THEN
        Wrong(value, "an integer from " & Fmt.Int(type.low) & " to " & Fmt.Int(type.high));
      END;
      SetOrdinal(ref, offset, type, n);
    | Kind.Boolean => SetOrdinal(ref, offset, type, ORD(value.bool()));
    | Kind.Enumeration => SetOrdinal(ref, offset, type, ElementNamed(type, value));
    | Kind.Character => SetOrdinal(ref, offset, type, CodeOf(type, value));
    | Kind.Real =>
      TRY
        LOOPHOLE(LOOPHOLE(ref, ADDRESS) + offset, UNTRACED REF REAL)^ := Scan.Real(value.number());
      EXCEPT
      | FloatMode.Trap, Lex.Error => Wrong(value, "a number that fits REAL");
      END;
    | Kind.LongReal => LOOPHOLE(LOOPHOLE(ref, ADDRESS) + offset, UNTRACED REF LONGREAL)^ := value.longReal();
    | Kind.Reference =>
      WITH part = RefOf(value, type.typecode, ignore) DO RTLayout.Store(LOOPHOLE(ref, ADDRESS) + offset, part) END;
    | Kind.Record => SetFields(ref, offset, type.fields, value, ignore);
    | Kind.Array =>
      IF value.kind() # Json.Kind.Array OR value.size() # type.count THEN
        Wrong(value, "an array of " & Fmt.Int(type.count) & " elements");
      END;
      FOR i := 0 TO type.count - 1 DO
        TRY
          SetValue(ref, offset + i * type.element.bytes, type.element, value.at(i), ignore);
        EXCEPT
        | Error (why) => Element(i, why);
        END;
      END;
    | Kind.Left, Kind.Other => RAISE Error("a " & type.text & " has no form in JSON");
    END;
  END SetValue;

PROCEDURE ElementNamed(type: RTFields.Type; value: Json.T): INTEGER RAISES {Error} =
  BEGIN
    WITH name = value.text() DO
      FOR i := type.low TO type.high DO
        IF Text.Equal(type.names[i], name) THEN RETURN i END;
      END;
    END;
    Wrong(value, "one of " & Texts.Join(SUBARRAY(type.names^, type.low, type.high - type.low + 1), ", "));
    RETURN 0;
  END ElementNamed;

PROCEDURE CodeOf(type: RTFields.Type; value: Json.T): INTEGER RAISES {Error} =
  BEGIN
    TRY
      WITH wide = Utf8.ToWide(value.text()) DO
        IF Text.Length(wide) = 1 THEN
          WITH code = ORD(Text.GetWideChar(wide, 0)) DO
            IF type.low <= code AND code <= type.high THEN RETURN code END;
          END;
        END;
      END;
    EXCEPT
    | Utf8.Error => (* below *)
    END;
    Wrong(value, "a text of one character, a " & type.text);
    RETURN 0;
  END CodeOf;

BEGIN
END JsonRef.
