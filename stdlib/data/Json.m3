MODULE Json EXPORTS Json, JsonRep;

IMPORT Fmt, JsonNumber, JsonReader, JsonWriter, Rd, Scan, Text AS Texts, TextConv, TextIntTbl, TextRd, TextRep, TextWr,
       Thread, Wr;
IMPORT FloatMode, Lex;

REVEAL
  T = Public BRANDED "Json.T" OBJECT OVERRIDES
    kind := NoKind;
    bool := BoolOf;
    text := TextOf;
    number := DigitsOf;
    int := IntOf;
    longReal := LongRealOf;
    size := NoSize;
    at := NoElement;
    nameAt := NoName;
    get := NoMember;
    getBool := GetBool;
    getText := GetText;
    getInt := GetInt;
    getLongReal := GetLongReal;
    getArray := GetArray;
    getObject := GetObject;
    add := NoAdd;
    set := NoSet;
    put := NoPut;
    remove := NoRemove;
  END;

TYPE
  (* A value without parts. *)
  Scalar = T BRANDED "Json.Scalar" OBJECT
    is: Kind;
    chars: TEXT;  (* of a Text; of a Number as it is written; NIL: null or false *)
  OVERRIDES
    kind := KindOfScalar;
  END;

  (* An array: the first `count` of `values`. *)
  List = T BRANDED "Json.List" OBJECT
    values: REF ARRAY OF T := NIL;
    count: CARDINAL := 0;
  OVERRIDES
    kind := KindOfList;
    size := Size;
    at := ElementAt;
    add := AddElement;
    set := SetElement;
  END;

  (* An object: the names of its values, and the places of the names if there are many. *)
  Record = List BRANDED "Json.Record" OBJECT
    names: REF ARRAY OF TEXT := NIL;
    places: TextIntTbl.Default := NIL;
  OVERRIDES
    kind := KindOfRecord;
    nameAt := NameAt;
    get := Member;
    add := NoAdd;
    set := NoSet;
    put := Put;
    remove := Remove;
  END;

CONST
  (* An object with more members has a table of them. *)
  Few = 8;

(* Making *)

PROCEDURE Null(): T =
  BEGIN
    RETURN NEW(Scalar, is := Kind.Null, chars := NIL);
  END Null;

PROCEDURE Bool(b: BOOLEAN): T =
  CONST Chars = ARRAY BOOLEAN OF TEXT{NIL, "true"};
  BEGIN
    RETURN NEW(Scalar, is := Kind.Boolean, chars := Chars[b]);
  END Bool;

PROCEDURE Int(n: INTEGER): T =
  BEGIN
    RETURN NumberOf(Fmt.Int(n));
  END Int;

PROCEDURE LongReal(x: LONGREAL): T RAISES {Error} =
  BEGIN
    RETURN NumberOf(JsonWriter.LongRealDigits(x));
  END LongReal;

PROCEDURE Number(digits: TEXT): T RAISES {Error} =
  VAR at: CARDINAL;  problem := JsonNumber.Problem(TextRep.CharsOr(digits, '\000')^, at);
  BEGIN
    IF problem # NIL THEN
      RAISE Error(TextConv.Encode(digits) & " is not a number of JSON: character " & Fmt.Int(at) & ": " & problem);
    END;
    RETURN NumberOf(digits);
  END Number;

PROCEDURE NumberOf(digits: TEXT): T =
  BEGIN
    RETURN NEW(Scalar, is := Kind.Number, chars := digits);
  END NumberOf;

PROCEDURE Text(t: TEXT): T =
  BEGIN
    <*ASSERT t # NIL, "NIL is not a text"*>
    RETURN NEW(Scalar, is := Kind.Text, chars := t);
  END Text;

PROCEDURE Array(READONLY values := ARRAY OF T{}): T =
  VAR list := NEW(List);
  BEGIN
    FOR i := 0 TO LAST(values) DO list.add(values[i]) END;
    RETURN list;
  END Array;

PROCEDURE Object(): T =
  BEGIN
    RETURN NEW(Record);
  END Object;

(* Looking *)

PROCEDURE NoKind(<*UNUSED*> self: T): Kind =
  BEGIN
    <*ASSERT FALSE, "values of JSON are made by Json, not by NEW"*>
  END NoKind;

PROCEDURE KindOfScalar(self: Scalar): Kind = BEGIN RETURN self.is END KindOfScalar;
PROCEDURE KindOfList(<*UNUSED*> self: List): Kind = BEGIN RETURN Kind.Array END KindOfList;
PROCEDURE KindOfRecord(<*UNUSED*> self: Record): Kind = BEGIN RETURN Kind.Object END KindOfRecord;

