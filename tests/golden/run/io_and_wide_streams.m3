(* golden: run, with lib/Check *)
(* The procedures of IO on streams of its own, and wide characters in streams. *)
MODULE Main;

IMPORT Check, FS, Fmt, IO, OSError, Rd, Text, TextRd, TextWr, Thread, Wr;

<*FATAL Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted, OSError.E*>

CONST
  Omega = W'\x03a9';

PROCEDURE Put() =
  VAR wr := TextWr.New();
  <*FATAL IO.Error*>
  BEGIN
    IO.Put("a", wr);
    IO.PutChar('b', wr);
    IO.PutInt(-3, wr);
    IO.PutChar(' ', wr);
    IO.PutLongInt(LAST(LONGINT), wr);
    IO.PutChar(' ', wr);
    IO.PutReal(0.1, wr);
    Check.Text(TextWr.ToText(wr), "ab-3 9223372036854775807 0.1", "what was put");
    IO.PutWideChar(Omega, wr);
    Check.Text(TextWr.ToText(wr), "\xa9\x03", "the low byte first");
    IO.PutWideChar(Omega, wr);
    Check.That(IO.GetWideChar(TextRd.New(TextWr.ToText(wr))) = Omega, "and back");
  END Put;

TYPE
  Kind = {Char, WideChar, Int, LongInt, Real};

PROCEDURE Fails(t: TEXT; kind: Kind): BOOLEAN =
  VAR rd := TextRd.New(t);
  BEGIN
    TRY
      CASE kind OF
      | Kind.Char => EVAL IO.GetChar(rd);
      | Kind.WideChar => EVAL IO.GetWideChar(rd);
      | Kind.Int => EVAL IO.GetInt(rd);
      | Kind.LongInt => EVAL IO.GetLongInt(rd);
      | Kind.Real => EVAL IO.GetReal(rd);
      END;
      RETURN FALSE;
    EXCEPT
    | IO.Error => RETURN TRUE;
    END;
  END Fails;

PROCEDURE Get() =
  VAR rd := TextRd.New("x 12  -34\n1.25 rest\nline\n");
  <*FATAL IO.Error*>
  BEGIN
    Check.That(IO.GetChar(rd) = 'x', "GetChar");
    Check.Int(IO.GetInt(rd), 12, "GetInt");
    Check.That(IO.GetLongInt(rd) = -34L, "GetLongInt");
    Check.That(IO.GetReal(rd) = 1.25, "GetReal");
    Check.Text(IO.GetLine(rd), " rest", "GetLine");
    Check.That(NOT IO.EOF(rd), "EOF");
    Check.Text(IO.GetLine(rd), "line", "GetLine");
    Check.That(IO.EOF(rd), "EOF");
    Check.That(Fails("", Kind.Char), "GetChar at the end");
    Check.That(Fails("", Kind.WideChar), "GetWideChar at the end");
    Check.That(Fails("x", Kind.Int), "GetInt of a letter");
    Check.That(Fails("99999999999999999999", Kind.LongInt), "GetLongInt, too large");
    Check.That(Fails("1e99", Kind.Real), "GetReal, too large");
    Check.That(Fails(".", Kind.Real), "GetReal of a point");
    TRY
      EVAL IO.GetLine(rd);
      Check.That(FALSE, "GetLine at the end");
    EXCEPT
    | IO.Error => Check.That(TRUE, "");
    END;
  END Get;

PROCEDURE Files() =
  VAR wr := IO.OpenWrite("a_file");  rd: Rd.T;
  <*FATAL IO.Error*>
  BEGIN
    IO.Put("first\n7\n", wr);
    Wr.Close(wr);
    rd := IO.OpenRead("a_file");
    Check.Text(IO.GetLine(rd), "first", "a line of a file");
    Check.Int(IO.GetInt(rd), 7, "a number of a file");
    Rd.Close(rd);
    FS.DeleteFile("a_file");
    Check.That(IO.OpenRead("a_file") = NIL, "OpenRead of no file");
    Check.That(IO.OpenWrite("no/such/directory") = NIL, "OpenWrite without a directory");
  END Files;

(* "ab<Omega>\nc\n<Omega>" in wide characters. *)
PROCEDURE Sample(): TEXT =
  VAR wr := TextWr.New();
  BEGIN
    Wr.PutWideChar(wr, W'a');
    Wr.PutWideString(wr, ARRAY OF WIDECHAR{W'b', Omega, W'\n'});
    Wr.PutWideText(wr, "c\n" & Text.FromWideChar(Omega));
    Check.Int(Wr.Index(wr), 14, "two bytes a character");
    RETURN TextWr.ToText(wr);
  END Sample;

PROCEDURE Wide() =
  VAR t := Sample();  rd := TextRd.New(t);  a: ARRAY [0..9] OF WIDECHAR;  ended := FALSE;
      ab := "ab" & Text.FromWideChar(Omega);
  BEGIN
    Check.Text(Text.Sub(t, 0, 6), "a\000b\000\xa9\x03", "bytes");
    Check.That(Rd.GetWideChar(rd) = W'a', "GetWideChar");
    Check.Int(Rd.GetWideSub(rd, SUBARRAY(a, 0, 2)), 2, "GetWideSub");
    Check.That(a[0] = W'b' AND a[1] = Omega, "its characters");
    Check.Int(Rd.GetWideSubLine(rd, a), 1, "GetWideSubLine");
    Check.Int(Rd.GetWideSubLine(rd, SUBARRAY(a, 0, 1)), 1, "GetWideSubLine, full");
    Check.Int(Rd.GetWideSubLine(rd, a), 1, "the end of the line");
    Check.That(a[0] = W'\n', "its newline");
    Check.Int(Rd.GetWideSub(rd, a), 1, "GetWideSub at the end");
    Check.That(a[0] = Omega, "the last");
    Check.Int(Rd.GetWideSub(rd, a), 0, "nothing is left");
    TRY EVAL Rd.GetWideChar(rd) EXCEPT Rd.EndOfFile => ended := TRUE END;
    Check.That(ended, "EndOfFile");

    rd := TextRd.New(t);
    Check.That(Text.Equal(Rd.GetWideText(rd, 3), ab), "GetWideText");
    Check.Text(Rd.GetWideLine(rd), "", "GetWideLine");
    Check.Text(Rd.GetWideLine(rd), "c", "GetWideLine");
    Check.That(Text.Equal(Rd.GetWideLine(rd), Text.FromWideChar(Omega)), "the last line");
    ended := FALSE;
    TRY EVAL Rd.GetWideLine(rd) EXCEPT Rd.EndOfFile => ended := TRUE END;
    Check.That(ended, "EndOfFile of GetWideLine");
    rd := TextRd.New(t);
    Check.Int(Text.Length(Rd.GetWideText(rd, 1000)), 7, "all of it");
    Check.Text(Rd.GetWideText(rd, 10), "", "nothing more");
  END Wide;

PROCEDURE Ready() =
  VAR rd := TextRd.New("abc");
  BEGIN
    FOR i := 3 TO 1 BY -1 DO
      Check.That(1 <= Rd.CharsReady(rd) AND Rd.CharsReady(rd) <= i, "CharsReady " & Fmt.Int(i));
      EVAL Rd.GetChar(rd);
    END;
    Check.Int(Rd.CharsReady(rd), 1, "CharsReady at the end");
  END Ready;

BEGIN
  Put();
  Get();
  Files();
  Wide();
  Ready();
  Check.Done();
END Main.
(* expect: all checks hold *)
