(* golden: run, with lib/Check *)
(* Readers and writers of a program's own: all methods overridden, and the defaults called. *)
MODULE Main;

IMPORT AtomList, Atom, Check, Fmt, Rd, RdClass, RuntimeError, Text, Thread, UnsafeRd, UnsafeWr, Wr,
  WrClass;

<*FATAL Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

TYPE
  (* Reads `text` five characters at a time and counts the calls of its methods. Fails at the
     position failAt. *)
  Source = Rd.T OBJECT
      text: TEXT;
      failAt := LAST(INTEGER);
      seeks, subs, closes := 0;
    METHODS
      init(text: TEXT): Source := InitSource;
    OVERRIDES
      seek := SeekSource;
      getSub := SubSource;
      length := LengthOfSource;
      close := CloseSource;
    END;

  (* Overrides only the methods that it must. *)
  Plain = Rd.T OBJECT OVERRIDES seek := SeekPlain END;

PROCEDURE InitSource(self: Source; text: TEXT): Source =
  BEGIN
    RdClass.Init(self);
    self.text := text;
    self.buff := NEW(REF ARRAY OF CHAR, 5);
    self.closed := FALSE;
    self.seekable := TRUE;
    RETURN self;
  END InitSource;

PROCEDURE SeekSource(self: Source; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult
  RAISES {Rd.Failure} =
  VAR length := Text.Length(self.text);
  BEGIN
    INC(self.seeks);
    IF n >= self.failAt THEN
      RAISE Rd.Failure(AtomList.List1(Atom.FromText("Source")));
    END;
    n := MIN(n, length);
    self.lo := n;
    self.st := 0;
    self.cur := n;
    self.hi := MIN(n + 5, length);
    Text.SetChars(self.buff^, Text.Sub(self.text, n, self.hi - n));
    IF n = length THEN RETURN RdClass.SeekResult.Eof END;
    RETURN RdClass.SeekResult.Ready;
  END SeekSource;

PROCEDURE SubSource(self: Source; VAR a: ARRAY OF CHAR): CARDINAL RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    INC(self.subs);
    RETURN RdClass.GetSubDefault(self, a);
  END SubSource;

PROCEDURE LengthOfSource(self: Source): INTEGER =
  BEGIN
    RETURN Text.Length(self.text);
  END LengthOfSource;

PROCEDURE CloseSource(self: Source) RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    INC(self.closes);
    self.buff := NIL;
    RdClass.CloseDefault(self);
  END CloseSource;

PROCEDURE SeekPlain(self: Plain; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult =
  BEGIN
    self.cur := n;
    RETURN RdClass.SeekResult.Eof;
  END SeekPlain;

PROCEDURE Readers() =
  CONST Alphabet = "abcdefghijklmnopqrstuvwxyz";
  VAR rd := NEW(Source).init(Alphabet);  a: ARRAY [0..11] OF CHAR;  failed := FALSE;
  BEGIN
    Check.That(Rd.GetChar(rd) = 'a', "GetChar");
    Check.Int(rd.seeks, 1, "seek");
    Check.Int(Rd.GetSub(rd, a), 12, "GetSub");
    Check.Int(rd.subs, 1, "getSub");
    Check.Text(Text.FromChars(a), "bcdefghijklm", "its characters");
    Check.Int(Rd.Index(rd), 13, "Index");
    Check.Int(Rd.Length(rd), 26, "Length");
    Rd.Seek(rd, 24);
    Check.Int(Rd.GetSub(rd, a), 2, "GetSub at the end");
    Check.That(Rd.EOF(rd), "EOF");
    Rd.Seek(rd, 100);
    Check.Int(Rd.Index(rd), 26, "Seek behind the end");
    Rd.Seek(rd, 3);
    Check.Text(Rd.GetText(rd, 2), "de", "after Seek");
    Rd.UnGetChar(rd);
    Check.That(Rd.GetChar(rd) = 'e', "UnGetChar");
    RdClass.Lock(rd);
    TRY
      Check.That(UnsafeRd.FastGetChar(rd) = 'f', "FastGetChar");
      Check.That(NOT UnsafeRd.FastEOF(rd), "FastEOF");
      UnsafeRd.FastUnGetChar(rd);
    FINALLY
      RdClass.Unlock(rd);
    END;
    LOCK rd DO Check.That(UnsafeRd.FastGetChar(rd) = 'f', "a reader is a mutex") END;
    rd.failAt := 10;
    TRY
      EVAL Rd.GetText(rd, 100);
    EXCEPT
    | Rd.Failure (why) =>
      failed := TRUE;
      Check.Text(Atom.ToText(why.head), "Source", "why");
    END;
    Check.That(failed, "Failure");
    rd.failAt := LAST(INTEGER);
    Check.Text(Rd.GetText(rd, 8), "ghijklmn", "after a failure nothing is lost");
    Rd.Close(rd);
    Rd.Close(rd);
    Check.Int(rd.closes, 1, "close");
    Check.That(Rd.Closed(rd), "Closed");
    failed := FALSE;
    TRY EVAL Rd.GetChar(rd) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "GetChar of a closed reader");
    RdClass.Lock(rd);
    RdClass.Unlock(rd);
  END Readers;

(* When an operation fails after it has taken characters, the next operation reads them again. *)
PROCEDURE Failures() =
  CONST Chars = "abcdefghijklmnopqrst\nuvwxyz";
  VAR
    rd: Source;
    failed := 0;
    a: ARRAY [0..19] OF CHAR;
    wide: ARRAY [0..9] OF WIDECHAR;
  BEGIN
    FOR operation := 0 TO 7 DO
      rd := NEW(Source).init(Chars);
      EVAL Rd.GetChar(rd);
      rd.failAt := 10;
      TRY
        CASE operation OF
        | 0 => EVAL Rd.GetLine(rd);
        | 1 => EVAL Rd.GetText(rd, 20);
        | 2 => EVAL Rd.GetSub(rd, a);
        | 3 => EVAL Rd.GetSubLine(rd, a);
        | 4 => EVAL Rd.GetWideLine(rd);
        | 5 => EVAL Rd.GetWideText(rd, 20);
        | 6 => EVAL Rd.GetWideSub(rd, wide);
        ELSE EVAL Rd.GetWideSubLine(rd, wide);
        END;
      EXCEPT
      | Rd.Failure => INC(failed);
      END;
      rd.failAt := LAST(INTEGER);
      Check.Int(Rd.Index(rd), 1, "Index after a failure");
      Check.Text(Rd.GetText(rd, 100), Text.Sub(Chars, 1), "nothing is lost, " & Fmt.Int(operation));
    END;
    Check.Int(failed, 8, "failures");

    (* Also more than a piece of a text. *)
    WITH long = TextOf(10000) DO
      rd := NEW(Source).init(long);
      rd.failAt := 9000;
      failed := 0;
      TRY EVAL Rd.GetText(rd, 10000) EXCEPT Rd.Failure => INC(failed) END;
      TRY EVAL Rd.GetWideText(rd, 5000) EXCEPT Rd.Failure => INC(failed) END;
      TRY EVAL Rd.GetWideLine(rd) EXCEPT Rd.Failure => INC(failed) END;
      Check.Int(failed, 3, "failures");
      rd.failAt := LAST(INTEGER);
      Check.Text(Rd.GetText(rd, 10000), long, "a long text");
    END;
  END Failures;

PROCEDURE TextOf(n: CARDINAL): TEXT =
  VAR chars := NEW(REF ARRAY OF CHAR, n);
  BEGIN
    FOR i := 0 TO n - 1 DO chars[i] := VAL(ORD('a') + i MOD 26, CHAR) END;
    RETURN Text.FromChars(chars^);
  END TextOf;

PROCEDURE Defaults() =
  VAR rd := NEW(Plain, buff := NEW(REF ARRAY OF CHAR, 1), closed := FALSE);  failed := FALSE;
      a: ARRAY [0..3] OF CHAR;
  BEGIN
    Check.Int(rd.getSub(a), 0, "the default getSub at the end");
    TRY EVAL Rd.Length(rd) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "the default length");
    failed := FALSE;
    TRY EVAL RdClass.LengthDefault(rd) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "LengthDefault");
    failed := FALSE;
    TRY Rd.Seek(rd, 0) EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "Seek of a reader that is not seekable");
    Rd.Close(rd);
    Check.That(Rd.Closed(rd), "Closed");
  END Defaults;