(* The kind in words. *)
PROCEDURE Named(value: T): TEXT =
  CONST Names = ARRAY Kind OF TEXT{"null", "true or false", "a number", "a text", "an array", "an object"};
  BEGIN
    RETURN Names[value.kind()];
  END Named;

PROCEDURE Scalar1(self: T; kind: Kind; wanted: TEXT): TEXT RAISES {Error} =
  BEGIN
    IF self.kind() # kind THEN RAISE Error("the value must be " & wanted & ", and is " & Named(self)) END;
    RETURN NARROW(self, Scalar).chars;
  END Scalar1;

CONST
  ABoolean = "true or false";
  AText = "a text";
  ANumber = "a number";
  AnInteger = "an integer";

PROCEDURE BoolOf(self: T): BOOLEAN RAISES {Error} =
  BEGIN
    RETURN Scalar1(self, Kind.Boolean, ABoolean) # NIL;
  END BoolOf;

PROCEDURE TextOf(self: T): TEXT RAISES {Error} =
  BEGIN
    RETURN Scalar1(self, Kind.Text, AText);
  END TextOf;

PROCEDURE DigitsOf(self: T): TEXT RAISES {Error} =
  BEGIN
    RETURN Scalar1(self, Kind.Number, ANumber);
  END DigitsOf;

(* A number in a message: not longer than a line. *)
PROCEDURE Shown(digits: TEXT): TEXT =
  CONST Most = 40;
  BEGIN
    IF Texts.Length(digits) <= Most THEN RETURN digits END;
    RETURN Texts.Sub(digits, 0, Most) & "...";
  END Shown;

PROCEDURE IntOf(self: T): INTEGER RAISES {Error} =
  VAR digits := Scalar1(self, Kind.Number, AnInteger);  n: INTEGER;
  BEGIN
    IF NOT JsonNumber.IsInt(digits, n) THEN
      RAISE Error("the value must be an integer that fits INTEGER, and is " & Shown(digits));
    END;
    RETURN n;
  END IntOf;

PROCEDURE LongRealOf(self: T): LONGREAL RAISES {Error} =
  VAR digits := Scalar1(self, Kind.Number, ANumber);
  BEGIN
    TRY
      RETURN Scan.LongReal(digits);
    EXCEPT
    | FloatMode.Trap, Lex.Error =>
      RAISE Error("the value must be a number that fits LONGREAL, and is " & Shown(digits));
    END;
  END LongRealOf;

PROCEDURE NoSize(<*UNUSED*> self: T): CARDINAL = BEGIN RETURN 0 END NoSize;
PROCEDURE Size(self: List): CARDINAL = BEGIN RETURN self.count END Size;

PROCEDURE NoElement(self: T; i: CARDINAL): T RAISES {Error} =
  BEGIN
    RAISE Error("there is no element " & Fmt.Int(i) & " in " & Named(self));
  END NoElement;

PROCEDURE NoName(self: T; i: CARDINAL): TEXT RAISES {Error} =
  BEGIN
    RAISE Error("there is no member " & Fmt.Int(i) & " in " & Named(self));
  END NoName;

PROCEDURE CheckIndex(self: List; i: CARDINAL) RAISES {Error} =
  BEGIN
    IF i >= self.count THEN
      RAISE Error("there is no element " & Fmt.Int(i) & " in " & Named(self) & " of " & Fmt.Int(self.count));
    END;
  END CheckIndex;

PROCEDURE ElementAt(self: List; i: CARDINAL): T RAISES {Error} =
  BEGIN
    CheckIndex(self, i);
    RETURN self.values[i];
  END ElementAt;

PROCEDURE NameAt(self: Record; i: CARDINAL): TEXT RAISES {Error} =
  BEGIN
    CheckIndex(self, i);
    RETURN self.names[i];
  END NameAt;

PROCEDURE NoMember(<*UNUSED*> self: T; <*UNUSED*> name: TEXT): T = BEGIN RETURN NIL END NoMember;

(* The place of a member, or -1. *)
PROCEDURE PlaceOf(self: Record; name: TEXT): INTEGER =
  VAR i: INTEGER;
  BEGIN
    IF self.places # NIL THEN
      IF self.places.get(name, i) THEN RETURN i END;
      RETURN -1;
    END;
    FOR k := 0 TO self.count - 1 DO
      IF Texts.Equal(self.names[k], name) THEN RETURN k END;
    END;
    RETURN -1;
  END PlaceOf;

PROCEDURE Member(self: Record; name: TEXT): T =
  VAR i := PlaceOf(self, name);
  BEGIN
    IF i < 0 THEN RETURN NIL END;
    RETURN self.values[i];
  END Member;

