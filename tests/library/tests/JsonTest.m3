MODULE JsonTest;

IMPORT Fmt, Json, JsonReader, JsonWriter, RuntimeError, Test, Text, TextRd, TextWr, Texts;

(* A document and what it is in one line, or the error. *)
TYPE Row = ARRAY [0..1] OF TEXT;

PROCEDURE Of(document: TEXT; depth := Json.Depth; duplicates := Json.Duplicates.Last): TEXT =
  BEGIN
    TRY
      RETURN Json.ToText(Json.Parse(document, depth, duplicates));
    EXCEPT
    | Json.Error (why) => RETURN why;
    END;
  END Of;

PROCEDURE Check(t: Test.T; READONLY rows: ARRAY OF Row) =
  BEGIN
    FOR i := 0 TO LAST(rows) DO t.equalText(Of(rows[i][0]), rows[i][1]) END;
  END Check;

(* RFC 8259, section 2: six structural characters, three literal names, white space, and any value as a document. *)
PROCEDURE TestGrammar(t: Test.T) =
  CONST Rows = ARRAY OF Row{
    Row{" \t\r\n[ ] ", "[]"}, Row{"{ \n}", "{}"}, Row{"true", "true"}, Row{"false ", "false"}, Row{"null", "null"},
    Row{"\"x\"", "\"x\""}, Row{"[1 , \"a\", [ ], {\"b\" : null}]", "[1,\"a\",[],{\"b\":null}]"},
    Row{"\357\273\277 1", "1"},
    Row{"True", "line 1, column 1: a value must stand here, not 'T'"},
    Row{"nul", "line 1, column 1: a value must stand here; only `true`, `false` and `null` have no quotes"},
    Row{"", "line 1, column 1: a value must stand here, not the end of the document"},
    Row{"\f1", "line 1, column 1: a value must stand here, not '\\f'"},
    Row{"\357\2731", "line 1, column 1: a value must stand here, not '1'"},
    Row{"1 2", "line 1, column 3: the document has ended, and '2' follows"},
    Row{"[1]]", "line 1, column 4: the document has ended, and ']' follows"}};
  BEGIN
    Check(t, Rows);
  END TestGrammar;

(* Sections 4 and 5: objects and arrays. *)
PROCEDURE TestObjectsAndArrays(t: Test.T) =
  CONST Rows = ARRAY OF Row{
    Row{"[1,\n 2,]", "line 2, column 4: a value must stand here, not ']'"},
    Row{"[,1]", "line 1, column 2: a value must stand here, not ','"},
    Row{"[1 2]", "line 1, column 4: a comma, or the end of the array, must stand here, not '2'"},
    Row{"[1}", "line 1, column 3: '}' does not end an array"},
    Row{"[1", "line 1, column 3: a comma, or the end of the array, must stand here, not the end of the document"},
    Row{"[", "line 1, column 2: the document ends within an array"},
    Row{"{\"a\":1,}", "line 1, column 8: the name of a member in double quotes must stand here, not '}'"},
    Row{"{a:1}", "line 1, column 2: the name of a member in double quotes must stand here, not 'a'"},
    Row{"{\"a\" 1}", "line 1, column 6: a colon must follow the name of a member, not '1'"},
    Row{"{\"a\":}", "line 1, column 6: a value must stand here, not '}'"},
    Row{"{\"a\":1]", "line 1, column 7: ']' does not end an object"},
    Row{"{", "line 1, column 2: the document ends within an object"},
    Row{"{\"a\"", "line 1, column 5: a colon must follow the name of a member, not the end of the document"},
    Row{"{\"\":0}", "{\"\":0}"},
    Row{"{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}"}};
  BEGIN
    Check(t, Rows);
    t.equalText(Of("{\"a\":1,\n\"a\":3}", duplicates := Json.Duplicates.Refused),
                "line 2, column 1: the object already has a member \"a\"");
    t.equalText(Of("[[[]]]", depth := 3), "[[[]]]");
    t.equalText(Of("[[{\"a\":{}}]]", depth := 3),
                "line 1, column 8: arrays and objects are nested deeper than 3 levels");
    t.equalText(Of(Texts.Repeat("[", 512) & Texts.Repeat("]", 512)), Texts.Repeat("[", 512) & Texts.Repeat("]", 512));
    t.equalText(Of(Texts.Repeat("[", 100000)),
                "line 1, column 513: arrays and objects are nested deeper than 512 levels");
  END TestObjectsAndArrays;