TYPE
  (* Collects in `sent` the characters that leave its buffer of four characters. *)
  Sink = Wr.T OBJECT
      sent := "";
      strings, flushes, closes := 0;
      failing := FALSE;
    METHODS
      init(buffered: BOOLEAN): Sink := InitSink;
    OVERRIDES
      seek := SeekSink;
      putString := StringToSink;
      length := LengthOfSink;
      flush := FlushSink;
      close := CloseSink;
    END;

  PlainSink = Wr.T OBJECT OVERRIDES seek := SeekPlainSink END;

PROCEDURE InitSink(self: Sink; buffered: BOOLEAN): Sink =
  BEGIN
    self.buff := NEW(REF ARRAY OF CHAR, 4);
    self.lo := 0;
    self.cur := 0;
    self.hi := 4;
    self.st := 0;
    self.closed := FALSE;
    self.seekable := FALSE;
    self.buffered := buffered;
    RETURN self;
  END InitSink;

PROCEDURE Send(self: Sink) RAISES {Wr.Failure} =
  BEGIN
    IF self.failing THEN RAISE Wr.Failure(AtomList.List1(Atom.FromText("Sink"))) END;
    self.sent := self.sent & Text.FromChars(SUBARRAY(self.buff^, 0, self.cur - self.lo));
    self.lo := self.cur;
    self.hi := self.cur + 4;
  END Send;

