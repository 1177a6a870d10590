MODULE RegexTest;

IMPORT Fmt, Regex, Test, Text, TextExtras, Utf8;

TYPE
  Row = RECORD
      pattern, text, found: TEXT;  (* the ranges of the matches and their groups *)
    END;

CONST
  Rows = ARRAY OF Row{
    Row{"b+", "abbbabb", "1-4 5-7"},
    Row{"(a)|(b)", "ab", "0-1,0-1,-1--1 1-2,-1--1,1-2"},
    Row{"x*", "axxb", "0-0 1-3 3-3 4-4"},
    Row{"$", "a\n", "1-1 2-2"},
    Row{"\\bfoo\\b", "foo food foo", "0-3 9-12"},
    Row{"(?<=a)b", "ab cb ab", "1-2 7-8"},
    Row{"\303\251+", "caf\303\251\303\251!", "3-7"},
    Row{"^.$", "\342\202\254", "0-3"},
    Row{"", "", "0-0"},
    Row{"a", "", ""}};

PROCEDURE TestFindingAll(t: Test.T) RAISES ANY =
  BEGIN
    t.each(NUMBER(Rows), CheckRow);
  END TestFindingAll;

PROCEDURE CheckRow(t: Test.T; row: CARDINAL) RAISES ANY =
  BEGIN
    t.equalText(Shown(Regex.FindAll(Regex.Compile(Rows[row].pattern), Rows[row].text)),
                Rows[row].found);
  END CheckRow;

PROCEDURE Shown(all: Regex.Matches): TEXT =
  VAR shown := "";
  BEGIN
    FOR i := 0 TO LAST(all^) DO
      IF i > 0 THEN shown := shown & " " END;
      FOR k := 0 TO LAST(all[i]^) DO
        IF k > 0 THEN shown := shown & "," END;
        shown := shown & Fmt.Int(all[i][k].start) & "-" & Fmt.Int(all[i][k].end);
      END;
    END;
    RETURN shown;
  END Shown;

PROCEDURE TestFindingFromAPosition(t: Test.T) RAISES ANY =
  VAR re := Regex.Compile("\\bab");
  BEGIN
    t.check(Regex.Find(re, "ab cab ab", 1)[0] = Regex.Range{7, 9}, "\\b sees what is before");
    t.check(Regex.Find(re, "ab", 1) = NIL);
    t.check(Regex.Find(re, "ab", 3) = NIL, "behind the end");
    t.check(Regex.Matching(re, "ab"));
    t.check(NOT Regex.Matching(re, "abc"));
  END TestFindingFromAPosition;

PROCEDURE TestOptions(t: Test.T) RAISES ANY =
  TYPE O = Regex.Option;
  BEGIN
    t.check(Regex.Matching(Regex.Compile("abc", Regex.Options{O.IgnoreCase}), "aBC"));
    t.check(Regex.Matching(Regex.Compile("\303\244", Regex.Options{O.IgnoreCase}), "\303\204"));
    t.equalText(Shown(Regex.FindAll(Regex.Compile("^a", Regex.Options{O.Lines}), "a\na")), "0-1 2-3");
    t.check(NOT Regex.Matching(Regex.Compile("a.b"), "a\nb"));
    t.check(Regex.Matching(Regex.Compile("a.b", Regex.Options{O.DotAll}), "a\nb"));
    t.check(Regex.Matching(Regex.Compile("a b # two", Regex.Options{O.Extended}), "ab"));
    t.check(Regex.Matching(Regex.Compile("...", Regex.Options{O.Bytes}), "\342\202\254"));
    t.check(Regex.Matching(Regex.Compile("[\200-\377]", Regex.Options{O.Bytes}), "\351"));
  END TestOptions;

(* Positions are those of the text, in which a code point beyond 16 bits is two characters. *)
PROCEDURE TestTextsWithWideCharacters(t: Test.T) RAISES ANY =
  VAR
    clef := Utf8.ToWide("a\360\235\204\236b\342\202\254c");  (* U+1D11E, U+20AC *)
    m := Regex.Find(Regex.Compile("(.)b(.)"), clef);
  BEGIN
    t.equalInt(Text.Length(clef), 6);
    t.check(m[0] = Regex.Range{1, 5} AND m[1] = Regex.Range{1, 3} AND m[2] = Regex.Range{4, 5});
    t.check(Text.Equal(Regex.Group(clef, m, 2), W"\x20AC"));
    t.check(Regex.Find(Regex.Compile("c"), clef, 5)[0] = Regex.Range{5, 6});
    t.check(Regex.Find(Regex.Compile(W"\x20AC"), clef)[0] = Regex.Range{4, 5}, "wide patterns");
    t.check(Text.Equal(Regex.Replace(Regex.Compile("b"), clef, W"\x20AD"),
                       Text.Sub(clef, 0, 3) & W"\x20AD\x20ACc"));
  END TestTextsWithWideCharacters;