(* Section 6. *)
PROCEDURE TestNumbers(t: Test.T) RAISES {Json.Error} =
  CONST Rows = ARRAY OF Row{
    Row{"0", "0"}, Row{"-0", "-0"}, Row{"-0.0e-00", "-0.0e-00"}, Row{"1E+400", "1E+400"},
    Row{"123456789012345678901234567890.10", "123456789012345678901234567890.10"},
    Row{"01", "line 1, column 2: a digit may not follow a 0 that begins a number"},
    Row{"[-]", "line 1, column 3: a number must have a digit here"},
    Row{"+1", "line 1, column 1: a value must stand here, not '+'"},
    Row{".5", "line 1, column 1: a value must stand here, not '.'"},
    Row{"1.", "line 1, column 3: a digit must follow the point of a number"},
    Row{"1.e5", "line 1, column 3: a digit must follow the point of a number"},
    Row{"1e", "line 1, column 3: a number's exponent must have a digit here"},
    Row{"1e+", "line 1, column 4: a number's exponent must have a digit here"},
    Row{"1-2", "line 1, column 2: this character does not belong to a number"},
    Row{"-Infinity", "line 1, column 2: a number must have a digit here"},
    Row{"NaN", "line 1, column 1: a value must stand here, not 'N'"},
    Row{"0x1", "line 1, column 2: the document has ended, and 'x' follows"}};
  PROCEDURE NotWhole() RAISES {Json.Error} = BEGIN EVAL Json.Parse("1.5").int() END NotWhole;
  PROCEDURE TooLarge() RAISES {Json.Error} = BEGIN EVAL Json.Parse("1e19").int() END TooLarge;
  PROCEDURE Beyond() RAISES {Json.Error} = BEGIN EVAL Json.Parse("1e400").longReal() END Beyond;
  PROCEDURE NaN() RAISES {Json.Error} = VAR z := 0.0D0; BEGIN EVAL Json.LongReal(z / z) END NaN;
  PROCEDURE NoNumber() RAISES {Json.Error} = BEGIN EVAL Json.Number("1.") END NoNumber;
  BEGIN
    Check(t, Rows);
    t.equalInt(Json.Parse("-9223372036854775808").int(), FIRST(INTEGER));
    t.equalInt(Json.Parse("9223372036854775807").int(), LAST(INTEGER));
    t.equalInt(Json.Parse("2.50e2").int(), 250);
    t.equalInt(Json.Parse("0e9999999999999999999999").int(), 0);
    t.check(Json.Parse("1e-400").longReal() = 0.0D0);
    t.check(Json.Parse("0.1").longReal() = 0.1D0);
    t.equalText(Json.ToText(Json.LongReal(0.1D0)), "0.1");
    EVAL t.raises(NotWhole, "Json.Error");
    EVAL t.raises(TooLarge, "Json.Error");
    EVAL t.raises(Beyond, "Json.Error");
    EVAL t.raises(NaN, "Json.Error");
    EVAL t.raises(NoNumber, "Json.Error");
  END TestNumbers;

