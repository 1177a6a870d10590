(* Procedures that take any text do what their interfaces say of texts with characters that are not in CHAR, and end
   no program by a run-time error. *)
MODULE WideTextsTest;

IMPORT ASCII, Atom, Env, Fmt, Formatter, IP, Lex, Pathname, RdUtils, Rsrc, RefList, Scan, Sx, Test, Text, TextConv,
  TextExtras, TextRd, TextWr;

VAR
  alpha := Text.FromWideChar(W'\x03b1');
  wide := "12" & alpha & "b";
  narrow := Text.FromWideChars(ARRAY OF WIDECHAR{W'1', W'2'});  (* stored as wide characters *)

PROCEDURE TestScanRaisesError(t: Test.T) RAISES ANY =
  PROCEDURE Int() RAISES ANY = BEGIN EVAL Scan.Int(wide) END Int;
  PROCEDURE LongInt() RAISES ANY = BEGIN EVAL Scan.LongInt(wide, 10) END LongInt;
  PROCEDURE Unsigned() RAISES ANY = BEGIN EVAL Scan.Unsigned(wide) END Unsigned;
  PROCEDURE LongUnsigned() RAISES ANY = BEGIN EVAL Scan.LongUnsigned(wide, 10) END LongUnsigned;
  PROCEDURE Real() RAISES ANY = BEGIN EVAL Scan.Real(wide) END Real;
  PROCEDURE LongReal() RAISES ANY = BEGIN EVAL Scan.LongReal(wide) END LongReal;
  PROCEDURE Extended() RAISES ANY = BEGIN EVAL Scan.Extended(wide) END Extended;
  PROCEDURE Bool() RAISES ANY = BEGIN EVAL Scan.Bool(wide) END Bool;
  PROCEDURE Match() RAISES ANY = BEGIN Lex.Match(TextRd.New("12"), wide) END Match;
  BEGIN
    EVAL t.raises(Int, "Lex.Error");
    EVAL t.raises(LongInt, "Lex.Error");
    EVAL t.raises(Unsigned, "Lex.Error");
    EVAL t.raises(LongUnsigned, "Lex.Error");
    EVAL t.raises(Real, "Lex.Error");
    EVAL t.raises(LongReal, "Lex.Error");
    EVAL t.raises(Extended, "Lex.Error");
    EVAL t.raises(Bool, "Lex.Error");
    EVAL t.raises(Match, "Lex.Error");
    t.equalInt(Scan.Int(narrow), 12);
    t.check(Scan.LongReal(narrow) = 12.0d0 AND Scan.Real(narrow) = 12.0);
    t.check(Scan.Bool(Text.FromWideChars(ARRAY OF WIDECHAR{W't', W'R', W'u', W'e'})));
  END TestScanRaisesError;

PROCEDURE TestSxRaisesPrintError(t: Test.T) RAISES ANY =
  PROCEDURE OfText() RAISES ANY = BEGIN Sx.Print(TextWr.New(), wide) END OfText;
  PROCEDURE OfAtom() RAISES ANY = BEGIN Sx.Print(TextWr.New(), Atom.FromText(wide)) END OfAtom;
  PROCEDURE InList() RAISES ANY = BEGIN Sx.Print(TextWr.New(), RefList.List2(Sx.FromInt(1), alpha)) END InList;
  VAR wr := TextWr.New();
  BEGIN
    EVAL t.raises(OfText, "Sx.PrintError");
    EVAL t.raises(OfAtom, "Sx.PrintError");
    EVAL t.raises(InList, "Sx.PrintError");
    TRY
      Sx.Print(wr, alpha);
    EXCEPT Sx.PrintError (part) => t.equalText(part, alpha)
    END;
    t.equalText(TextWr.ToText(wr), "");
    Sx.Print(wr, narrow);
    t.equalText(TextWr.ToText(wr), "\"12\"");
  END TestSxRaisesPrintError;

PROCEDURE TestFmtCopiesThem(t: Test.T) =
  BEGIN
    t.equalText(Fmt.F(alpha & "%s" & alpha & "%3s", "x", alpha), alpha & "x" & alpha & "  " & alpha);
    t.equalText(Fmt.F("%" & alpha & "%s", "x"), "%" & alpha & "x");
    t.equalText(Fmt.Pad(alpha, 3), "  " & alpha);
  END TestFmtCopiesThem;