PROCEDURE TestNamesOfGroups(t: Test.T) RAISES ANY =
  VAR
    re := Regex.Compile("(?<key>\\w+)=(?<value>\\w+)?");
    m := Regex.Find(re, "a=");
  BEGIN
    t.equalInt(Regex.Groups(re), 2);
    t.equalInt(Regex.Number(re, "value"), 2);
    t.equalInt(Regex.Number(re, "val"), -1);
    t.equalText(Regex.Named(re, "a=", m, "key"), "a");
    t.check(Regex.Named(re, "a=", m, "value") = NIL);
    t.equalText(Regex.Group("a=", m), "a=");
  END TestNamesOfGroups;

PROCEDURE TestReplacing(t: Test.T) RAISES ANY =
  VAR re := Regex.Compile("(?<a>a+)(b)?");
  BEGIN
    t.equalText(Regex.Replace(re, "xaabya", "<$1|${a}|$2|$$>"), "x<aa|aa|b|$>y<a|a||$>");
    t.equalText(Regex.Replace(re, "aaba", "-", 1), "-a");
    t.equalText(Regex.Replace(re, "aaba", "${2}1"), "b11");
    t.equalText(Regex.Replace(re, "xyz", "-"), "xyz");
    t.equalText(Regex.Replace(Regex.Compile("x*"), "axb", "-"), "-a--b-");
    t.check(Says(Bad.Replacement, "names group 3, and the pattern has 2", t));
  END TestReplacing;

PROCEDURE TestSplitting(t: Test.T) RAISES ANY =
  VAR comma := Regex.Compile(", *");
  BEGIN
    t.equalText(Joined(Regex.Split(comma, "a, b,c,,")), "<a><b><c><><>");
    t.equalText(Joined(Regex.Split(comma, "a, b,c", 2)), "<a><b,c>");
    t.equalText(Joined(Regex.Split(comma, "")), "<>");
    t.equalText(Joined(Regex.Split(Regex.Compile(""), "abc")), "<a><b><c>");
  END TestSplitting;

PROCEDURE Joined(texts: Regex.Texts): TEXT =
  VAR joined := "";
  BEGIN
    FOR i := 0 TO LAST(texts^) DO joined := joined & "<" & texts[i] & ">" END;
    RETURN joined;
  END Joined;

PROCEDURE TestQuoting(t: Test.T) RAISES ANY =
  VAR odd := "a.b*[c]\\(\000)\n \303\251$";
  BEGIN
    t.check(Regex.Matching(Regex.Compile(Regex.Quote(odd)), odd));
    t.check(NOT Regex.Matching(Regex.Compile(Regex.Quote(".")), "x"));
  END TestQuoting;

TYPE
  Bad = {Pattern, Text, Limit, Replacement, Wide};

PROCEDURE TestErrorsSayWhatIsWrong(t: Test.T) RAISES ANY =
  CONST Words = ARRAY Bad OF TEXT{
    "missing closing parenthesis at position 3 of the pattern",
    "the text is not UTF-8: UTF-8 error: isolated byte with 0x80 bit set, at position 1",
    "match limit exceeded", "names group 3", "wide characters"};
  BEGIN
    FOR bad := FIRST(Bad) TO LAST(Bad) DO t.check(Says(bad, Words[bad], t)) END;
  END TestErrorsSayWhatIsWrong;

PROCEDURE Says(bad: Bad; words: TEXT; t: Test.T): BOOLEAN =
  VAR at: CARDINAL := 0;
  BEGIN
    TRY
      CASE bad OF
      | Bad.Pattern => EVAL Regex.Compile("a(b");
      | Bad.Text => EVAL Regex.Find(Regex.Compile("a"), "x\200");
      | Bad.Limit =>
        EVAL Regex.Find(Regex.Compile("^(a+)+$", limit := 100000), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
      | Bad.Replacement => EVAL Regex.Replace(Regex.Compile("(a)(b)"), "ab", "$3");
      | Bad.Wide => EVAL Regex.Find(Regex.Compile("a", Regex.Options{Regex.Option.Bytes}), W"\x20AC");
      END;
      RETURN FALSE;
    EXCEPT
    | Regex.Error (said) =>
      t.log(said);
      RETURN TextExtras.FindSub(said, words, at);
    END;
  END Says;

(* The machine code that PCRE2 makes has little stack; the interpreter goes on in its place. *)
PROCEDURE TestLongMatches(t: Test.T) RAISES ANY =
  VAR long := "ab";
  BEGIN
    FOR i := 1 TO 9 DO long := long & long END;
    t.equalInt(NUMBER(Regex.FindAll(Regex.Compile("a"), long)^), 512);
    FOR i := 1 TO 8 DO long := long & long END;
    t.check(Regex.Matching(Regex.Compile("(?:(a)|b)*"), long));
  END TestLongMatches;

BEGIN
END RegexTest.
