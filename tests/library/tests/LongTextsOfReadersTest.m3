(* Rd.GetText of any number of characters gives those characters, in a flat text, leaves the rest, and loses nothing
   when the reader fails in the middle. *)
MODULE LongTextsOfReadersTest;

IMPORT Test, Rd, RdClass, Text, TextClass, TextRd;

VAR test: Test.T;  (* that runs *)

PROCEDURE SetUp(t: Test.T) =
  BEGIN
    test := t;
  END SetUp;

<*FATAL ANY*>

VAR source := NEW(REF ARRAY OF CHAR, 70000);

PROCEDURE Is(got: TEXT; first, length: CARDINAL; what: TEXT) =
  VAR info: TextClass.Info;
  BEGIN
    got.get_info(info);
    test.check(Text.Equal(got, Text.FromChars(SUBARRAY(source^, first, length))), what);
    test.check(info.start # NIL, what & ": flat");
  END Is;

PROCEDURE Read(length: CARDINAL; what: TEXT) =
  VAR
    rd := TextRd.New(Text.FromChars(source^));
    taken := MIN(length, NUMBER(source^) - 1);
  BEGIN
    test.check(Rd.GetChar(rd) = source[0], what & ": the first character");
    Is(Rd.GetText(rd, length), 1, taken, what);
    test.equalInt(Rd.Index(rd), 1 + taken, what & ": index");
    IF taken < NUMBER(source^) - 1 THEN
      test.check(Rd.GetChar(rd) = source[1 + taken], what & ": the next character");
    ELSE
      test.check(Rd.EOF(rd), what & ": end of file");
      test.equalText(Rd.GetText(rd, 5000), "", what & ": behind the end");
    END;
  END Read;

(* A reader of the source that fails once at a position, and has a small buffer. *)
TYPE
  Failing = Rd.T OBJECT
    failsAt: CARDINAL;
    failed := FALSE;
  OVERRIDES
    seek := Seek;
  END;

PROCEDURE Seek(rd: Failing; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult RAISES {Rd.Failure} =
  CONST Size = 1000;
  BEGIN
    IF n >= rd.failsAt AND NOT rd.failed THEN
      rd.failed := TRUE;
      RAISE Rd.Failure(NIL);
    END;
    IF n >= NUMBER(source^) THEN RETURN RdClass.SeekResult.Eof END;
    rd.buff := NEW(REF ARRAY OF CHAR, Size);
    rd.st := 0;
    rd.lo := n;
    rd.hi := MIN(n + Size, NUMBER(source^));
    rd.cur := n;
    SUBARRAY(rd.buff^, 0, rd.hi - n) := SUBARRAY(source^, n, rd.hi - n);
    RETURN RdClass.SeekResult.Ready;
  END Seek;

PROCEDURE FailAt(position: CARDINAL; what: TEXT) =
  VAR rd := NEW(Failing, failsAt := position, closed := FALSE, seekable := FALSE, intermittent := FALSE);
  BEGIN
    TRY
      EVAL Rd.GetText(rd, LAST(CARDINAL));
      test.check(FALSE, what & ": does not fail");
    EXCEPT
    | Rd.Failure =>
    END;
    test.equalInt(Rd.Index(rd), 0, what & ": all is put back");
    Is(Rd.GetText(rd, LAST(CARDINAL)), 0, NUMBER(source^), what);
  END FailAt;

PROCEDURE TestAll(<*UNUSED*> running: Test.T) RAISES ANY =
  BEGIN
    FOR i := 0 TO LAST(source^) DO source[i] := VAL(ORD('a') + (i + i DIV 97) MOD 26, CHAR) END;
    Read(1, "one");
    Read(4095, "4095");
    Read(4096, "4096");
    Read(4097, "4097");
    Read(16384, "16384");
    Read(16385, "16385");
    Read(40000, "40000");
    Read(NUMBER(source^) - 1, "all");
    Read(NUMBER(source^), "one more");
    Read(LAST(CARDINAL), "no limit");
    FailAt(3000, "failure at 3000");
    FailAt(5000, "failure at 5000");
    FailAt(16384, "failure at 16384");
    FailAt(69000, "failure at 69000");
  END TestAll;

BEGIN
END LongTextsOfReadersTest.