(* The value of a member. *)
PROCEDURE Need(self: T; name, wanted: TEXT): T RAISES {Error} =
  VAR value := self.get(name);
  BEGIN
    IF self.kind() # Kind.Object THEN
      RAISE Error("there is no member " & TextConv.Encode(name) & " in " & Named(self));
    ELSIF value = NIL THEN
      RAISE Error("member " & TextConv.Encode(name) & " must be " & wanted & ", and is missing");
    END;
    RETURN value;
  END Need;

(* The same, of this kind. *)
PROCEDURE NeedKind(self: T; name: TEXT; kind: Kind; wanted: TEXT): T RAISES {Error} =
  VAR value := Need(self, name, wanted);
  BEGIN
    IF value.kind() # kind THEN
      RAISE Error("member " & TextConv.Encode(name) & " must be " & wanted & ", and is " & Named(value));
    END;
    RETURN value;
  END NeedKind;

PROCEDURE GetBool(self: T; name: TEXT): BOOLEAN RAISES {Error} =
  BEGIN
    RETURN NeedKind(self, name, Kind.Boolean, ABoolean).bool();
  END GetBool;

PROCEDURE GetText(self: T; name: TEXT): TEXT RAISES {Error} =
  BEGIN
    RETURN NeedKind(self, name, Kind.Text, AText).text();
  END GetText;

PROCEDURE GetInt(self: T; name: TEXT): INTEGER RAISES {Error} =
  VAR digits := NeedKind(self, name, Kind.Number, AnInteger).number();  n: INTEGER;
  BEGIN
    IF NOT JsonNumber.IsInt(digits, n) THEN
      RAISE Error("member " & TextConv.Encode(name) & " must be an integer that fits INTEGER, and is " & Shown(digits));
    END;
    RETURN n;
  END GetInt;

PROCEDURE GetLongReal(self: T; name: TEXT): LONGREAL RAISES {Error} =
  VAR value := NeedKind(self, name, Kind.Number, ANumber);
  BEGIN
    TRY
      RETURN value.longReal();
    EXCEPT
    | Error =>
      RAISE Error("member " & TextConv.Encode(name) & " must be a number that fits LONGREAL, and is "
                  & Shown(value.number()));
    END;
  END GetLongReal;

PROCEDURE GetArray(self: T; name: TEXT): T RAISES {Error} =
  BEGIN
    RETURN NeedKind(self, name, Kind.Array, "an array");
  END GetArray;

PROCEDURE GetObject(self: T; name: TEXT): T RAISES {Error} =
  BEGIN
    RETURN NeedKind(self, name, Kind.Object, "an object");
  END GetObject;

(* Changing *)

PROCEDURE NoAdd(self: T; <*UNUSED*> value: T) =
  BEGIN
    <*ASSERT FALSE, Named(self) & " has no elements to which one could be added"*>
  END NoAdd;

PROCEDURE NoSet(self: T; <*UNUSED*> i: CARDINAL; <*UNUSED*> value: T) =
  BEGIN
    <*ASSERT FALSE, Named(self) & " has no elements that could be set"*>
  END NoSet;

PROCEDURE NoPut(self: T; <*UNUSED*> name: TEXT; <*UNUSED*> value: T) =
  BEGIN
    <*ASSERT FALSE, Named(self) & " has no members"*>
  END NoPut;

PROCEDURE NoRemove(self: T; <*UNUSED*> name: TEXT): BOOLEAN =
  BEGIN
    <*ASSERT FALSE, Named(self) & " has no members"*>
  END NoRemove;

PROCEDURE AddElement(self: List; value: T) =
  VAR longer: REF ARRAY OF T;
  BEGIN
    <*ASSERT value # NIL, "an element may be Json.Null(), but not NIL"*>
    IF self.values = NIL THEN
      self.values := NEW(REF ARRAY OF T, 4);
    ELSIF self.count = NUMBER(self.values^) THEN
      longer := NEW(REF ARRAY OF T, 2 * self.count);
      SUBARRAY(longer^, 0, self.count) := self.values^;
      self.values := longer;
    END;
    self.values[self.count] := value;
    INC(self.count);
  END AddElement;

PROCEDURE SetElement(self: List; i: CARDINAL; value: T) =
  BEGIN
    <*ASSERT value # NIL, "an element may be Json.Null(), but not NIL"*>
    <*ASSERT i < self.count, "there is no such element"*>
    self.values[i] := value;
  END SetElement;

