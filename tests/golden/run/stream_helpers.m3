(* golden: run, with lib/Check *)
(* UnsafeRd, UnsafeWr, RdUtils, RdCopy, RdExtras, NullRd, NullWr, MsgRd, MsgWr. *)
MODULE Main;

IMPORT ASCII, Check, FileRd, FileWr, MsgRd, MsgWr, NullRd, NullWr, Rd, RdClass, RdCopy,
  RdExtras, RdUtils, Text, TextRd, TextWr, Thread, UnsafeRd, UnsafeWr, Wr, WrClass;

<*FATAL ANY*>

PROCEDURE Unsafe() =
  VAR
    rd := TextRd.New("some text\nW\000");
    wr := TextWr.New();
    chars: ARRAY [0..3] OF CHAR;
    wide: ARRAY [0..0] OF WIDECHAR;
  BEGIN
    LOCK rd DO
      Check.That(UnsafeRd.FastGetChar(rd) = 's', "FastGetChar");
      UnsafeRd.FastUnGetChar(rd);
      Check.Int(UnsafeRd.FastGetSub(rd, chars), 4, "FastGetSub");
      Check.Text(Text.FromChars(chars), "some", "FastGetSub's characters");
      Check.Int(UnsafeRd.FastUnGetCharMulti(rd, 2), 2, "FastUnGetCharMulti");
      Check.Int(UnsafeRd.FastIndex(rd), 2, "FastIndex");
      Check.Int(UnsafeRd.FastLength(rd), 12, "FastLength");
      Check.That(NOT UnsafeRd.FastEOF(rd), "FastEOF");
      Check.That(UnsafeRd.FastCharsReady(rd) > 0, "FastCharsReady");
      Check.That(UnsafeRd.FastSeekable(rd), "FastSeekable");
      Check.That(NOT UnsafeRd.FastIntermittent(rd), "FastIntermittent");
    END;
    Check.Text(Rd.GetLine(rd), "me text", "GetLine after the lock");
    RdClass.Lock(rd);
    Check.That(UnsafeRd.FastGetWideChar(rd) = W'W', "FastGetWideChar");
    Check.Int(UnsafeRd.FastGetWideSub(rd, wide), 0, "FastGetWideSub");
    Check.That(UnsafeRd.FastEOF(rd), "FastEOF at the end");
    UnsafeRd.FastClose(rd);
    Check.That(UnsafeRd.FastClosed(rd), "FastClosed");
    RdClass.Unlock(rd);

    LOCK wr DO
      UnsafeWr.FastPutChar(wr, 'a');
      UnsafeWr.FastPutWideChar(wr, W'b');
      UnsafeWr.FastPutText(wr, "text ");
      UnsafeWr.FastPutWideText(wr, "w");
      UnsafeWr.FastPutString(wr, ARRAY OF CHAR{'x', 'y'});
      UnsafeWr.FastPutWideString(wr, ARRAY OF WIDECHAR{W'z'});
      UnsafeWr.FastPutInt(wr, -255, 16);
      UnsafeWr.FastPutChar(wr, ' ');
      UnsafeWr.FastPutInt(wr, FIRST(INTEGER), 2);
      UnsafeWr.FastPutChar(wr, ' ');
      UnsafeWr.FastPutReal(wr, 2.5);
      UnsafeWr.FastPutChar(wr, ' ');
      UnsafeWr.FastPutLongReal(wr, -0.125d0);
      UnsafeWr.FastFlush(wr);
      Check.Int(UnsafeWr.FastLength(wr), 94, "FastLength");
    END;
    Check.Text(TextWr.ToText(wr),
               "ab\000text w\000xyz\000-ff -1" & Zeros(63) & " 2.5 -0.125", "what was written");
    WITH file = FileWr.Open("seekable") DO
      Wr.PutText(file, "0123456789");
      WrClass.Lock(file);
      UnsafeWr.FastSeek(file, 3);
      UnsafeWr.FastPutChar(file, 'x');
      UnsafeWr.FastClose(file);
      WrClass.Unlock(file);
      Check.That(Wr.Closed(file), "FastClose");
    END;
    WITH file = FileRd.Open("seekable") DO
      Check.Text(Rd.GetText(file, 100), "012x456789", "FastSeek");
      Rd.Close(file);
    END;
  END Unsafe;

PROCEDURE Zeros(n: CARDINAL): TEXT =
  VAR result := "";
  BEGIN
    FOR i := 1 TO n DO result := result & "0" END;
    RETURN result;
  END Zeros;

