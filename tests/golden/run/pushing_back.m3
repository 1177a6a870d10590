(* golden: run, with lib/Check *)
(* Pushing back over the border of buffers, in a class of readers that keeps no old characters. *)
MODULE Main;

IMPORT CIText, Check, FloatMode, Fmt, IEEESpecial, Lex, Rd, RdClass, RefanyTransient, Root,
  RootTransient, Text, Thread;

<*FATAL Rd.Failure, Rd.EndOfFile, Thread.Alerted, Lex.Error, FloatMode.Trap*>

TYPE
  (* Its buffer has room for `step` characters. *)
  Slow = Rd.T OBJECT
      text: TEXT;
      step: CARDINAL;
    OVERRIDES
      seek := Seek;
    END;

PROCEDURE Seek(rd: Slow; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult =
  BEGIN
    rd.cur := n;
    rd.lo := n;
    rd.hi := MIN(n + rd.step, Text.Length(rd.text));
    IF rd.lo = rd.hi THEN RETURN RdClass.SeekResult.Eof END;
    FOR i := rd.lo TO rd.hi - 1 DO rd.buff[i - n] := Text.GetChar(rd.text, i) END;
    rd.st := 0;
    RETURN RdClass.SeekResult.Ready;
  END Seek;

PROCEDURE Open(text: TEXT; step: CARDINAL): Rd.T =
  VAR rd := NEW(Slow, text := text, step := step);
  BEGIN
    RdClass.Init(rd);
    rd.buff := NEW(REF ARRAY OF CHAR, step);
    rd.closed := FALSE;
    RETURN rd;
  END Open;

(* Reads an integer from text, in this base: returns its value, "error" or "trap", and then the
   rest. *)
PROCEDURE Read(text: TEXT; base: [2..16]; unsigned := FALSE): TEXT =
  VAR rd := Open(text, 3);  value: TEXT;
  BEGIN
    TRY
      IF unsigned THEN
        value := Fmt.Unsigned(Lex.Unsigned(rd, base));
      ELSE
        value := Fmt.Int(Lex.Int(rd, base));
      END;
    EXCEPT
    | Lex.Error => value := "error";
    | FloatMode.Trap (flag) =>
      Check.That(flag = FloatMode.Flag.IntOverflow, "flag");
      value := "trap";
    END;
    RETURN value & ":" & Rd.GetText(rd, 100);
  END Read;

PROCEDURE Integers() =
  BEGIN
    Check.Text(Read("  -12x", 10), "-12:x", "Int");
    Check.Text(Read("+7", 10), "7:", "Int");
    Check.Text(Read("16_Ffg", 10), "255:g", "Int");
    Check.Text(Read("2_102,", 10), "error:,", "a digit that is not of the base is read");
    Check.Text(Read("8_9", 16), "error:", "and of a base below the default");
    Check.Text(Read("2_10a", 16), "2:a", "letters end a number of a small base");
    Check.Text(Read("-16_80 ", 10), "-128: ", "Int");
    Check.Text(Read("9223372036854775807", 10), "9223372036854775807:", "Int");
    Check.Text(Read("-9223372036854775808", 10), "-9223372036854775808:", "Int");
    Check.Text(Read("9223372036854775808.", 10), "trap:.", "Int");
    Check.Text(Read("-9223372036854775809", 10), "trap:", "Int");
    Check.Text(Read("99999999999999999999999 1", 10), "trap: 1", "Int");
    Check.Text(Read("-16_8000000000000000", 10), "-9223372036854775808:", "Int");
    Check.Text(Read("16_zz", 10), "error:zz", "no digits behind a base");
    Check.Text(Read("16_-1", 10), "error:-1", "no sign behind a base");
    Check.Text(Read("17_1", 10), "17:_1", "Int");
    Check.Text(Read("1_0", 10), "1:_0", "Int");
    Check.Text(Read("3_", 10), "error:", "no digits behind a base");
    Check.Text(Read("_1", 10), "error:_1", "Int");
    Check.Text(Read("-x", 10), "error:x", "Int");
    Check.Text(Read("", 10), "error:", "Int");
    Check.Text(Read("1012", 2), "error:", "Int in base 2");
    Check.Text(Read("ab_1", 16), "171:_1", "Int in base 16");
    Check.Text(Read("12AbG", 16), "4779:G", "Int in base 16");
    Check.Text(Read("8_17", 16), "15:", "Int in base 16");
    Check.Text(Read("ffffffffffffffff", 16, TRUE), "ffffffffffffffff:", "Unsigned");
    Check.Text(Read("10000000000000000", 16, TRUE), "trap:", "Unsigned");
    Check.Text(Read("10_18446744073709551615", 16, TRUE), "ffffffffffffffff:", "Unsigned");
    Check.Text(Read("10_18446744073709551616", 16, TRUE), "trap:", "Unsigned");
    Check.Text(Read("-1", 16, TRUE), "error:-1", "Unsigned");
  END Integers;

(* Whether the next characters are not a number. *)
PROCEDURE NoReal(rd: Rd.T): BOOLEAN RAISES {FloatMode.Trap} =
  BEGIN
    TRY
      EVAL Lex.Real(rd);
      RETURN FALSE;
    EXCEPT
    | Lex.Error => RETURN TRUE;
    END;
  END NoReal;

PROCEDURE Elements() =
  VAR r := NEW(ROOT);
  BEGIN
    Check.That(Root.Equal(r, r) AND NOT Root.Equal(r, NIL), "Root.Equal");
    Check.That(RootTransient.Equal(NIL, NIL) AND RefanyTransient.Equal(NIL, NIL), "Equal");
    Check.Text(Root.Brand & RootTransient.Brand & RefanyTransient.Brand & CIText.Brand,
               "RootRootTransientRefanyTransientCIText", "brands");
    Check.That(CIText.Equal("Some Text", "sOME tEXT") AND NOT CIText.Equal("a", "ab"), "CIText");
    Check.Int(CIText.Hash("Some Text"), CIText.Hash("sOME tEXT"), "CIText.Hash");
    Check.Int(CIText.Compare("abC", "ABd"), -1, "CIText.Compare");
    Check.Int(CIText.Compare("b", "AA"), 1, "CIText.Compare");
    Check.Int(CIText.Compare("A", "aa"), -1, "CIText.Compare");
    Check.Int(CIText.Compare("", ""), 0, "CIText.Compare");
  END Elements;

BEGIN
  FOR step := 1 TO 12 DO
    WITH rd = Open("0123456789", step) DO
      Check.Text(Rd.GetText(rd, 9), "012345678", "GetText");
      Check.Int(Rd.UnGetCharMulti(rd, 8), 8, "UnGetCharMulti");
      Check.Text(Rd.GetText(rd, 5), "12345", "again");
      Rd.UnGetChar(rd);
      Check.Text(Rd.GetText(rd, 100), "56789", "the rest");
      Check.That(Rd.EOF(rd), "EOF");
      Rd.UnGetChar(rd);
      Check.That(Rd.GetChar(rd) = '9', "after EOF");
      Check.Int(Rd.UnGetCharMulti(rd, 3), 3, "at the end");
      Check.Text(Rd.GetLine(rd), "789", "GetLine");
    END;
    WITH rd = Open("12e+x12dx 1.5  rest", step) DO
      Check.That(NoReal(rd), "an exponent that is a sign only");
      Check.Text(Rd.GetText(rd, 1), "x", "what is left");
      Check.That(NoReal(rd), "an exponent without digits");
      Check.Text(Rd.GetText(rd, 1), "x", "what is left");
      Check.That(Lex.LongReal(rd) = 1.5d0, "Lex.LongReal");
      Check.Text(Rd.GetText(rd, 6), "  rest", "what is left");
    END;
    WITH rd = Open("line\r\n\r\n\n\rx\r", step) DO
      Check.Text(Rd.GetLine(rd), "line", "GetLine");
      Check.Text(Rd.GetLine(rd), "", "an empty line with a return");
      Check.Text(Rd.GetLine(rd), "", "an empty line");
      Check.Text(Rd.GetLine(rd), "\rx\r", "a line that is not ended");
    END;
    WITH rd = Open(" -.5 INF -infinity Nan 7.x infinite infx 7.. nor", step) DO
      Check.That(Lex.Real(rd) = -0.5, "a point before all digits");
      Check.That(Lex.Real(rd) = IEEESpecial.RealPosInf, "INF");
      Check.That(Lex.LongReal(rd) = IEEESpecial.LongNegInf, "-infinity");
      WITH nan = Lex.Extended(rd) DO Check.That(nan # nan, "Nan") END;
      Check.That(NoReal(rd), "an exponent without digits");
      Check.Text(Rd.GetText(rd, 1), " ", "what is left");
      Check.That(NoReal(rd), "infinite");
      Check.Text(Rd.GetText(rd, 2), "e ", "what is left");
      Check.That(Lex.Real(rd) = IEEESpecial.RealPosInf, "infx");
      Check.Text(Rd.GetText(rd, 2), "x ", "what is left");
      Check.That(Lex.Real(rd) = 7.0, "no digits behind the point");
      Check.Text(Rd.GetText(rd, 1), ".", "one point only");
      Check.That(NoReal(rd), "nor a number");
      Check.Text(Rd.GetText(rd, 9), "or", "what is left");
    END;
  END;
  Integers();
  Elements();
  Check.Done();
END Main.
(* expect: all checks hold *)
