MODULE TextBasicsTest;

IMPORT Test, Text;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

VAR
  hello := "hello";
  chars := ARRAY [0..3] OF CHAR{'-', '-', '-', '-'};
  wide := W"\004211\004200x";

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    test.equalInt(Text.Length(hello), 5, "Length");
    test.equalInt(Text.Length(""), 0, "Length of empty");
    test.check(Text.Empty(""), "Empty");
    test.check(NOT Text.Empty(hello), "not Empty");
    test.check(Text.Equal(hello, "hel" & "lo"), "Equal");
    test.check(NOT Text.Equal(hello, "hellO"), "not Equal");
    test.check(NOT Text.Equal(hello, "hell"), "not Equal: shorter");
    test.equalInt(Text.Compare("abc", "abd"), -1, "Compare");
    test.equalInt(Text.Compare("abc", "ab"), 1, "Compare: longer");
    test.equalInt(Text.Compare("\377", "a"), 1, "Compare is unsigned");
    test.equalInt(Text.Compare("", ""), 0, "Compare: equal");
    test.equalText(Text.Sub(hello, 1, 3), "ell", "Sub");
    test.equalText(Text.Sub(hello, 3), "lo", "Sub to the end");
    test.equalText(Text.Sub(hello, 3, 100), "lo", "Sub beyond the end");
    test.equalText(Text.Sub(hello, 5), "", "Sub at the end");
    test.equalText(Text.Sub(hello, 99, 1), "", "Sub after the end");
    test.equalInt(ORD(Text.GetChar(hello, 4)), ORD('o'), "GetChar");
    test.equalInt(Text.FindChar(hello, 'l'), 2, "FindChar");
    test.equalInt(Text.FindChar(hello, 'l', 3), 3, "FindChar from 3");
    test.equalInt(Text.FindChar(hello, 'l', 4), -1, "FindChar: none");
    test.equalInt(Text.FindChar(hello, 'h', -7), 0, "FindChar from before the start");
    test.equalInt(Text.FindCharR(hello, 'l'), 3, "FindCharR");
    test.equalInt(Text.FindCharR(hello, 'l', 2), 2, "FindCharR from 2");
    test.equalInt(Text.FindCharR(hello, 'x'), -1, "FindCharR: none");
    test.equalInt(Text.FindCharR("", 'x'), -1, "FindCharR in empty");
    test.equalText(Text.FromChar('x'), "x", "FromChar");
    test.equalText(Text.FromChars(ARRAY OF CHAR{'a', 'b'}), "ab", "FromChars");
    Text.SetChars(chars, "0123", 2);
    test.equalText(Text.FromChars(chars), "23--", "SetChars");
    test.check(Text.Hash("hello") = Text.Hash("hel" & "lo"), "Hash of equal texts");
    test.check(Text.Hash("hello") # Text.Hash("hellp"), "Hash of others");

    test.check(Text.HasWideChars(wide), "HasWideChars");
    test.check(NOT Text.HasWideChars(hello), "not HasWideChars");
    test.equalInt(Text.Length(wide), 3, "Length of wide");
    test.equalInt(ORD(Text.GetWideChar(wide, 0)), 8_4211, "GetWideChar");
    test.equalInt(ORD(Text.GetWideChar(hello, 0)), ORD('h'), "GetWideChar of narrow");
    test.equalInt(ORD(Text.GetChar(wide, 2)), ORD('x'), "GetChar of wide");
    test.equalInt(Text.FindWideChar(wide, W'\004200'), 1, "FindWideChar");
    test.equalText(Text.Sub(wide, 2), "x", "Sub of wide equals narrow");
    test.check(Text.Hash(Text.Sub(wide, 2)) = Text.Hash("x"), "Hash of wide and narrow");
    test.equalInt(Text.Compare(wide, hello), 1, "Compare wide and narrow");
    test.check(Text.Equal(wide & hello, wide & "hello"), "wide & narrow");
    test.equalInt(Text.Length(wide & hello), 8, "Length of wide & narrow");
  END TestAll;

BEGIN
END TextBasicsTest.
