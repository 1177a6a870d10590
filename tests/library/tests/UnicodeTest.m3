MODULE UnicodeTest;

IMPORT Test, Text, Unicode, Utf8;

TYPE
  Row = RECORD
      text, divided: TEXT;
    END;

CONST
  (* An accent; Hangul; two flags of two letters each; a family of three, joined. *)
  Rows = ARRAY OF Row{
    Row{"", ""}, Row{"ab", "a|b"}, Row{"\r\nx", "\r\n|x"},
    Row{"e\314\201x", "e\314\201|x"},
    Row{"\341\204\200\341\205\241\341\206\250z", "\341\204\200\341\205\241\341\206\250|z"},
    Row{"\360\237\207\250\360\237\207\255\360\237\207\254\360\237\207\247",
        "\360\237\207\250\360\237\207\255|\360\237\207\254\360\237\207\247"},
    Row{"\360\237\221\251\342\200\215\360\237\221\251\342\200\215\360\237\221\247!",
        "\360\237\221\251\342\200\215\360\237\221\251\342\200\215\360\237\221\247|!"}};

PROCEDURE TestGraphemes(t: Test.T) RAISES ANY =
  BEGIN
    t.each(NUMBER(Rows), CheckRow);
  END TestGraphemes;

PROCEDURE CheckRow(t: Test.T; row: CARDINAL) RAISES ANY =
  VAR found := Unicode.Graphemes(Rows[row].text);  divided := "";
  BEGIN
    FOR i := 0 TO LAST(found^) DO
      IF i > 0 THEN divided := divided & "|" END;
      divided := divided & found[i];
    END;
    t.equalText(divided, Rows[row].divided);
  END CheckRow;

PROCEDURE TestCase(t: Test.T) RAISES ANY =
  BEGIN
    t.equalText(Unicode.ToUpper("stra\357\254\201 \303\244\317\211"), "STRA\357\254\201 \303\204\316\251");
    t.equalText(Unicode.ToLower("\303\204\316\251X"), "\303\244\317\211x");
    t.equalText(Unicode.Fold("STRA\303\237E"), "strasse");
  END TestCase;

PROCEDURE TestWidths(t: Test.T) RAISES ANY =
  BEGIN
    t.equalInt(Unicode.Width("ab"), 2);
    t.equalInt(Unicode.Width("\346\274\242e\314\201"), 3, "wide, and an accent");
  END TestWidths;

PROCEDURE TestTextsThatAreNotUtf8(t: Test.T) RAISES ANY =
  BEGIN
    t.check(t.raises(NormalizeBytes, "Utf8.Error"));
    t.check(t.raises(FoldWide, "Utf8.Error"));
    t.equalText(Unicode.Normalize(Utf8.FromWide(Text.FromWideChar(W'\x212B'))), "\303\205");
  END TestTextsThatAreNotUtf8;

PROCEDURE NormalizeBytes() RAISES ANY =
  BEGIN
    EVAL Unicode.Normalize("a\200");
  END NormalizeBytes;

PROCEDURE FoldWide() RAISES ANY =
  BEGIN
    EVAL Unicode.Fold(W"\x20AC");
  END FoldWide;

BEGIN
END UnicodeTest.
