(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Atom, Check, Rd, RefList, RuntimeError, Sx, Text, TextRd, TextWr, Thread, Wr;

<*FATAL Rd.Failure, Wr.Failure, Thread.Alerted*>

PROCEDURE Printed(sx: Sx.T; maxDepth, maxLength: CARDINAL := LAST(CARDINAL)): TEXT =
  VAR wr := TextWr.New();
  BEGIN
    TRY
      Sx.Print(wr, sx, maxDepth, maxLength);
    EXCEPT Sx.PrintError(t) => RETURN "PrintError: " & t
    END;
    RETURN TextWr.ToText(wr);
  END Printed;

PROCEDURE Read(t: TEXT; syntax: Sx.Syntax := NIL): TEXT =
  BEGIN
    TRY
      RETURN Printed(Sx.Read(TextRd.New(t), syntax));
    EXCEPT
    | Sx.ReadError(why) => RETURN "ReadError: " & why;
    | Rd.EndOfFile => RETURN "EndOfFile";
    END;
  END Read;

PROCEDURE Values() =
  BEGIN
    Check.Text(Printed(Sx.FromChar('a')), "'a'", "FromChar");
    Check.Text(Printed(Sx.FromChar('\n')) & Printed(Sx.FromChar('\'')), "'\\n''\\''", "escapes");
    Check.Text(Printed(Sx.FromInt(-5)) & Printed(Sx.FromInt(123456)), "-5123456", "FromInt");
    Check.Text(Printed(Sx.FromReal(1.5)), "1.5", "FromReal");
    Check.Text(Printed(Sx.FromLongReal(1.5d0)), "1.5d0", "FromLongReal");
    Check.Text(Printed(Sx.FromExtended(1.5x0)), "1.5x0", "FromExtended");
    Check.That(Sx.FromBool(TRUE) = Sx.True AND Sx.FromBool(FALSE) = Sx.False
               AND Sx.True = Atom.FromText("TRUE") AND Sx.False = Atom.FromText("FALSE"),
               "FromBool");
    Check.Text(Printed(NIL), "()", "NIL");
    Check.Text(Printed(Atom.FromText("a b|")) & Printed(Atom.FromText("<=")), "|a b\\||<=",
               "symbols");
    Check.Text(Printed(Sx.FromReal(LAST(REAL))) & " " & Printed(Sx.FromLongReal(FIRST(LONGREAL))),
               "Infinity |-Infinity|", "infinities");
    Check.That(Sx.FromInt(1) # Sx.FromInt(1) AND Sx.FromChar('a') # Sx.FromChar('a'),
               "objects of their own");
    Check.Text(Printed(Atom.FromText("")) & Printed(Atom.FromText("x_1"))
                 & Printed(Atom.FromText("1x")) & Printed(Atom.FromText("a-b")),
               "||x_1|1x||a-b|", "symbols that need bars");
    Check.Text(Printed(NEW(REF BOOLEAN)),
               "PrintError: an object that is not of a type of symbolic expressions", "others");
  END Values;

PROCEDURE Reading() =
  VAR rd := TextRd.New("one ; comment\n 2 (3) ; end");
  <*FATAL Sx.ReadError, Rd.EndOfFile*>
  VAR ended := FALSE;
  BEGIN
    Check.Text(Printed(Sx.Read(rd)) & Printed(Sx.Read(rd)) & Printed(Sx.Read(rd)), "one2(3)",
               "one after the other");
    TRY EVAL Sx.Read(rd) EXCEPT Rd.EndOfFile => ended := TRUE END;
    Check.That(ended, "the end");
    Check.Text(Read("(a (b . c) () \"t\\\"\\101\" 'x' '\\n' |odd one|)"),
               "(a (b . c) () \"t\\\"A\" 'x' '\\n' |odd one|)", "a list");
    Check.Text(Read("(1 -2 +3 16_FF -16_f 2_101 16_FFFFFFFFFFFFFFFF)"), "(1 -2 3 255 -15 5 -1)",
               "integers");
    Check.Text(Read("(1.5 -1.5e3 2.0d-3 4.25x0 0.1d0)"), "(1.5 -1500.0 0.002d0 4.25x0 0.1d0)",
               "reals");
    Check.Text(Read("(+ - a+b <=>x)"), "(+ - a + b <=> x)", "special characters");
    Check.Text(Read("'\\'''\\\\'"), "'\\''", "a quote");
  END Reading;

PROCEDURE Errors() =
  BEGIN
    Check.Text(Read(""), "EndOfFile", "nothing");
    Check.Text(Read("  ; only a comment"), "EndOfFile", "a comment");
    Check.Text(Read("(a b"), "ReadError: the end of a list is missing", "a list without end");
    Check.Text(Read(")"), "ReadError: wrong character: )", "an end without list");
    Check.Text(Read("\"abc"), "ReadError: an expression is not complete", "a text without end");
    Check.Text(Read("'ab'"), "ReadError: a quote is missing after a character", "two characters");
    Check.Text(Read("''"), "ReadError: wrong character between quotes", "no character");
    Check.Text(Read("\"\\q\""), "ReadError: wrong escape: \\q", "wrong escape");
    Check.Text(Read("\"\\19\""), "ReadError: an escape of fewer than three digits", "two digits");
    Check.Text(Read("\"\\777\""), "ReadError: an escape that is too great", "great escape");
    Check.Text(Read("99999999999999999999"), "ReadError: a number that is too great", "great");
    Check.Text(Read("16_11111111111111111"), "ReadError: a number that is too great", "great hex");
    Check.Text(Read("1."), "ReadError: a digit is missing after a point", "no fraction");
    Check.Text(Read("1.0e"), "ReadError: a digit is missing in an exponent", "no exponent");
    Check.Text(Read("2_12"), "ReadError: a digit that its base does not have", "digit");
    Check.Text(Read("17_1"), "ReadError: a base that is not from 2 to 16", "base");
    Check.Text(Read("8_"), "ReadError: a digit is missing after the base", "no digit");
  END Errors;

TYPE
  Quote = Sx.ReadMacro OBJECT OVERRIDES read := ReadQuote END;
  Nothing = Sx.ReadMacro OBJECT OVERRIDES read := ReadNothing END;
  Two = Sx.ReadMacro OBJECT OVERRIDES read := ReadTwo END;
  Bracket = Sx.ReadMacro OBJECT OVERRIDES read := ReadBracket END;

PROCEDURE ReadQuote(<*UNUSED*> m: Quote; rd: Rd.T; s: Sx.Syntax): RefList.T
  RAISES {Sx.ReadError, Thread.Alerted} =
  <*FATAL Rd.EndOfFile*>
  BEGIN
    RETURN RefList.List1(RefList.List2(Atom.FromText("quote"), Sx.Read(rd, s)));
  END ReadQuote;

PROCEDURE ReadNothing(<*UNUSED*> m: Nothing; <*UNUSED*> rd: Rd.T; <*UNUSED*> s: Sx.Syntax):
  RefList.T =
  BEGIN
    RETURN NIL;
  END ReadNothing;

PROCEDURE ReadTwo(<*UNUSED*> m: Two; <*UNUSED*> rd: Rd.T; <*UNUSED*> s: Sx.Syntax): RefList.T =
  BEGIN
    RETURN RefList.List2(Sx.FromInt(1), Sx.FromInt(2));
  END ReadTwo;

PROCEDURE ReadBracket(<*UNUSED*> m: Bracket; rd: Rd.T; s: Sx.Syntax): RefList.T
  RAISES {Sx.ReadError, Thread.Alerted} =
  BEGIN
    RETURN RefList.List1(Sx.ReadDelimitedList(rd, ']', s));
  END ReadBracket;

PROCEDURE Macros() =
  VAR s := Sx.CopySyntax();  t: Sx.Syntax;  failed := FALSE;
  BEGIN
    Sx.SetReadMacro(s, '`', NEW(Quote));
    Sx.SetReadMacro(s, '!', NEW(Nothing));
    Sx.SetReadMacro(s, '@', NEW(Two));
    Sx.SetReadMacro(s, '[', NEW(Bracket));
    Check.Text(Read("(`a `(b) ! @ [x y])", s), "((quote a) (quote (b)) 1 2 (x y))", "macros");
    Check.Text(Read("! !7", s), "7", "Read goes on after nothing");
    Check.Text(Read("@", s), "ReadError: several expressions in place of one", "several");
    t := Sx.CopySyntax(s);
    Sx.SetReadMacro(s, '!', NIL);
    Check.Text(Read("!", s) & Read("!8", t), "!8", "a macro taken away, not from the copy");
    TRY Sx.SetReadMacro(NIL, 'a', NIL) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "no syntax");
  END Macros;

PROCEDURE Limits() =
  VAR t: TEXT;
  <*FATAL Sx.ReadError, Rd.EndOfFile*>
  BEGIN
    WITH sx = Sx.Read(TextRd.New("(1 (2 (3 4)) 5 6)")) DO
      Check.Text(Printed(sx, 1), "(1 ... 5 6)", "depth");
      Check.Text(Printed(sx, maxLength := 2), "(1 (2 (3 4)) ...)", "length");
      Check.Text(Printed(sx, 0), "...", "no depth");
      t := Printed(sx);
      Check.That(Text.Equal(t, Read(t)), "reads back");
    END;
  END Limits;

BEGIN
  Values();
  Reading();
  Errors();
  Macros();
  Limits();
  Check.Done();
END Main.
(* expect: all checks hold *)
