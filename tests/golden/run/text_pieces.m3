(* golden: run, with lib/Check *)
MODULE Main;

IMPORT ASCII, Check, TextConv, TextExtras;

<*FATAL TextConv.Fail*>

VAR
  index: CARDINAL := 0;
  pieces: ARRAY [0..3] OF TEXT;
  failed := FALSE;

BEGIN
  Check.That(TextExtras.CIEqual("Hello", "hELLO"), "CIEqual");
  Check.That(TextExtras.CIHash("Hello") = TextExtras.CIHash("hELLO"), "CIHash");
  Check.That(TextExtras.FindSub("abcabd", "abd", index), "FindSub");
  Check.Int(index, 3, "FindSub's index");
  INC(index);
  Check.That(NOT TextExtras.FindSub("abcabd", "abd", index), "FindSub, none");
  Check.Int(index, 6, "index at the end");
  index := 0;
  Check.That(TextExtras.FindCharSet("ab12", ASCII.Digits, index) AND index = 2, "FindCharSet");
  Check.Text(TextExtras.Extract("hello", 1, 3), "el", "Extract");
  Check.Text(TextExtras.Join("a", "b", NIL, "c"), "ab", "Join");
  Check.That(TextExtras.PatternMatch("hello.m3", "*.m?"), "PatternMatch");
  Check.That(TextExtras.PatternMatch("a*b", "a\\*b"), "PatternMatch, escaped");
  Check.That(NOT TextExtras.PatternMatch("axb", "a\\*b"), "PatternMatch, escaped, none");
  Check.That(TextExtras.PatternMatch("abcbcd", "a*bcd*"), "PatternMatch, back");
  Check.That(NOT TextExtras.PatternMatch("abc", "ab"), "PatternMatch, too long");

  Check.Text(TextConv.Encode("a\"b\n\001"), "\"a\\\"b\\n\\001\"", "Encode");
  Check.Text(TextConv.Decode(TextConv.Encode("a\\\"b\n\001\377'")), "a\\\"b\n\001\377'", "Decode");
  TRY
    EVAL TextConv.Decode("a\\q", FALSE);
  EXCEPT
  | TextConv.Fail => failed := TRUE;
  END;
  Check.That(failed, "Decode of a bad escape");
  Check.Int(TextConv.ExplodedSize("a,b;,c", SET OF CHAR{',', ';'}), 4, "ExplodedSize");
  TextConv.Explode("a,b;,c", pieces, SET OF CHAR{',', ';'});
  Check.Text(TextConv.Implode(pieces, '|'), "a|b||c", "Explode, Implode");
  Check.Done();
END Main.
(* expect: 19 checks, 0 failed *)