PROCEDURE Searching() =
  VAR rd := TextRd.New("ababcabABABD");
  BEGIN
    Check.Int(RdUtils.Find(rd, "abab"), 0, "Find");
    Check.Int(Rd.Index(rd), 4, "Index after Find");
    Check.Int(RdUtils.Find(rd, ""), 4, "Find nothing");
    Check.Int(RdUtils.Find(rd, "ababd", RdUtils.ToUpperCaseASCII), 7, "Find without case");
    Rd.Seek(rd, 0);
    Check.Int(RdUtils.Find(rd, "abd"), -1, "Find what is not there");
    Check.That(Rd.EOF(rd), "EOF after a search in vain");
    Rd.Seek(rd, 3);
    Check.Int(RdUtils.FindChar(rd, 'a'), 5, "FindChar");
    Check.Int(RdUtils.FindString(rd, ARRAY OF CHAR{'A', 'B', 'D'}), 9, "FindString");
    Check.That(RdUtils.ToUpperCaseASCII('z') = 'Z' AND RdUtils.ToUpperCaseASCII('1') = '1',
               "ToUpperCaseASCII");
  END Searching;

PROCEDURE Copying() =
  VAR
    big := NEW(REF ARRAY OF CHAR, 20000);
    text: TEXT;
    wr := TextWr.New();
    rd: Rd.T;
    sum := 0;
    given := 0;

  PROCEDURE Add(READONLY a: ARRAY OF CHAR) =
    BEGIN
      FOR i := 0 TO LAST(a) DO INC(sum, ORD(a[i])) END;
    END Add;

  PROCEDURE Give(VAR a: ARRAY OF CHAR): CARDINAL =
    BEGIN
      WITH n = MIN(NUMBER(a), 10000 - given) DO
        FOR i := 0 TO n - 1 DO a[i] := VAL(ORD('a') + (given + i) MOD 26, CHAR) END;
        INC(given, n);
        RETURN n;
      END;
    END Give;

  BEGIN
    FOR i := 0 TO LAST(big^) DO big[i] := VAL(ORD('a') + i MOD 26, CHAR) END;
    text := Text.FromChars(big^);
    rd := TextRd.New(text);
    Check.Int(RdCopy.ToWriter(rd, wr, 5), 5, "ToWriter with a length");
    Check.Text(TextWr.ToText(wr), "abcde", "what was copied");
    Check.Int(RdCopy.ToWriter(rd, wr), 19995, "ToWriter");
    Check.That(Text.Equal(TextWr.ToText(wr), Text.Sub(text, 5)), "what was copied");
    Check.Int(RdCopy.ToWriter(rd, wr), 0, "ToWriter at the end");
    Check.Int(RdCopy.ToProc(TextRd.New("abc"), Add), 3, "ToProc");
    Check.Int(sum, 97 + 98 + 99, "what proc was given");
    Check.Int(RdCopy.ToProc(TextRd.New("abc"), Add, 0), 0, "ToProc with length 0");
    Check.Int(RdCopy.FromProc(wr, Give), 10000, "FromProc");
    Check.That(Text.Equal(TextWr.ToText(wr), Text.Sub(text, 0, 10000)), "what was written");
    given := 0;
    Check.Int(RdCopy.FromProc(wr, Give, 7), 7, "FromProc with a length");
    Check.Text(TextWr.ToText(wr), "abcdefg", "what was written");
  END Copying;

PROCEDURE Words() =
  VAR rd := TextRd.New("  one two;three  ");  chars: ARRAY [0..3] OF CHAR;
  BEGIN
    Check.That(RdExtras.Skip(rd) = 'o', "Skip");
    Check.Int(RdExtras.GetUntil(rd, chars), 3, "GetUntil");
    Check.Text(Text.FromChars(SUBARRAY(chars, 0, 3)), "one", "GetUntil's word");
    Check.Int(RdExtras.GetChars(rd, chars, terminate := ASCII.Set{';'}, unget := FALSE), 3,
              "GetChars");
    Check.Text(Text.FromChars(SUBARRAY(chars, 0, 3)), "two", "GetChars' word");
    Check.Int(RdExtras.GetUntil(rd, chars), 4, "GetUntil of a full array");
    Check.That(RdExtras.Skip(rd, ASCII.Set{'x'}, FALSE) = 'e', "Skip without pushing back");
    Check.Text(RdExtras.GetText(rd), "", "GetText");
    TRY
      EVAL RdExtras.GetText(rd, ASCII.Spaces);
      Check.That(FALSE, "GetText at the end");
    EXCEPT
    | Rd.EndOfFile => Check.That(TRUE, "GetText at the end");
    END;
    Check.Text(RdExtras.GetText(TextRd.New("--last"), ASCII.Set{'-'}), "last", "the last word");
  END Words;

