(* golden: run, with lib/Check *)
(* Wr.PutText has a fast path for writers that copy into their buffer; other writers must not
   take it. *)
UNSAFE MODULE Main;

IMPORT Check, MutexRep, RuntimeError, Text, TextWr, Thread, UnsafeWr, Wr, WrClass;

<*FATAL Wr.Failure, Thread.Alerted*>

TYPE
  Shouting = TextWr.T OBJECT texts := 0 OVERRIDES putString := Shout END;
  Unbuffered = TextWr.T OBJECT flushes := 0 OVERRIDES flush := CountFlush END;
  Guarded = TextWr.T OBJECT locks := 0 OVERRIDES acquire := CountAcquire END;

PROCEDURE Shout(wr: Shouting; READONLY a: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    INC(wr.texts);
    FOR i := 0 TO LAST(a) DO UnsafeWr.FastPutChar(wr, '!') END;
  END Shout;

PROCEDURE CountFlush(wr: Unbuffered) =
  BEGIN
    INC(wr.flushes);
  END CountFlush;

PROCEDURE CountAcquire(wr: Guarded) =
  BEGIN
    INC(wr.locks);
    MUTEX.acquire(wr);
  END CountAcquire;

PROCEDURE Closed(wr: Wr.T; t: TEXT): BOOLEAN =
  BEGIN
    TRY Wr.PutText(wr, t) EXCEPT RuntimeError.E => RETURN TRUE END;
    RETURN FALSE;
  END Closed;

(* While another thread runs, the lock is needed. *)
PROCEDURE Both() =
  CONST N = 20000;
  VAR wr := TextWr.New();  other := Thread.Fork(NEW(Writing, wr := wr, n := N));  t: TEXT;  n := 0;
  BEGIN
    FOR i := 1 TO N DO Wr.PutText(wr, "<main>") END;
    EVAL Thread.Join(other);
    t := TextWr.ToText(wr);
    Check.Int(Text.Length(t), 13 * N, "both: length");
    FOR i := 0 TO Text.Length(t) - 1 DO
      IF Text.GetChar(t, i) = '<' THEN INC(n) ELSIF Text.GetChar(t, i) = '>' THEN DEC(n) END;
      IF n < 0 OR n > 1 THEN Check.That(FALSE, "both: one text inside another"); EXIT END;
    END;
  END Both;

TYPE
  Writing = Thread.Closure OBJECT wr: Wr.T; n: INTEGER OVERRIDES apply := Write END;

PROCEDURE Write(w: Writing): REFANY =
  BEGIN
    FOR i := 1 TO w.n DO Wr.PutText(w.wr, "<other>") END;
    RETURN NIL;
  END Write;

VAR
  plain := TextWr.New();
  shouting: Shouting := NEW(Shouting).init();
  unbuffered: Unbuffered := NEW(Unbuffered).init();
  guarded: Guarded := NEW(Guarded).init();
  long: TEXT := "";
BEGIN
  FOR i := 1 TO 300 DO
    Wr.PutText(plain, "ab");
    Wr.PutText(plain, "");
    Wr.PutText(plain, Text.FromWideChars(ARRAY OF WIDECHAR{VAL(16_63, WIDECHAR)}));
    long := long & "abc";
  END;
  Wr.PutText(plain, long);  (* not flat *)
  Wr.PutText(plain, Text.Sub(long & long, 0, 900));
  Check.Int(Wr.Index(plain), 2700, "plain: index");
  Check.Text(TextWr.ToText(plain), long & long & long, "plain: text");
  Wr.PutText(plain, "again");
  Check.Text(TextWr.ToText(plain), "again", "plain: after ToText");
  FOR i := 1 TO 3 DO
    Wr.PutText(shouting, "ab");
    Wr.PutText(guarded, "ab");
    unbuffered.buffered := FALSE;
    Wr.PutText(unbuffered, "ab");
  END;
  Check.Int(shouting.texts, 3, "putString is called");
  Check.Text(TextWr.ToText(shouting), "!!!!!!", "and puts what it wants");
  Check.That(guarded.locks >= 3, "acquire is called");
  Check.Int(unbuffered.flushes, 3, "flush is called");
  Wr.PutText(plain, "x");
  Wr.Close(plain);
  Check.That(Closed(plain, "x"), "closed");
  Check.That(Closed(plain, ""), "closed, nothing to put");
  Both();
  Check.Done();
END Main.
(* expect: all checks hold *)
