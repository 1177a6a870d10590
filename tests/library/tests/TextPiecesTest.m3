MODULE TextPiecesTest;

IMPORT ASCII, Test, TextConv, TextExtras;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL TextConv.Fail*>

VAR
  index: CARDINAL := 0;
  pieces: ARRAY [0..3] OF TEXT;
  failed := FALSE;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    test.check(TextExtras.CIEqual("Hello", "hELLO"), "CIEqual");
    test.check(TextExtras.CIHash("Hello") = TextExtras.CIHash("hELLO"), "CIHash");
    test.check(TextExtras.FindSub("abcabd", "abd", index), "FindSub");
    test.equalInt(index, 3, "FindSub's index");
    INC(index);
    test.check(NOT TextExtras.FindSub("abcabd", "abd", index), "FindSub, none");
    test.equalInt(index, 6, "index at the end");
    index := 0;
    test.check(TextExtras.FindCharSet("ab12", ASCII.Digits, index) AND index = 2, "FindCharSet");
    test.equalText(TextExtras.Extract("hello", 1, 3), "el", "Extract");
    test.equalText(TextExtras.Join("a", "b", NIL, "c"), "ab", "Join");
    test.check(TextExtras.PatternMatch("hello.m3", "*.m?"), "PatternMatch");
    test.check(TextExtras.PatternMatch("a*b", "a\\*b"), "PatternMatch, escaped");
    test.check(NOT TextExtras.PatternMatch("axb", "a\\*b"), "PatternMatch, escaped, none");
    test.check(TextExtras.PatternMatch("abcbcd", "a*bcd*"), "PatternMatch, back");
    test.check(NOT TextExtras.PatternMatch("abc", "ab"), "PatternMatch, too long");

    test.equalText(TextConv.Encode("a\"b\n\001"), "\"a\\\"b\\n\\001\"", "Encode");
    test.equalText(TextConv.Decode(TextConv.Encode("a\\\"b\n\001\377'")), "a\\\"b\n\001\377'", "Decode");
    TRY
      EVAL TextConv.Decode("a\\q", FALSE);
    EXCEPT
    | TextConv.Fail => failed := TRUE;
    END;
    test.check(failed, "Decode of a bad escape");
    test.equalInt(TextConv.ExplodedSize("a,b;,c", SET OF CHAR{',', ';'}), 4, "ExplodedSize");
    TextConv.Explode("a,b;,c", pieces, SET OF CHAR{',', ';'});
    test.equalText(TextConv.Implode(pieces, '|'), "a|b||c", "Explode, Implode");
  END TestAll;

BEGIN
END TextPiecesTest.
