(* golden: run *)
(* Streams on streams, as programs of the 1990s made them: a reader that expands tabs of another
   reader, a reader of a part of a text that reads whole strings itself, a writer that copies to two
   others and numbers lines. *)
UNSAFE MODULE Main;

IMPORT Fmt, Rd, RdClass, RdCopy, Stdio, Text, TextRd, TextWr, Thread, UnsafeRd, UnsafeWr, Wr, WrClass;

<*FATAL Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

(* --- a filter: not seekable, one line in the buffer --- *)

TYPE
  Expander = Rd.T OBJECT
      child: Rd.T;
    METHODS
      init(child: Rd.T): Expander := InitExpander;
    OVERRIDES
      seek := NextLine;
      length := UnknownLength;
      close := CloseChild;
    END;

PROCEDURE InitExpander(self: Expander; child: Rd.T): Expander =
  BEGIN
    self.child := child;
    self.buff := NEW(REF ARRAY OF CHAR, 256);
    self.st := 0;
    self.lo := 0;
    self.hi := 0;
    self.cur := 0;
    self.closed := FALSE;
    self.seekable := FALSE;
    self.intermittent := Rd.Intermittent(child);
    RETURN self;
  END InitExpander;

PROCEDURE NextLine(self: Expander; n: CARDINAL; dontBlock: BOOLEAN): RdClass.SeekResult
  RAISES {Rd.Failure, Thread.Alerted} =
  VAR c: CHAR;  column: CARDINAL := 0;
  BEGIN
    <*ASSERT n = self.hi*>
    self.lo := self.hi;
    self.cur := self.hi;
    LOCK self.child DO
      TRY
        REPEAT
          IF dontBlock AND UnsafeRd.FastCharsReady(self.child) = 0 THEN EXIT END;
          c := UnsafeRd.FastGetChar(self.child);
          IF c = '\t' THEN
            REPEAT self.buff[column] := ' '; INC(column) UNTIL column MOD 8 = 0;
          ELSE
            self.buff[column] := c;
            INC(column);
          END;
        UNTIL c = '\n' OR column > 240;
      EXCEPT
      | Rd.EndOfFile => (* what there is *)
      END;
    END;
    INC(self.hi, column);
    IF column > 0 THEN RETURN RdClass.SeekResult.Ready END;
    IF dontBlock THEN RETURN RdClass.SeekResult.WouldBlock END;
    RETURN RdClass.SeekResult.Eof;
  END NextLine;

PROCEDURE UnknownLength(<*UNUSED*> self: Expander): INTEGER =
  BEGIN
    RETURN -1;
  END UnknownLength;

PROCEDURE CloseChild(self: Expander) RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    Rd.Close(self.child);
  END CloseChild;

(* --- seekable, the whole source in the buffer from st on; its own getSub --- *)

TYPE
  Part = Rd.T OBJECT METHODS
      init(READONLY a: ARRAY OF CHAR; from, for: CARDINAL): Part := InitPart;
    OVERRIDES
      seek := SeekPart;
      getSub := GetSubPart;
      length := LengthOfPart;
    END;

PROCEDURE InitPart(self: Part; READONLY a: ARRAY OF CHAR; from, for: CARDINAL): Part =
  BEGIN
    self.buff := NEW(REF ARRAY OF CHAR, NUMBER(a));
    self.buff^ := a;
    self.st := from;
    self.lo := 0;
    self.cur := 0;
    self.hi := for;
    self.closed := FALSE;
    self.seekable := TRUE;
    self.intermittent := FALSE;
    RETURN self;
  END InitPart;

