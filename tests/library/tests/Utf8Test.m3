MODULE Utf8Test;

IMPORT Test, Text, Utf8;

TYPE
  Row = RECORD
      text: TEXT;
      firstInvalid: INTEGER;
    END;

CONST
  Rows = ARRAY OF Row{
    Row{"", -1}, Row{"abc", -1}, Row{"\302\200\337\277", -1}, Row{"\340\240\200\357\277\277", -1},
    Row{"\360\220\200\200\364\217\277\277", -1},
    Row{"a\200", 1},                  (* no beginning *)
    Row{"ab\303", 2},                 (* cut off *)
    Row{"\303a", 0},
    Row{"\300\200", 0}, Row{"\301\277", 0}, Row{"\340\237\277", 0},
    Row{"\360\217\277\277", 0},       (* not the shortest *)
    Row{"\355\240\200", 0},           (* a surrogate *)
    Row{"\364\220\200\200", 0},       (* beyond 16_10FFFF *)
    Row{"\377", 0}};

PROCEDURE TestWhatIsValid(t: Test.T) RAISES ANY =
  BEGIN
    t.each(NUMBER(Rows), CheckRow);
    t.check(NOT Utf8.Valid(W"a\x20AC"));
    t.equalInt(Utf8.FirstInvalid(W"a\x20AC"), 1);
  END TestWhatIsValid;

PROCEDURE CheckRow(t: Test.T; row: CARDINAL) RAISES ANY =
  BEGIN
    t.equalInt(Utf8.FirstInvalid(Rows[row].text), Rows[row].firstInvalid);
    t.check(Utf8.Valid(Rows[row].text) = (Rows[row].firstInvalid < 0));
    t.check(Utf8.Valid(Utf8.Repair(Rows[row].text)));
  END CheckRow;

PROCEDURE TestEachCodePointThereAndBack(t: Test.T) RAISES ANY =
  VAR codes := NEW(Utf8.CodePoints, 16_110000 - 16_800);  back: Utf8.CodePoints;  text: TEXT;
  BEGIN
    FOR i := 0 TO LAST(codes^) DO
      IF i < 16_D800 THEN codes[i] := i ELSE codes[i] := i + 16_800 END;
    END;
    text := Utf8.Encode(codes^);
    t.equalInt(Utf8.Count(text), NUMBER(codes^));
    back := Utf8.Decoded(text);
    t.check(back^ = codes^);
    t.check(Text.Equal(Utf8.FromWide(Utf8.ToWide(text)), text));
  END TestEachCodePointThereAndBack;

PROCEDURE TestDecodingOneByOne(t: Test.T) RAISES ANY =
  CONST Euro = "a\342\202\254";
  VAR at: CARDINAL := 0;
  BEGIN
    t.equalInt(Utf8.Decode(Euro, at), 97);
    t.equalInt(at, 1);
    t.equalInt(Utf8.Decode(Euro, at), 16_20AC);
    t.equalInt(at, 4);
    at := 2;
    TRY
      EVAL Utf8.Decode(Euro, at);
      t.fail("within a code point");
    EXCEPT
    | Utf8.Error (position) => t.equalInt(position, 2);
    END;
    t.equalInt(at, 2);
  END TestDecodingOneByOne;

PROCEDURE TestSurrogates(t: Test.T) RAISES ANY =
  BEGIN
    t.equalText(Utf8.FromWide(W"\xD834\xDD1E"), "\360\235\204\236");
    t.equalText(Utf8.FromWide(W"a\xD834b\xDD1E"), "a\357\277\275b\357\277\275");
    t.equalText(Utf8.FromCode(16_DC00), "\357\277\275");
    t.check(Text.Equal(Utf8.ToWide("\360\235\204\236"), W"\xD834\xDD1E"));
    t.equalText(Utf8.FromWide("\351"), "\303\251", "a character of Latin-1");
  END TestSurrogates;

PROCEDURE TestRepairing(t: Test.T) RAISES ANY =
  BEGIN
    t.equalText(Utf8.Repair("a\200\201b"), "a\357\277\275b");
    t.equalText(Utf8.Repair("\303\251"), "\303\251");
  END TestRepairing;

BEGIN
END Utf8Test.
