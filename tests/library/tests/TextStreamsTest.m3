MODULE TextStreamsTest;

IMPORT Test, Rd, RuntimeError, Text, TextRd, TextWr, Thread, Wr, WrClass;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

VAR
  rd: Rd.T := TextRd.New("line one\nline two\r\n\nlast");
  wr: TextWr.T := TextWr.New();
  chars: ARRAY [0..4] OF CHAR;
  ended, locks := FALSE;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    test.check(Rd.Seekable(rd) AND NOT Rd.Intermittent(rd), "flags");
    test.equalInt(Rd.Length(rd), 24, "Length");
    test.equalText(Rd.GetLine(rd), "line one", "first line");
    test.equalInt(Rd.Index(rd), 9, "Index");
    test.equalText(Rd.GetLine(rd), "line two", "second line");
    test.equalText(Rd.GetLine(rd), "", "empty line");
    test.equalText(Rd.GetLine(rd), "last", "line without newline");
    test.check(Rd.EOF(rd), "EOF");
    TRY
      EVAL Rd.GetChar(rd);
    EXCEPT
    | Rd.EndOfFile => ended := TRUE;
    END;
    test.check(ended, "EndOfFile");
    Rd.UnGetChar(rd);
    test.equalInt(ORD(Rd.GetChar(rd)), ORD('t'), "UnGetChar");
    Rd.Seek(rd, 5);
    test.equalInt(Rd.GetSub(rd, chars), 5, "GetSub");
    test.equalText(Text.FromChars(chars), "one\nl", "GetSub's characters");
    test.equalInt(Rd.UnGetCharMulti(rd, 3), 3, "UnGetCharMulti");
    test.equalText(Rd.GetText(rd, 3), "e\nl", "GetText");
    test.equalInt(Rd.GetSubLine(rd, chars), 5, "GetSubLine, full");
    test.equalText(Text.FromChars(chars), "ine t", "GetSubLine's characters");
    test.equalInt(Rd.GetSubLine(rd, chars), 4, "GetSubLine, to the newline");
    Rd.Seek(rd, 1000);
    test.equalInt(Rd.Index(rd), 24, "Seek beyond the end");
    test.equalText(Rd.GetText(rd, 5), "", "GetText at the end");
    Rd.Close(rd);
    test.check(Rd.Closed(rd), "Closed");

    FOR i := 0 TO 999 DO
      Wr.PutText(wr, "ab");
      Wr.PutChar(wr, 'c');
    END;
    Wr.PutString(wr, ARRAY OF CHAR{'x', 'y'});
    test.equalInt(Wr.Index(wr), 3002, "Wr.Index");
    WrClass.Lock(wr);
    TRY
      EVAL TextWr.ToText(wr);
    EXCEPT
    | RuntimeError.E => locks := TRUE;
    END;
    WrClass.Unlock(wr);
    test.check(locks, "ToText asks for the lock, as all do");
    test.equalInt(Wr.Length(wr), 3002, "Wr.Length");
    WITH t = TextWr.ToText(wr) DO
      test.equalInt(Text.Length(t), 3002, "ToText's length");
      test.equalText(Text.Sub(t, 2994), "abcabcxy", "ToText's end");
    END;
    Wr.PutText(wr, "again");
    test.equalText(TextWr.ToText(wr), "again", "ToText empties the writer");
  END TestAll;

BEGIN
END TextStreamsTest.
