(* Lex takes characters from the reader's buffer in pieces. A value may cross the ends of buffers of any size; when
   reading fails, the characters before the failure have been taken; and what follows a value stays. *)
MODULE LexAcrossBuffersTest;

IMPORT Test, FloatMode, Fmt, Lex, Rd, RdClass, Text, TextRd, Thread;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL Thread.Alerted*>

TYPE
  (* Brings `size` characters of the text at a time; at position `failsAt` reading fails once. *)
  Pieces = Rd.T OBJECT
      text: TEXT;
      size: CARDINAL;
      failsAt: INTEGER := -1;
      fails := TRUE;
    OVERRIDES
      seek := Seek;
    END;

PROCEDURE New(text: TEXT; size: CARDINAL; failsAt := -1): Rd.T =
  VAR rd := NEW(Pieces, text := text, size := size, failsAt := failsAt);
  BEGIN
    RdClass.Init(rd);
    rd.buff := NEW(REF ARRAY OF CHAR, size);
    RETURN rd;
  END New;

PROCEDURE Seek(rd: Pieces; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult RAISES {Rd.Failure} =
  BEGIN
    rd.st := 0;
    rd.lo := n;
    rd.cur := n;
    rd.hi := n;
    IF n = rd.failsAt AND rd.fails THEN rd.fails := FALSE; RAISE Rd.Failure(NIL) END;
    IF n >= Text.Length(rd.text) THEN RETURN RdClass.SeekResult.Eof END;
    IF rd.buff = NIL OR NUMBER(rd.buff^) < rd.size THEN rd.buff := NEW(REF ARRAY OF CHAR, rd.size) END;
    rd.hi := n + MIN(rd.size, Text.Length(rd.text) - n);
    Text.SetChars(SUBARRAY(rd.buff^, 0, rd.hi - n), rd.text, n);
    RETURN RdClass.SeekResult.Ready;
  END Seek;

PROCEDURE Repeat(t: TEXT; n: CARDINAL): TEXT =
  VAR u := "";
  BEGIN
    FOR i := 1 TO n DO u := u & t END;
    RETURN u;
  END Repeat;

PROCEDURE Values(rd: Rd.T; what: TEXT) RAISES ANY =
  VAR long := Repeat("abc", 300);
  BEGIN
    test.equalText(Lex.Scan(rd), "", what & ": a blank first");
    Lex.Skip(rd);
    test.equalText(Lex.Scan(rd), "word", what & ": a word");
    Lex.Skip(rd);
    test.equalText(Lex.Scan(rd), long, what & ": a long word");
    test.equalInt(Lex.Int(rd), -1234567, what & ": an integer");
    test.equalInt(Lex.Unsigned(rd), 16_7fff1234, what & ": a base");
    test.check(Lex.Bool(rd) AND NOT Lex.Bool(rd), what & ": booleans");
    test.check(Lex.LongReal(rd) = -12.5d3, what & ": a real");
    test.check(Lex.LongReal(rd) = 1.0d-100, what & ": a real of many digits");
    test.check(Lex.Real(rd) = 0.5, what & ": a real that begins with its point");
    test.check(Lex.LongReal(rd) < -1.0d300, what & ": an infinity");
    Lex.Skip(rd);
    Lex.Match(rd, "match");
    test.equalText(Lex.Scan(rd, SET OF CHAR{'x', 'y'}), "xyxy", what & ": a set");
    test.check(Rd.GetChar(rd) = 'z', what & ": what follows stays");
    test.equalText(Lex.Scan(rd), "", what & ": at the end");
    Lex.Skip(rd);
    test.check(Rd.EOF(rd), what & ": the end");
  END Values;

PROCEDURE All() RAISES ANY =
  CONST Digits = 100;
  VAR
    text := "  word\t\n" & Repeat("abc", 300) & " -1234567 16_7FFF1234 True fAlse -12.5e3 0." & Repeat("0", Digits - 1)
              & "1" & Repeat("0", Digits) & " .5 -inF matchxyxyz";
  BEGIN
    FOR size := 1 TO 9 DO Values(New(text, size), "size " & Fmt.Int(size)) END;
    Values(New(text, 10000), "at once");
    Values(TextRd.New(text), "a text");
  END All;

PROCEDURE Failing() RAISES ANY =
  VAR rd := New("  abcdef  12345 rest", 3, 6);  failed := FALSE;
  BEGIN
    Lex.Skip(rd);
    TRY EVAL Lex.Scan(rd) EXCEPT Rd.Failure => failed := TRUE END;
    test.check(failed AND Rd.Index(rd) = 6, "a failure in a word");
    test.equalText(Lex.Scan(rd), "ef", "the rest of the word");
    rd := New("     x", 2, 4);
    failed := FALSE;
    TRY Lex.Skip(rd) EXCEPT Rd.Failure => failed := TRUE END;
    test.check(failed AND Rd.Index(rd) = 4, "a failure in blanks");
    Lex.Skip(rd);
    test.check(Rd.GetChar(rd) = 'x', "behind the blanks");
  END Failing;

PROCEDURE Wrong(t: TEXT; taken: CARDINAL) RAISES ANY =
  VAR error := 0;
  BEGIN
    FOR size := 1 TO 4 DO
      WITH rd = New(t, size) DO
        TRY EVAL Lex.LongReal(rd) EXCEPT Lex.Error => INC(error) | FloatMode.Trap => INC(error, 100) END;
        test.equalInt(Rd.Index(rd), taken, "what `" & t & "` takes");
      END;
    END;
    test.equalInt(error, 4, "errors of " & t);
  END Wrong;

PROCEDURE Words() RAISES ANY =
  VAR rd := New("trUx", 2);  error := FALSE;
  BEGIN
    TRY EVAL Lex.Bool(rd) EXCEPT Lex.Error => error := TRUE END;
    test.check(error AND Rd.GetChar(rd) = 'x', "a wrong boolean");
    error := FALSE;
    rd := New("maTch", 1);
    TRY Lex.Match(rd, "match") EXCEPT Lex.Error => error := TRUE END;
    test.check(error AND Rd.GetChar(rd) = 'T', "a wrong word");
    (* The lock is free again after errors. *)
    RdClass.Lock(rd);
    RdClass.Unlock(rd);
    Lex.Match(rd, "");
    test.check(NOT Rd.EOF(rd), "nothing to match");
  END Words;

<*FATAL ANY*>

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    All();
    Failing();
    Wrong("1.5e+x", 5);
    Wrong("-.x", 2);
    Wrong("infini", 6);
    Wrong("nax", 2);
    Words();
  END TestAll;

BEGIN
END LexAcrossBuffersTest.
