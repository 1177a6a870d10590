MODULE ScanTest;

IMPORT FloatMode, Fmt, Lex, Rd, Scan, Test, TextRd;

(* What Scan reads, or how it fails. *)
PROCEDURE Int(text: TEXT; base: [2..16] := 10): TEXT =
  BEGIN
    TRY
      RETURN Fmt.Int(Scan.Int(text, base));
    EXCEPT
    | Lex.Error => RETURN "error";
    | FloatMode.Trap => RETURN "overflow";
    END;
  END Int;

PROCEDURE Real(text: TEXT): TEXT =
  BEGIN
    TRY
      RETURN Fmt.LongReal(Scan.LongReal(text));
    EXCEPT
    | Lex.Error => RETURN "error";
    | FloatMode.Trap => RETURN "overflow";
    END;
  END Real;

PROCEDURE Bool(text: TEXT): TEXT =
  BEGIN
    TRY RETURN Fmt.Bool(Scan.Bool(text)) EXCEPT Lex.Error => RETURN "error" END;
  END Bool;

PROCEDURE TestIntegers(t: Test.T) =
  BEGIN
    t.equalText(Int("0"), "0", "0");
    t.equalText(Int(" -17 "), "-17", " -17 ");
    t.equalText(Int("+5"), "5", "+5");
    t.equalText(Int("16_fF"), "255", "16_fF");
    t.equalText(Int("2_1012"), "error", "2_1012");
    t.equalText(Int("ff", 16), "255", "ff");
    t.equalText(Int("9223372036854775807"), "9223372036854775807", "9223372036854775807");
    t.equalText(Int("-9223372036854775808"), "-9223372036854775808", "-9223372036854775808");
    t.equalText(Int("9223372036854775808"), "overflow", "9223372036854775808");
    t.equalText(Int(""), "error", "");
    t.equalText(Int("-"), "error", "-");
    t.equalText(Int("12x"), "error", "12x");
    t.equalText(Int("1 2"), "error", "1 2");
  END TestIntegers;

PROCEDURE TestReals(t: Test.T) =
  BEGIN
    t.equalText(Real("1"), "1", "1");
    t.equalText(Real("-2.50"), "-2.5", "-2.50");
    t.equalText(Real("1.5e3"), "1500", "1.5e3");
    t.equalText(Real("1.5d-3"), "0.0015", "1.5d-3");
    t.equalText(Real("1e"), "error", "1e");
    t.equalText(Real("1.0d999"), "overflow", "1.0d999");
    t.equalText(Real("x"), "error", "x");
  END TestReals;

PROCEDURE TestBooleans(t: Test.T) =
  BEGIN
    t.equalText(Bool("TRUE"), "TRUE", "TRUE");
    t.equalText(Bool("false"), "FALSE", "false");
    t.equalText(Bool("truth"), "error", "truth");
  END TestBooleans;

PROCEDURE TestWordsOfAReader(t: Test.T) RAISES ANY =
  VAR rd := TextRd.New("  alpha, beta\t42 rest");
  BEGIN
    Lex.Skip(rd);
    t.equalText(Lex.Scan(rd, SET OF CHAR{'a'..'z'}), "alpha");
    Lex.Match(rd, ", be");
    t.equalText(Lex.Scan(rd), "ta");
    t.equalInt(Lex.Int(rd), 42);
    t.equalText(Rd.GetLine(rd), " rest");
  END TestWordsOfAReader;

BEGIN
END ScanTest.
