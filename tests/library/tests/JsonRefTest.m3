MODULE JsonRefTest;

IMPORT Database, Days, Decimal, Fmt, IntTextTbl, Json, JsonRef, Test, Text, TextWr, Transaction;

TYPE
  Color = {Red, Green, Blue};
  Point = RECORD x: [-5..5] := 1;  wide: [0..70000] := 2;  name: TEXT := NIL END;
  Base = OBJECT name: TEXT := "base";  b: BOOLEAN := TRUE END;
  Sub = Base OBJECT
    c: CHAR := 'c';
    w: WIDECHAR := W'w';
    letter: ['a'..'f'] := 'b';
    color := Color.Green;
    warm: [Color.Green..Color.Blue] := Color.Blue;
    byte: [-128..127] := -7;
    two: [-300..300] := -299;
    four: [0..16_FFFFFFFF] := 16_FFFFFFFF;
    count: CARDINAL := 9;
    int := FIRST(INTEGER);
    long := 7L;
    real := 0.1;
    longReal := 0.1D0;
    point := Point{};
    points: ARRAY [0..1] OF Point := ARRAY [0..1] OF Point{Point{x := 3}, Point{name := "second"}};
    byColor: ARRAY Color OF INTEGER := ARRAY Color OF INTEGER{1, 2, 3};
    day: Days.T := -1;
    price := Decimal.T{1250, 2};
    next: Sub := NIL;
    base: Base := NIL;
    texts: REF ARRAY OF TEXT := NIL;
    list: REF ARRAY OF Point := NIL;
    number: REF INTEGER := NIL;
    any: REFANY := NIL;
    private: <*TRANSIENT*> REF INTEGER := NIL;
    address: ADDRESS := NIL;
    code: PROCEDURE () := NIL;
  END;

CONST
  AsMade = "{\"name\":\"base\",\"b\":true,\"c\":\"c\",\"w\":\"w\",\"letter\":\"b\",\"color\":\"Green\",\"warm\":\"Blue\","
         & "\"byte\":-7,\"two\":-299,\"four\":4294967295,\"count\":9,\"int\":-9223372036854775808,\"long\":7,\"real\":0.1,"
         & "\"longReal\":0.1,\"point\":{\"x\":1,\"wide\":2,\"name\":null},\"points\":[{\"x\":3,\"wide\":2,\"name\":null},"
         & "{\"x\":1,\"wide\":2,\"name\":\"second\"}],\"byColor\":[1,2,3],\"day\":-1,\"price\":{\"units\":1250,\"scale\":2},"
         & "\"next\":null,\"base\":null,\"texts\":null,\"list\":null,\"number\":null,\"any\":null}";

(* The object of this type, or of Sub, that a document gives, as a document; or the error. *)
PROCEDURE Of(document: TEXT; type := -1; ignoreUnknown := FALSE): TEXT =
  BEGIN
    IF type < 0 THEN type := TYPECODE(Sub) END;
    TRY
      RETURN Json.ToText(JsonRef.ToJson(JsonRef.FromJson(Json.Parse(document), type, ignoreUnknown)));
    EXCEPT
    | Json.Error (why) => RETURN why;
    END;
  END Of;

PROCEDURE TestForms(t: Test.T) RAISES {Json.Error} =
  VAR o := NEW(Sub);  copy: Sub;
  BEGIN
    t.equalText(Json.ToText(JsonRef.ToJson(o)), AsMade);
    t.equalText(Of("{}"), AsMade);
    t.equalText(Of(AsMade), AsMade);
    t.equalText(Of("null"), "null");
    o.next := NEW(Sub, name := "n", c := '\351', w := VAL(16_20AC, WIDECHAR), byte := 127);
    o.base := NEW(Base, name := NIL);
    o.texts := NEW(REF ARRAY OF TEXT, 2);
    o.texts[0] := "\"x\"";
    o.list := NEW(REF ARRAY OF Point, 2);
    o.list[1] := Point{-5, 70000, "p"};
    o.number := NEW(REF INTEGER);
    o.number^ := 5;
    copy := JsonRef.FromJson(JsonRef.ToJson(o), TYPECODE(Sub));
    t.equalText(Json.ToText(JsonRef.ToJson(copy)), Json.ToText(JsonRef.ToJson(o)));
    t.check(copy.next.c = '\351' AND copy.next.w = VAL(16_20AC, WIDECHAR) AND copy.next.byte = 127 AND copy.byte = -7);
    t.check(copy.texts[1] = NIL AND copy.list[1].x = -5 AND copy.list[1].wide = 70000 AND copy.number^ = 5);
    t.check(copy.base.name = NIL AND copy.base.b AND TYPECODE(copy.base) = TYPECODE(Base));
    t.equalText(copy.texts[0] & copy.list[1].name, "\"x\"p");
  END TestForms;