PROCEDURE SeekSink(self: Sink; n: CARDINAL) RAISES {Wr.Failure} =
  BEGIN
    <*ASSERT n = self.cur AND n = self.hi*>
    Send(self);
  END SeekSink;

PROCEDURE StringToSink(self: Sink; READONLY a: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    INC(self.strings);
    WrClass.PutStringDefault(self, a);
  END StringToSink;

PROCEDURE LengthOfSink(self: Sink): CARDINAL =
  BEGIN
    RETURN WrClass.LengthDefault(self);
  END LengthOfSink;

PROCEDURE FlushSink(self: Sink) RAISES {Wr.Failure} =
  BEGIN
    INC(self.flushes);
    Send(self);
    WrClass.FlushDefault(self);
  END FlushSink;

PROCEDURE CloseSink(self: Sink) =
  BEGIN
    INC(self.closes);
    self.buff := NIL;
    WrClass.CloseDefault(self);
  END CloseSink;

PROCEDURE SeekPlainSink(self: PlainSink; <*UNUSED*> n: CARDINAL) =
  BEGIN
    self.lo := self.cur;
    self.hi := self.cur + NUMBER(self.buff^);
  END SeekPlainSink;

PROCEDURE Writers() =
  VAR wr := NEW(Sink).init(TRUE);  direct := NEW(Sink).init(FALSE);  failed := FALSE;
      plain := NEW(PlainSink, buff := NEW(REF ARRAY OF CHAR, 8), hi := 8, closed := FALSE,
                   buffered := TRUE);
  BEGIN
    Wr.PutChar(wr, 'a');
    Wr.PutString(wr, ARRAY OF CHAR{'b', 'c', 'd', 'e', 'f'});
    Check.Int(wr.strings, 1, "putString");
    Check.Text(wr.sent, "abcd", "what the buffer could not keep");
    Check.Int(Wr.Index(wr), 6, "Index");
    Check.Int(Wr.Length(wr), 6, "Length");
    Wr.Flush(wr);
    Check.Text(wr.sent, "abcdef", "Flush");
    Check.Int(wr.flushes, 1, "flush");
    RdWrite(wr);
    Check.That(Wr.Buffered(wr) AND NOT Wr.Seekable(wr), "Buffered");
    wr.failing := TRUE;
    TRY
      Wr.PutText(wr, "0123456789");
    EXCEPT
    | Wr.Failure (why) =>
      failed := TRUE;
      Check.Text(Atom.ToText(why.head), "Sink", "why");
    END;
    Check.That(failed, "Failure");
    wr.failing := FALSE;
    Wr.Close(wr);
    Wr.Close(wr);
    Check.Int(wr.closes, 1, "close");
    failed := FALSE;
    TRY Wr.PutChar(wr, 'x') EXCEPT RuntimeError.E => failed := TRUE END;
    Check.That(failed, "PutChar to a closed writer");

    Wr.PutText(direct, "xy");
    Wr.PutChar(direct, 'z');
    Check.Text(direct.sent, "xyz", "not buffered");
    Check.Int(direct.flushes, 2, "a flush for each operation");

    Wr.PutText(plain, Fmt.Pad("", 20, 'p'));
    Check.Int(Wr.Length(plain), 20, "the default length");
    Wr.Flush(plain);
    Wr.Close(plain);
    Check.That(Wr.Closed(plain), "the default close");
  END Writers;

(* Several operations under one lock. *)
PROCEDURE RdWrite(wr: Sink) =
  BEGIN
    WrClass.Lock(wr);
    TRY
      UnsafeWr.FastPutChar(wr, 'g');
      UnsafeWr.FastPutText(wr, "hi");
      UnsafeWr.FastPutInt(wr, -1);
    FINALLY
      WrClass.Unlock(wr);
    END;
    Wr.Flush(wr);
    Check.Text(wr.sent, "abcdefghi-1", "UnsafeWr");
  END RdWrite;

BEGIN
  Readers();
  Failures();
  Defaults();
  Writers();
  Check.Done();
END Main.
(* expect: all checks hold *)