PROCEDURE TestTextExtras(t: Test.T) =
  VAR at: CARDINAL := 0;  upper := "12" & alpha & "B";
  BEGIN
    t.check(TextExtras.CIEqual(wide, upper) AND NOT TextExtras.CIEqual(wide, "12" & alpha & "c"));
    t.check(TextExtras.CICompare(wide, upper) = 0 AND TextExtras.CICompare("a", alpha) < 0);
    t.check(TextExtras.CIHash(wide) = TextExtras.CIHash(upper));
    t.check(TextExtras.CIHash("ab") = TextExtras.CIHash(Text.FromWideChars(ARRAY OF WIDECHAR{W'A', W'b'})));
    t.check(TextExtras.FindSub(wide & wide, alpha & "b1", at) AND at = 2);
    at := 0;
    t.check(TextExtras.FindCharSet(wide, ASCII.Set{'b', '\261'}, at) AND at = 3);
    at := 0;
    t.check(NOT TextExtras.FindCharSet(alpha, ASCII.Set{'\000'..'\377'}, at) AND at = 1);
    t.check(TextExtras.PatternMatch(wide, "12*") AND TextExtras.PatternMatch(wide, "12?b"));
    t.check(TextExtras.PatternMatch(wide, "*" & alpha & "b") AND NOT TextExtras.PatternMatch(wide, "12\\?b"));
    t.check(NOT TextExtras.PatternMatch(alpha, "\261") AND NOT TextExtras.PatternMatch(alpha, "\000"));
  END TestTextExtras;

PROCEDURE TestTextConv(t: Test.T) RAISES ANY =
  VAR pieces: ARRAY [0..2] OF TEXT;  text := "a\n" & alpha & alpha & "\"\377\\";
  PROCEDURE CutOff() RAISES ANY = BEGIN EVAL TextConv.Decode("\\" & alpha, FALSE) END CutOff;
  BEGIN
    t.equalText(TextConv.Encode(text), "\"a\\n" & alpha & alpha & "\\\"\\377\\\\\"");
    t.equalText(TextConv.Decode(TextConv.Encode(text)), text);
    t.equalText(TextConv.Decode(TextConv.Encode(text, FALSE), FALSE), text);
    t.equalText(TextConv.Decode(TextConv.Encode(alpha)), alpha);
    t.equalText(TextConv.Encode(""), "\"\"");
    EVAL t.raises(CutOff, "TextConv.Fail");
    t.equalInt(TextConv.ExplodedSize("a," & alpha & ",b", SET OF CHAR{',', '\261'}), 3);
    TextConv.Explode("a," & alpha & ",b", pieces, SET OF CHAR{',', '\261'});
    t.equalText(pieces[0] & pieces[1] & pieces[2], "a" & alpha & "b");
    t.equalText(TextConv.Implode(pieces, ','), "a," & alpha & ",b");
  END TestTextConv;

PROCEDURE TestNamesThatNothingHas(t: Test.T) RAISES ANY =
  VAR address: IP.Address;
  PROCEDURE Host() RAISES ANY = BEGIN EVAL IP.GetHostByName(alpha, address) END Host;
  PROCEDURE Resource() RAISES ANY = BEGIN EVAL Rsrc.Open(alpha, Rsrc.BuildPath(alpha, "$" & alpha)) END Resource;
  BEGIN
    t.check(Env.Get(alpha) = NIL);
    EVAL t.raises(Host, "IP.Error");
    EVAL t.raises(Resource, "Rsrc.NotFound");
    t.equalInt(RdUtils.Find(TextRd.New("abc"), alpha), -1);
    t.equalInt(RdUtils.Find(TextRd.New("012"), narrow), 1);
    t.check(NOT Pathname.Absolute(alpha));
    t.equalText(Pathname.Join(alpha, "x"), alpha & "/x");
    t.equalText(Pathname.Last("a/" & alpha), alpha);
  END TestNamesThatNothingHas;

PROCEDURE TestAPrettyPrinter(t: Test.T) RAISES ANY =
  VAR wr := TextWr.New();  f := Formatter.New(wr);
  BEGIN
    Formatter.PutText(f, narrow);
    Formatter.Close(f);
    t.equalText(TextWr.ToText(wr), "12");
  END TestAPrettyPrinter;

BEGIN
END WideTextsTest.