PROCEDURE Nothing() =
  VAR rd := NEW(NullRd.T).init();  wr := NEW(NullWr.T).init();
  BEGIN
    Check.That(Rd.EOF(rd), "NullRd");
    Check.Int(Rd.Length(rd), 0, "NullRd's length");
    Check.Text(Rd.GetText(rd, 5), "", "NullRd's text");
    Rd.Seek(rd, 10);
    Check.Int(Rd.Index(rd), 0, "NullRd's index");
    Rd.Close(rd);
    FOR i := 1 TO 3000 DO Wr.PutChar(wr, 'x') END;
    Wr.PutText(wr, "some text");
    Check.Int(Wr.Length(wr), 3009, "NullWr's length");
    Check.That(NOT Wr.Seekable(wr) AND Wr.Buffered(wr), "NullWr's flags");
    Wr.Close(wr);
  END Nothing;

(* A message writer that puts its messages into brackets, and a reader of lines as messages. *)
TYPE
  Bracketed = MsgWr.T OBJECT
      to: TextWr.T;
    OVERRIDES
      seek := BracketedSeek;
      flush := BracketedFlush;
      nextMsg := BracketedNext;
    END;
  Lines = MsgRd.T OBJECT
      from: Rd.T;
    OVERRIDES
      seek := LinesSeek;
      nextMsg := LinesNext;
    END;

PROCEDURE BracketedFlush(wr: Bracketed) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.PutString(wr.to, SUBARRAY(wr.buff^, 0, wr.cur - wr.lo));
    wr.lo := wr.cur;
    wr.hi := wr.cur + NUMBER(wr.buff^);
  END BracketedFlush;

PROCEDURE BracketedSeek(wr: Bracketed; <*UNUSED*> n: CARDINAL)
  RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    BracketedFlush(wr);
  END BracketedSeek;

PROCEDURE BracketedNext(wr: Bracketed) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    LOCK wr DO
      BracketedFlush(wr);
      Wr.PutText(wr.to, "][");
      wr.lo := 0;
      wr.cur := 0;
      wr.hi := NUMBER(wr.buff^);
    END;
  END BracketedNext;

PROCEDURE LinesSeek(rd: Lines; <*UNUSED*> n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN)
  : RdClass.SeekResult =
  BEGIN
    IF rd.cur < rd.hi THEN RETURN RdClass.SeekResult.Ready END;
    RETURN RdClass.SeekResult.Eof;
  END LinesSeek;

PROCEDURE LinesNext(rd: Lines): BOOLEAN RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    LOCK rd DO
      TRY
        WITH line = Rd.GetLine(rd.from) DO
          rd.buff := NEW(REF ARRAY OF CHAR, Text.Length(line));
          Text.SetChars(rd.buff^, line);
          rd.lo := 0;
          rd.cur := 0;
          rd.hi := Text.Length(line);
          RETURN TRUE;
        END;
      EXCEPT
      | Rd.EndOfFile => RETURN FALSE;
      END;
    END;
  END LinesNext;

PROCEDURE Messages() =
  VAR
    wr := NEW(Bracketed, to := TextWr.New(), buff := NEW(REF ARRAY OF CHAR, 3), hi := 3,
              closed := FALSE, buffered := TRUE);
    rd := NEW(Lines, from := TextRd.New("first\nsecond\n"), closed := FALSE);
    all := "";
  BEGIN
    Wr.PutText(wr, "a message");
    wr.nextMsg();
    Check.Int(Wr.Index(wr), 0, "index in the next message");
    Wr.PutText(wr, "b");
    wr.nextMsg();
    Check.Text(TextWr.ToText(wr.to), "a message][b][", "MsgWr");
    WHILE rd.nextMsg() DO all := all & Rd.GetText(rd, LAST(CARDINAL)) & "," END;
    Check.Text(all, "first,second,", "MsgRd");
  END Messages;

BEGIN
  Unsafe();
  Searching();
  Copying();
  Words();
  Nothing();
  Messages();
  Check.Done();
END Main.
(* expect: all checks hold *)