PROCEDURE Put(self: Record; name: TEXT; value: T) =
  VAR i: INTEGER;  longer: REF ARRAY OF TEXT;
  BEGIN
    <*ASSERT name # NIL AND value # NIL, "a member's value may be Json.Null(), but not NIL"*>
    i := PlaceOf(self, name);
    IF i >= 0 THEN
      self.values[i] := value;
      RETURN;
    END;
    AddElement(self, value);
    IF self.names = NIL OR NUMBER(self.names^) < self.count THEN
      longer := NEW(REF ARRAY OF TEXT, NUMBER(self.values^));
      IF self.names # NIL THEN SUBARRAY(longer^, 0, self.count - 1) := SUBARRAY(self.names^, 0, self.count - 1) END;
      self.names := longer;
    END;
    self.names[self.count - 1] := name;
    IF self.places # NIL THEN
      EVAL self.places.put(name, self.count - 1);
    ELSIF self.count > Few THEN
      MakePlaces(self);
    END;
  END Put;

PROCEDURE MakePlaces(self: Record) =
  BEGIN
    self.places := NEW(TextIntTbl.Default).init(2 * self.count);
    FOR i := 0 TO self.count - 1 DO EVAL self.places.put(self.names[i], i) END;
  END MakePlaces;

PROCEDURE Remove(self: Record; name: TEXT): BOOLEAN =
  VAR i := PlaceOf(self, name);
  BEGIN
    IF i < 0 THEN RETURN FALSE END;
    DEC(self.count);
    WITH rest = self.count - i DO
      SUBARRAY(self.values^, i, rest) := SUBARRAY(self.values^, i + 1, rest);
      SUBARRAY(self.names^, i, rest) := SUBARRAY(self.names^, i + 1, rest);
    END;
    self.values[self.count] := NIL;
    self.names[self.count] := NIL;
    IF self.count > Few THEN MakePlaces(self) ELSE self.places := NIL END;
    RETURN TRUE;
  END Remove;

(* Documents *)

PROCEDURE Parse(t: TEXT; depth: CARDINAL := Depth; duplicates := Duplicates.Last): T RAISES {Error} =
  <*FATAL Rd.Failure, Thread.Alerted*>
  BEGIN
    IF NOT TextRep.IsNarrow(t) THEN RAISE Error("line 1, column 1: the text has wide characters, and is not UTF-8") END;
    RETURN Read(TextRd.New(t), depth, duplicates);
  END Parse;

PROCEDURE Read(rd: Rd.T; depth: CARDINAL := Depth; duplicates := Duplicates.Last): T
  RAISES {Error, Rd.Failure, Thread.Alerted} =
  VAR reader := NEW(JsonReader.T).init(rd, depth);  value: T;
  BEGIN
    EVAL reader.next();
    value := reader.value(duplicates);
    EVAL reader.next();
    RETURN value;
  END Read;

PROCEDURE ToText(value: T; indent: CARDINAL := 0): TEXT RAISES {Error} =
  VAR wr := TextWr.New();
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Write(wr, value, indent);
    RETURN TextWr.ToText(wr);
  END ToText;

PROCEDURE Write(wr: Wr.T; value: T; indent: CARDINAL := 0) RAISES {Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    NEW(JsonWriter.T).init(wr, indent).value(value);
  END Write;

PROCEDURE Equal(a, b: T): BOOLEAN =
  <*FATAL Error*>
  BEGIN
    IF a.kind() # b.kind() OR a.size() # b.size() THEN RETURN FALSE END;
    CASE a.kind() OF
    | Kind.Null => RETURN TRUE;
    | Kind.Boolean => RETURN a.bool() = b.bool();
    | Kind.Text => RETURN Texts.Equal(a.text(), b.text());
    | Kind.Number =>
      WITH m = JsonNumber.Split(a.number()), n = JsonNumber.Split(b.number()) DO
        RETURN m.negative = n.negative AND m.exponent = n.exponent AND Texts.Equal(m.digits, n.digits);
      END;
    | Kind.Array =>
      FOR i := 0 TO a.size() - 1 DO
        IF NOT Equal(a.at(i), b.at(i)) THEN RETURN FALSE END;
      END;
      RETURN TRUE;
    | Kind.Object =>
      FOR i := 0 TO a.size() - 1 DO
        WITH other = b.get(a.nameAt(i)) DO
          IF other = NIL OR NOT Equal(a.at(i), other) THEN RETURN FALSE END;
        END;
      END;
      RETURN TRUE;
    END;
  END Equal;

PROCEDURE Copy(value: T): T =
  VAR copy: T;
  <*FATAL Error*>
  BEGIN
    CASE value.kind() OF
    | Kind.Array =>
      copy := Array();
      FOR i := 0 TO value.size() - 1 DO copy.add(Copy(value.at(i))) END;
      RETURN copy;
    | Kind.Object =>
      copy := Object();
      FOR i := 0 TO value.size() - 1 DO copy.put(value.nameAt(i), Copy(value.at(i))) END;
      RETURN copy;
    ELSE RETURN NEW(Scalar, is := value.kind(), chars := NARROW(value, Scalar).chars);
    END;
  END Copy;

BEGIN
END Json.