PROCEDURE TestErrors(t: Test.T) =
  CONST At = "the value must be ";
  BEGIN
    t.equalText(Of("{\"x\": 1}"), "member \"x\": there is no field of this name");
    t.equalText(Of("{\"x\": 1}", ignoreUnknown := TRUE), AsMade);
    t.equalText(Of("{\"private\": null}"), "member \"private\": there is no field of this name");
    t.equalText(Of("[]"), At & "an object, and is []");
    t.equalText(Of("{\"byte\": 128}"), "member \"byte\": " & At & "an integer from -128 to 127, and is 128");
    t.equalText(Of("{\"int\": 1.5}"), "member \"int\": " & At & "an integer that fits INTEGER, and is 1.5");
    t.equalText(Of("{\"b\": 1}"), "member \"b\": " & At & "true or false, and is a number");
    t.equalText(Of("{\"color\": \"red\"}"), "member \"color\": " & At & "one of Red, Green, Blue, and is \"red\"");
    t.equalText(Of("{\"warm\": \"Red\"}"), "member \"warm\": " & At & "one of Green, Blue, and is \"Red\"");
    t.equalText(Of("{\"letter\": \"g\"}"), "member \"letter\": " & At & "a text of one character, a ['a'..'f'], and is \"g\"");
    t.equalText(Of("{\"c\": \"\"}"), "member \"c\": " & At & "a text of one character, a CHAR, and is \"\"");
    t.equalText(Of("{\"real\": 1e39}"), "member \"real\": " & At & "a number that fits REAL, and is 1e39");
    t.equalText(Of("{\"byColor\": [1]}"), "member \"byColor\": " & At & "an array of 3 elements, and is [1]");
    t.equalText(Of("{\"points\": [{}, {\"x\": 9}]}"),
                "member \"points\": element 1: member \"x\": " & At & "an integer from -5 to 5, and is 9");
    t.equalText(Of("{\"any\": 1}"), "member \"any\": a REFANY can only be read as null");
    t.equalText(Of("{\"texts\": [\"a\", 1]}"), "member \"texts\": element 1: " & At & "a text, and is a number");
  END TestErrors;

TYPE
  Odd = REF RECORD s: SET OF Color END;
  Packed = REF RECORD p: BITS 3 FOR [0..7] := 0 END;
  Lock = MUTEX OBJECT n := 0 END;
  Hiding = Base OBJECT name: INTEGER := 0 END;
  Loop = REF RECORD next: Loop := NIL END;
  Inner = REF RECORD p: RECORD a: ADDRESS := NIL END END;

PROCEDURE TestWhatHasNoForm(t: Test.T) =
  VAR loop := NEW(Loop);  zero := 0.0D0;

  PROCEDURE Why(ref: REFANY): TEXT =
    BEGIN
      TRY RETURN Json.ToText(JsonRef.ToJson(ref)) EXCEPT Json.Error (why) => RETURN why END;
    END Why;

  BEGIN
    loop.next := loop;
    t.equalText(Why(NEW(Odd)), "member \"s\": a SET OF JsonRefTest.Color has no form in JSON");
    t.equalText(Of("{\"s\": 1}", TYPECODE(Odd)), "member \"s\": a SET OF JsonRefTest.Color has no form in JSON");
    t.equalText(Why(NEW(Packed)), "member \"p\": a BITS 3 FOR [0..7] has no form in JSON");
    t.check(Text.FindChar(Why(NEW(Inner)), 'f') > 0);
    t.equalText(Why(NEW(Lock)), "JsonRefTest.Lock is a MUTEX");
    t.equalText(Why(NEW(Hiding)), "JsonRefTest.Hiding has two fields name");
    t.equalText(Of("{}", TYPECODE(Hiding)), "JsonRefTest.Hiding has two fields name");
    t.check(Text.Length(Why(NEW(REF ARRAY OF ARRAY OF INTEGER, 1, 1))) > 25);
    t.check(Text.FindChar(Why(loop), 'm') = 0 AND Text.Length(Why(loop)) < 300);
    t.equalText(Why(NEW(REF LONGREAL)), "0");
    t.check(Text.Length(Why(NEW(Sub, longReal := zero / zero))) < 60);
    t.check(Text.Length(Why(NEW(IntTextTbl.Default).init())) > 0);
  END TestWhatHasNoForm;

TYPE
  Node = REF RECORD
    id: INTEGER;
    left, right: Node := NIL;
    names: REF ARRAY OF TEXT;
  END;

PROCEDURE Tree(id, depth: CARDINAL): Node =
  VAR node := NEW(Node, id := id, names := NEW(REF ARRAY OF TEXT, id MOD 4));
  BEGIN
    FOR i := 0 TO LAST(node.names^) DO node.names[i] := Fmt.Int(id * i) END;
    IF depth > 0 THEN
      node.left := Tree(2 * id, depth - 1);
      node.right := Tree(2 * id + 1, depth - 1);
    END;
    RETURN node;
  END Tree;

(* While the collector works. *)
PROCEDURE TestManyObjects(t: Test.T) RAISES ANY =
  VAR wr := TextWr.New();  first: TEXT;
  BEGIN
    JsonRef.Put(wr, Tree(1, 7));
    first := TextWr.ToText(wr);
    t.check(Text.Equal(Of(first, TYPECODE(Node)), first));
    t.check(Text.Length(first) > 10000);
  END TestManyObjects;

(* Objects that are on pages of a database which have not been read yet. *)
PROCEDURE TestPersistentObjects(t: Test.T) RAISES ANY =
  VAR name := t.directory() & "/store";  db := Database.OpenOrCreate(name);  tr := NEW(Transaction.T);  wr := TextWr.New();
  BEGIN
    tr.begin();
    db.setRoot(Tree(1, 7));
    tr.commit();
    db.close();
    db := Database.OpenOrCreate(name);
    tr.begin();
    JsonRef.Put(wr, db.getRoot());
    t.equalText(TextWr.ToText(wr), Json.ToText(JsonRef.ToJson(Tree(1, 7))));
    (* A new object, as the root from now on. *)
    db.setRoot(JsonRef.FromJson(Json.Parse("{\"id\": 3, \"names\": [\"a\"]}"), TYPECODE(Node)));
    tr.commit();
    db.close();
    db := Database.OpenOrCreate(name);
    tr.begin();
    JsonRef.Put(wr, db.getRoot());
    t.equalText(TextWr.ToText(wr), "{\"id\":3,\"left\":null,\"right\":null,\"names\":[\"a\"]}");
    tr.commit();
    db.close();
  END TestPersistentObjects;

BEGIN
END JsonRefTest.