PROCEDURE SeekPart(self: Part; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult =
  BEGIN
    self.cur := MIN(n, self.hi);
    IF self.cur = self.hi THEN RETURN RdClass.SeekResult.Eof END;
    RETURN RdClass.SeekResult.Ready;
  END SeekPart;

PROCEDURE GetSubPart(self: Part; VAR a: ARRAY OF CHAR): CARDINAL =
  VAR n := MIN(NUMBER(a), self.hi - self.cur);
  BEGIN
    SUBARRAY(a, 0, n) := SUBARRAY(self.buff^, self.st + self.cur - self.lo, n);
    INC(self.cur, n);
    RETURN n;
  END GetSubPart;

PROCEDURE LengthOfPart(self: Part): INTEGER =
  BEGIN
    RETURN self.hi;
  END LengthOfPart;

(* --- a writer without a buffer of its own --- *)

TYPE
  Tee = Wr.T OBJECT
      a, b: Wr.T;
      line := 0;
      fresh := TRUE;
    METHODS
      init(a, b: Wr.T): Tee := InitTee;
    OVERRIDES
      seek := SeekTee;
      putString := PutStringTee;
      flush := FlushTee;
      close := CloseTee;
    END;

PROCEDURE InitTee(self: Tee; a, b: Wr.T): Tee =
  BEGIN
    WrClass.Lock(self);
    TRY
      self.a := a;
      self.b := b;
      self.buff := NEW(REF ARRAY OF CHAR, 1);
      self.st := 0;
      self.lo := 0;
      self.cur := 0;
      self.hi := 1;
      self.closed := FALSE;
      self.seekable := FALSE;
      self.buffered := TRUE;
    FINALLY
      WrClass.Unlock(self);
    END;
    RETURN self;
  END InitTee;

PROCEDURE Send(self: Tee; READONLY s: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    FOR i := 0 TO LAST(s) DO
      IF self.fresh THEN
        INC(self.line);
        Wr.PutText(self.a, Fmt.F("%3s ", Fmt.Int(self.line)));
      END;
      Wr.PutChar(self.a, s[i]);
      self.fresh := s[i] = '\n';
    END;
    LOCK self.b DO UnsafeWr.FastPutString(self.b, s) END;
  END Send;

PROCEDURE SeekTee(self: Tee; <*UNUSED*> n: CARDINAL) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    FlushTee(self);
  END SeekTee;

PROCEDURE PutStringTee(self: Tee; READONLY s: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    FlushTee(self);
    Send(self, s);
    INC(self.cur, NUMBER(s));
    self.lo := self.cur;
    self.hi := self.cur + 1;
  END PutStringTee;

PROCEDURE FlushTee(self: Tee) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF self.cur > self.lo THEN
      Send(self, SUBARRAY(self.buff^, 0, self.cur - self.lo));
      self.lo := self.cur;
      self.hi := self.cur + 1;
    END;
  END FlushTee;

PROCEDURE CloseTee(self: Tee) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Wr.Flush(self.a);
    Wr.Flush(self.b);
  END CloseTee;

VAR
  copy := TextWr.New();
  tee := NEW(Tee).init(Stdio.stdout, copy);
  rd: Rd.T := NEW(Expander).init(TextRd.New("a\tb\nno tab\n\tindented\nlast"));
  chars: ARRAY [0..25] OF CHAR;
  part: Part;
  four: ARRAY [0..3] OF CHAR;

BEGIN
  Wr.PutText(tee, Rd.GetLine(rd) & "\n");
  Wr.PutText(tee, "ready: " & Fmt.Bool(Rd.CharsReady(rd) >= 1) & "\n");
  EVAL RdCopy.ToWriter(rd, tee);
  Wr.PutChar(tee, '\n');
  Rd.Close(rd);

  FOR c := 'a' TO 'z' DO chars[ORD(c) - ORD('a')] := c END;
  part := NEW(Part).init(chars, 5, 10);
  Wr.PutText(tee, Fmt.Int(Rd.Length(part)) & " " & Rd.GetText(part, 3));
  EVAL Rd.GetSub(part, four);
  Wr.PutString(tee, four);
  Rd.Seek(part, 8);
  Wr.PutText(tee, Rd.GetText(part, 100) & " " & Fmt.Bool(Rd.EOF(part)) & "\n");
  Rd.Seek(part, 0);
  Wr.PutChar(tee, Rd.GetChar(part));
  Wr.PutChar(tee, '\n');
  Wr.PutText(tee, Fmt.Int(Wr.Index(tee)) & "\n");
  Wr.Close(tee);
  Wr.PutText(Stdio.stdout, "copied " & Fmt.Int(Text.Length(TextWr.ToText(copy))) & "\n");
END Main.
(* expect:   1 a       b *)
(* expect:   2 ready: TRUE *)
(* expect:   3 no tab *)
(* expect:   4         indented *)
(* expect:   5 last *)
(* expect:   6 10 fghijklno TRUE *)
(* expect:   7 f *)
(* expect:   8 71 *)
(* expect: copied 74 *)
