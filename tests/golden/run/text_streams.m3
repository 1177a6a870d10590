(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Check, Rd, RuntimeError, Text, TextRd, TextWr, Thread, Wr, WrClass;

<*FATAL Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

VAR
  rd: Rd.T := TextRd.New("line one\nline two\r\n\nlast");
  wr: TextWr.T := TextWr.New();
  chars: ARRAY [0..4] OF CHAR;
  ended, locks := FALSE;

BEGIN
  Check.That(Rd.Seekable(rd) AND NOT Rd.Intermittent(rd), "flags");
  Check.Int(Rd.Length(rd), 24, "Length");
  Check.Text(Rd.GetLine(rd), "line one", "first line");
  Check.Int(Rd.Index(rd), 9, "Index");
  Check.Text(Rd.GetLine(rd), "line two", "second line");
  Check.Text(Rd.GetLine(rd), "", "empty line");
  Check.Text(Rd.GetLine(rd), "last", "line without newline");
  Check.That(Rd.EOF(rd), "EOF");
  TRY
    EVAL Rd.GetChar(rd);
  EXCEPT
  | Rd.EndOfFile => ended := TRUE;
  END;
  Check.That(ended, "EndOfFile");
  Rd.UnGetChar(rd);
  Check.Int(ORD(Rd.GetChar(rd)), ORD('t'), "UnGetChar");
  Rd.Seek(rd, 5);
  Check.Int(Rd.GetSub(rd, chars), 5, "GetSub");
  Check.Text(Text.FromChars(chars), "one\nl", "GetSub's characters");
  Check.Int(Rd.UnGetCharMulti(rd, 3), 3, "UnGetCharMulti");
  Check.Text(Rd.GetText(rd, 3), "e\nl", "GetText");
  Check.Int(Rd.GetSubLine(rd, chars), 5, "GetSubLine, full");
  Check.Text(Text.FromChars(chars), "ine t", "GetSubLine's characters");
  Check.Int(Rd.GetSubLine(rd, chars), 4, "GetSubLine, to the newline");
  Rd.Seek(rd, 1000);
  Check.Int(Rd.Index(rd), 24, "Seek beyond the end");
  Check.Text(Rd.GetText(rd, 5), "", "GetText at the end");
  Rd.Close(rd);
  Check.That(Rd.Closed(rd), "Closed");

  FOR i := 0 TO 999 DO
    Wr.PutText(wr, "ab");
    Wr.PutChar(wr, 'c');
  END;
  Wr.PutString(wr, ARRAY OF CHAR{'x', 'y'});
  Check.Int(Wr.Index(wr), 3002, "Wr.Index");
  WrClass.Lock(wr);
  TRY
    EVAL TextWr.ToText(wr);
  EXCEPT
  | RuntimeError.E => locks := TRUE;
  END;
  WrClass.Unlock(wr);
  Check.That(locks, "ToText asks for the lock, as all do");
  Check.Int(Wr.Length(wr), 3002, "Wr.Length");
  WITH t = TextWr.ToText(wr) DO
    Check.Int(Text.Length(t), 3002, "ToText's length");
    Check.Text(Text.Sub(t, 2994), "abcabcxy", "ToText's end");
  END;
  Wr.PutText(wr, "again");
  Check.Text(TextWr.ToText(wr), "again", "ToText empties the writer");
  Check.Done();
END Main.
(* expect: 26 checks, 0 failed *)
