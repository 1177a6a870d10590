(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Check, Text;

VAR
  hello := "hello";
  chars := ARRAY [0..3] OF CHAR{'-', '-', '-', '-'};
  wide := W"\004211\004200x";

BEGIN
  Check.Int(Text.Length(hello), 5, "Length");
  Check.Int(Text.Length(""), 0, "Length of empty");
  Check.That(Text.Empty(""), "Empty");
  Check.That(NOT Text.Empty(hello), "not Empty");
  Check.That(Text.Equal(hello, "hel" & "lo"), "Equal");
  Check.That(NOT Text.Equal(hello, "hellO"), "not Equal");
  Check.That(NOT Text.Equal(hello, "hell"), "not Equal: shorter");
  Check.Int(Text.Compare("abc", "abd"), -1, "Compare");
  Check.Int(Text.Compare("abc", "ab"), 1, "Compare: longer");
  Check.Int(Text.Compare("\377", "a"), 1, "Compare is unsigned");
  Check.Int(Text.Compare("", ""), 0, "Compare: equal");
  Check.Text(Text.Sub(hello, 1, 3), "ell", "Sub");
  Check.Text(Text.Sub(hello, 3), "lo", "Sub to the end");
  Check.Text(Text.Sub(hello, 3, 100), "lo", "Sub beyond the end");
  Check.Text(Text.Sub(hello, 5), "", "Sub at the end");
  Check.Text(Text.Sub(hello, 99, 1), "", "Sub after the end");
  Check.Int(ORD(Text.GetChar(hello, 4)), ORD('o'), "GetChar");
  Check.Int(Text.FindChar(hello, 'l'), 2, "FindChar");
  Check.Int(Text.FindChar(hello, 'l', 3), 3, "FindChar from 3");
  Check.Int(Text.FindChar(hello, 'l', 4), -1, "FindChar: none");
  Check.Int(Text.FindChar(hello, 'h', -7), 0, "FindChar from before the start");
  Check.Int(Text.FindCharR(hello, 'l'), 3, "FindCharR");
  Check.Int(Text.FindCharR(hello, 'l', 2), 2, "FindCharR from 2");
  Check.Int(Text.FindCharR(hello, 'x'), -1, "FindCharR: none");
  Check.Int(Text.FindCharR("", 'x'), -1, "FindCharR in empty");
  Check.Text(Text.FromChar('x'), "x", "FromChar");
  Check.Text(Text.FromChars(ARRAY OF CHAR{'a', 'b'}), "ab", "FromChars");
  Text.SetChars(chars, "0123", 2);
  Check.Text(Text.FromChars(chars), "23--", "SetChars");
  Check.That(Text.Hash("hello") = Text.Hash("hel" & "lo"), "Hash of equal texts");
  Check.That(Text.Hash("hello") # Text.Hash("hellp"), "Hash of others");

  Check.That(Text.HasWideChars(wide), "HasWideChars");
  Check.That(NOT Text.HasWideChars(hello), "not HasWideChars");
  Check.Int(Text.Length(wide), 3, "Length of wide");
  Check.Int(ORD(Text.GetWideChar(wide, 0)), 8_4211, "GetWideChar");
  Check.Int(ORD(Text.GetWideChar(hello, 0)), ORD('h'), "GetWideChar of narrow");
  Check.Int(ORD(Text.GetChar(wide, 2)), ORD('x'), "GetChar of wide");
  Check.Int(Text.FindWideChar(wide, W'\004200'), 1, "FindWideChar");
  Check.Text(Text.Sub(wide, 2), "x", "Sub of wide equals narrow");
  Check.That(Text.Hash(Text.Sub(wide, 2)) = Text.Hash("x"), "Hash of wide and narrow");
  Check.Int(Text.Compare(wide, hello), 1, "Compare wide and narrow");
  Check.That(Text.Equal(wide & hello, wide & "hello"), "wide & narrow");
  Check.Int(Text.Length(wide & hello), 8, "Length of wide & narrow");
  Check.Done();
END Main.
(* expect: 42 checks, 0 failed *)
