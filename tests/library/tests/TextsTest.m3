MODULE TextsTest;

IMPORT RuntimeError, Test, Text, Texts;

PROCEDURE Joined(texts: Texts.Array): TEXT =
  BEGIN
    RETURN "<" & Texts.Join(texts^, "|") & ">";
  END Joined;

PROCEDURE TestPieces(t: Test.T) =
  BEGIN
    t.equalText(Joined(Texts.Split("a,b,,c", ",")), "<a|b||c>");
    t.equalText(Joined(Texts.Split("a,b,,c", ",", most := 2)), "<a|b,,c>");
    t.equalText(Joined(Texts.Split("", ",")), "<>");
    t.equalInt(NUMBER(Texts.Split("", ",")^), 1);
    t.equalText(Joined(Texts.Split("a--b-", "--")), "<a|b->");
    t.equalText(Joined(Texts.Words(" a \t b\n")), "<a|b>");
    t.equalInt(NUMBER(Texts.Words(" \n ")^), 0);
    t.equalText(Joined(Texts.Lines("a\r\nb\n\r\n\nc")), "<a|b|||c>");
    t.equalInt(NUMBER(Texts.Lines("")^), 0);
    t.equalInt(NUMBER(Texts.Lines("\n")^), 1);
  END TestPieces;

PROCEDURE TestWideTexts(t: Test.T) =
  VAR omega := Text.FromWideChar(VAL(16_3A9, WIDECHAR));  u := "  a" & omega & "B,c ";
  BEGIN
    t.equalText(Texts.Trim(u), "a" & omega & "B,c");
    t.equalText(Texts.Lower(u), "  a" & omega & "b,c ");
    t.equalText(Texts.Upper(u), "  A" & omega & "B,C ");
    t.equalText(Joined(Texts.Split(u, omega)), "<  a|B,c >");
    t.equalText(Joined(Texts.Words(u)), "<a" & omega & "B,c>");
    t.equalText(Joined(Texts.Lines(u & "\r\nx")), "<" & u & "|x>");
    t.equalInt(Texts.FindLast(u, "B"), 4);
    t.equalText(Texts.Replace(u, omega, "O"), "  aOB,c ");
    t.equalText(Texts.PadLeft(omega, 3), "  " & omega);
    t.check(Texts.EndsWith(u, "c ") AND NOT Texts.StartsWith(u, omega));
  END TestWideTexts;

PROCEDURE TestLongTexts(t: Test.T) =
  VAR long := Texts.Repeat("0123456789", 10000);
  BEGIN
    t.equalInt(Text.Length(long), 100000);
    t.equalInt(Texts.Count(long, "90"), 9999);
    t.equalInt(NUMBER(Texts.Split(long, "5")^), 10001);
    t.equalInt(Texts.FindLast(long, "0123"), 99990);
    t.check(Text.Equal(Texts.Replace(Texts.Replace(long, "5", "--"), "--", "5"), long));
    t.check(Text.Equal(Texts.Join(Texts.Split(long, "3")^, "3"), long));
  END TestLongTexts;

PROCEDURE TestColumns(t: Test.T) =
  VAR rows := ARRAY [0..2] OF Texts.Array{Texts.Split("name,price,what", ","), Texts.Split("tea,1.50,drink", ","),
                                          Texts.Split("marzipan,12", ",")};
  BEGIN
    t.equalText(Texts.Columns(rows, "<>"), "name      price  what\ntea        1.50  drink\nmarzipan     12\n");
    t.equalText(Texts.Columns(rows, "^^", " | "), "  name   | price | what\n  tea    | 1.50  | drink\nmarzipan |  12\n");
    rows[1][1] := NIL;
    t.equalText(Texts.Columns(SUBARRAY(rows, 1, 1)), "tea    drink\n");
    t.equalText(Texts.Columns(SUBARRAY(rows, 0, 0)), "");
  END TestColumns;

PROCEDURE TestWhatIsNotAllowed(t: Test.T) =
  PROCEDURE NoSeparator() = BEGIN EVAL Texts.Split("a", "") END NoSeparator;
  PROCEDURE NoPieces() = BEGIN EVAL Texts.Split("a", ",", most := 0) END NoPieces;
  PROCEDURE NothingReplaced() = BEGIN EVAL Texts.Replace("a", "", "b") END NothingReplaced;
  PROCEDURE NothingCounted() = BEGIN EVAL Texts.Count("a", "") END NothingCounted;
  BEGIN
    EVAL t.fails(NoSeparator, RuntimeError.T.AssertFailed);
    EVAL t.fails(NoPieces, RuntimeError.T.AssertFailed);
    EVAL t.fails(NothingReplaced, RuntimeError.T.AssertFailed);
    EVAL t.fails(NothingCounted, RuntimeError.T.AssertFailed);
  END TestWhatIsNotAllowed;

BEGIN
END TextsTest.