(* Sections 7 and 8. *)
PROCEDURE TestTexts(t: Test.T) RAISES {Json.Error} =
  CONST Rows = ARRAY OF Row{
    Row{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
    Row{"\"\\u0041\\u00e9\\u20AC\\uD834\\udd1e\"", "\"A\303\251\342\202\254\360\235\204\236\""},
    Row{"\"\\u0000\\u001f\177\"", "\"\\u0000\\u001f\177\""},
    Row{"\"\303\251\"", "\"\303\251\""},
    Row{"\"a\nb\"", "line 1, column 3: a control character must be written as an escape in a text: '\\n'"},
    Row{"\"\\x\"", "line 1, column 3: a backslash may not stand in front of 'x'"},
    Row{"\"\\u12g4\"", "line 1, column 6: four hexadecimal digits must follow \\u, not 'g'"},
    Row{"[\"\303\251\", \"\\ud834\"]",
        "line 1, column 8: an escape is the first half of a surrogate pair without the second one"},
    Row{"\"\\ud834\\u0041\"", "line 1, column 2: an escape is the first half of a surrogate pair without the second one"},
    Row{"\"\\udd1e\"", "line 1, column 2: an escape is the second half of a surrogate pair without the first one"},
    Row{"\"ab", "line 1, column 4: the document ends within a text, which begins at line 1, column 1"},
    Row{"\"ab\\", "line 1, column 5: the document ends within a text, which begins at line 1, column 1"},
    Row{"\"\351\"", "line 1, column 2: the text is not UTF-8"},
    Row{"\"\300\200\"", "line 1, column 2: the text is not UTF-8"},
    Row{"\"\355\240\200\"", "line 1, column 2: the text is not UTF-8"},
    Row{"\"\342\202\"", "line 1, column 2: the text is not UTF-8"},
    Row{"'a'", "line 1, column 1: a value must stand here, not '\\''"}};
  PROCEDURE Latin1() RAISES {Json.Error} = BEGIN EVAL Json.ToText(Json.Text("caf\351")) END Latin1;
  BEGIN
    Check(t, Rows);
    t.equalText(Json.ToText(Json.Text(Text.FromWideChars(ARRAY OF WIDECHAR{VAL(16_D834, WIDECHAR), VAL(16_DD1E, WIDECHAR)}))),
                "\"\360\235\204\236\"");
    EVAL t.raises(Latin1, "Json.Error");
  END TestTexts;

PROCEDURE TestAccess(t: Test.T) RAISES {Json.Error} =
  VAR v := Json.Parse("{\"n\": 1, \"t\": \"x\", \"a\": [true, null], \"o\": {\"p\": 2.5}, \"big\": 1e30}");

  PROCEDURE Why(i: [1..10]): TEXT =
    BEGIN
      TRY
        CASE i OF
        | 1 => EVAL v.getText("n");
        | 2 => EVAL v.getInt("missing");
        | 3 => EVAL v.getArray("a").getInt("x");
        | 4 => EVAL v.getArray("a").at(2);
        | 5 => EVAL v.getObject("a");
        | 6 => EVAL v.getInt("big");
        | 7 => EVAL v.int();
        | 8 => EVAL v.getArray("a").at(0).text();
        | 9 => EVAL v.nameAt(7);
        | 10 => EVAL v.get("n").at(0);
        END;
        RETURN "";
      EXCEPT
      | Json.Error (why) => RETURN why;
      END;
    END Why;

  BEGIN
    t.equalInt(v.size(), 5);
    t.equalText(v.nameAt(1), "t");
    t.check(v.getArray("a").at(0).bool() AND v.getArray("a").at(1).kind() = Json.Kind.Null);
    t.check(v.getObject("o").getLongReal("p") = 2.5D0);
    t.equalText(v.get("big").number(), "1e30");
    t.check(v.get("missing") = NIL AND v.get("n").get("x") = NIL);
    t.equalText(Why(1), "member \"n\" must be a text, and is a number");
    t.equalText(Why(2), "member \"missing\" must be an integer, and is missing");
    t.equalText(Why(3), "there is no member \"x\" in an array");
    t.equalText(Why(4), "there is no element 2 in an array of 2");
    t.equalText(Why(5), "member \"a\" must be an object, and is an array");
    t.equalText(Why(6), "member \"big\" must be an integer that fits INTEGER, and is 1e30");
    t.equalText(Why(7), "the value must be an integer, and is an object");
    t.equalText(Why(8), "the value must be a text, and is true or false");
    t.equalText(Why(9), "there is no element 7 in an object of 5");
    t.equalText(Why(10), "there is no element 0 in a number");
  END TestAccess;

PROCEDURE TestBuilding(t: Test.T) RAISES {Json.Error} =
  VAR v := Json.Object();  copy: Json.T;
  PROCEDURE AddToObject() = BEGIN v.add(Json.Null()) END AddToObject;
  PROCEDURE PutNil() = BEGIN v.put("a", NIL) END PutNil;
  PROCEDURE PutIntoText() = BEGIN Json.Text("x").put("a", Json.Null()) END PutIntoText;
  BEGIN
    (* More members than are searched one by one. *)
    FOR i := 1 TO 50 DO v.put("m" & Fmt.Int(i), Json.Int(i)) END;
    FOR i := 1 TO 50 BY 2 DO t.check(v.remove("m" & Fmt.Int(i))) END;
    t.check(NOT v.remove("m1"));
    FOR i := 1 TO 50 DO t.check((v.get("m" & Fmt.Int(i)) = NIL) = (i MOD 2 = 1)) END;
    FOR i := 4 TO 50 BY 2 DO
      t.check(v.remove("m" & Fmt.Int(i)));
      t.equalInt(v.size(), 25 - i DIV 2 + 1);
      IF i < 50 THEN t.equalInt(v.getInt("m50"), 50) END;
    END;
    v.put("a", Json.Array(ARRAY OF Json.T{Json.Int(1), Json.Text("x")}));
    v.put("m2", Json.Bool(FALSE));
    t.equalText(Json.ToText(v), "{\"m2\":false,\"a\":[1,\"x\"]}");
    copy := Json.Copy(v);
    v.getArray("a").set(0, Json.Null());
    v.getArray("a").add(Json.Object());
    t.equalText(Json.ToText(v, 2), "{\n  \"m2\": false,\n  \"a\": [\n    null,\n    \"x\",\n    {}\n  ]\n}");
    t.equalText(Json.ToText(copy), "{\"m2\":false,\"a\":[1,\"x\"]}");
    t.check(Json.Equal(copy, Json.Parse("{\"a\": [1.0, \"\\u0078\"], \"m2\": false}")));
    t.check(NOT Json.Equal(copy, v) AND NOT Json.Equal(Json.Parse("[1,2]"), Json.Parse("[2,1]")));
    t.check(Json.Equal(Json.Parse("-0"), Json.Parse("0e5")) AND NOT Json.Equal(Json.Parse("1"), Json.Parse("-1")));
    EVAL t.fails(AddToObject, RuntimeError.T.AssertFailed);
    EVAL t.fails(PutNil, RuntimeError.T.AssertFailed);
    EVAL t.fails(PutIntoText, RuntimeError.T.AssertFailed);
  END TestBuilding;

PROCEDURE TestReader(t: Test.T) RAISES ANY =
  VAR r := NEW(JsonReader.T).init(TextRd.New("{\"a\":\n [1, 2], \"b\": {\"c\": [[]]}, \"d\": \"x\"} "));
      long := NEW(JsonReader.T).init(TextRd.New("[\"12345\", \"123456\"]"), longest := 5);
      large := NEW(JsonReader.T).init(TextRd.New("[1, 2, 3] [1, 2, 3, 4]"), size := 9, many := TRUE);
  PROCEDURE TooLong() RAISES ANY = BEGIN EVAL long.next() END TooLong;
  PROCEDURE TooLarge() RAISES ANY = BEGIN large.skip() END TooLarge;
  PROCEDURE NoValue() RAISES ANY = BEGIN EVAL r.value() END NoValue;
  PROCEDURE Fail() RAISES ANY = BEGIN r.fail("no") END Fail;
  BEGIN
    t.check(r.next() = JsonReader.Event.ObjectStart AND r.next() = JsonReader.Event.Name);
    t.equalText(r.text, "a");
    t.check(r.next() = JsonReader.Event.ArrayStart);
    t.check(r.line = 2 AND r.column = 2 AND r.depth() = 2);
    t.equalText(Json.ToText(r.value()), "[1,2]");
    t.check(r.event = JsonReader.Event.ArrayEnd AND r.depth() = 1);
    EVAL t.fails(NoValue, RuntimeError.T.AssertFailed);
    t.check(r.next() = JsonReader.Event.Name);
    r.skip();
    t.check(r.event = JsonReader.Event.ObjectEnd AND r.next() = JsonReader.Event.Name);
    t.equalText(r.text, "d");
    t.equalText(r.value().text(), "x");
    EVAL t.raises(Fail, "Json.Error");
    t.check(r.next() = JsonReader.Event.ObjectEnd AND r.next() = JsonReader.Event.End);
    t.check(r.next() = JsonReader.Event.End);
    EVAL long.next();
    EVAL long.next();
    t.equalText(long.text, "12345");
    EVAL t.raises(TooLong, "Json.Error");
    EVAL t.raises(TooLong, "Json.Error");
    EVAL large.next();
    large.skip();
    EVAL large.next();
    EVAL t.raises(TooLarge, "Json.Error");
  END TestReader;

PROCEDURE TestWriter(t: Test.T) RAISES ANY =
  VAR wr := TextWr.New();  w := NEW(JsonWriter.T).init(wr);
  PROCEDURE NoName() RAISES ANY = BEGIN w.int(1) END NoName;
  PROCEDURE WrongEnd() RAISES ANY = BEGIN w.endArray() END WrongEnd;
  PROCEDURE NameInArray() RAISES ANY = BEGIN w.name("x") END NameInArray;
  PROCEDURE NotUtf8() RAISES ANY = BEGIN w.text("\377") END NotUtf8;
  BEGIN
    w.beginObject();
    EVAL t.fails(NoName, RuntimeError.T.AssertFailed);
    EVAL t.fails(WrongEnd, RuntimeError.T.AssertFailed);
    w.name("a");
    w.beginArray();
    EVAL t.fails(NameInArray, RuntimeError.T.AssertFailed);
    w.null();
    EVAL t.raises(NotUtf8, "Json.Error");
    w.number("1.50");
    w.longReal(-1.5D300);
    w.endArray();
    w.endObject();
    t.equalInt(w.depth(), 0);
    w.int(7);
    t.equalText(TextWr.ToText(wr), "{\"a\":[null,1.50,-1.5e300]}\n7");
  END TestWriter;

BEGIN
END JsonTest.
