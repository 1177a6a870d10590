(* golden: run, with lib/Check, stress=101 *)
(* A stream that one thread has used often is used without its lock; other threads that come later still find it
   whole. Writers whose putString does more than copy never skip it. *)
UNSAFE MODULE Main;

IMPORT Check, FS, FileRd, FileWr, Fmt, OSError, Process, Rd, RTThread, RdClass, Text, TextRd, TextWr, Thread, Wr, WrClass;

<*FATAL ANY*>

CONST
  Alone = 5000;    (* operations of one thread *)
  Shared = 20000;  (* of each of several threads, later *)
  File = "streams_beside_threads.out";

TYPE
  Work = PROCEDURE (n: INTEGER): INTEGER RAISES ANY;
  Worker = Thread.Closure OBJECT work: Work; n: INTEGER OVERRIDES apply := Apply END;
  Counting = FileWr.T OBJECT strings := 0 OVERRIDES putString := Count END;
  Result = REF INTEGER;

VAR
  wr: Wr.T;
  rd: Rd.T;
  mutex := NEW(MUTEX);
  condition := NEW(Thread.Condition);
  done := FALSE;

PROCEDURE Apply(w: Worker): REFANY =
  VAR r := NEW(Result);
  BEGIN
    r^ := w.work(w.n);
    RETURN r;
  END Apply;

PROCEDURE Count(w: Counting; READONLY a: ARRAY OF CHAR) =
  BEGIN
    INC(w.strings);
    FileWr.T.putString(w, a);
  END Count;

(* By n workers at once; the sum of their results. *)
PROCEDURE Together(workers: CARDINAL; work: Work; n: INTEGER): INTEGER =
  VAR threads := NEW(REF ARRAY OF Thread.T, workers);  sum := 0;
  BEGIN
    FOR i := 0 TO LAST(threads^) DO threads[i] := Thread.Fork(NEW(Worker, work := work, n := n)) END;
    FOR i := 0 TO LAST(threads^) DO INC(sum, NARROW(Thread.Join(threads[i]), Result)^) END;
    RETURN sum;
  END Together;

PROCEDURE Put(n: INTEGER): INTEGER =
  BEGIN
    FOR i := 1 TO n DO
      Wr.PutChar(wr, 'c');
      Wr.PutText(wr, "<text>");
      Wr.PutString(wr, ARRAY OF CHAR{'(', 's', ')'});
    END;
    RETURN n;
  END Put;

PROCEDURE Get(n: INTEGER): INTEGER =
  VAR sum := 0;
  BEGIN
    FOR i := 1 TO n DO
      IF Rd.EOF(rd) THEN RETURN -1 END;
      INC(sum, ORD(Rd.GetChar(rd)));
    END;
    RETURN sum;
  END Get;

PROCEDURE Has(t: TEXT; at: INTEGER; piece: TEXT): BOOLEAN =
  BEGIN
    FOR i := 0 TO Text.Length(piece) - 1 DO
      IF at + i >= Text.Length(t) OR Text.GetChar(t, at + i) # Text.GetChar(piece, i) THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Has;

(* No piece lies inside another. *)
PROCEDURE CheckPieces(t: TEXT; times: INTEGER; what: TEXT) =
  VAR i := 0;  c, s, p := 0;
  BEGIN
    WHILE i < Text.Length(t) DO
      CASE Text.GetChar(t, i) OF
      | 'c' => INC(c); INC(i);
      | '<' => IF Has(t, i, "<text>") THEN INC(s) END; INC(i, 6);
      | '(' => IF Has(t, i, "(s)") THEN INC(p) END; INC(i, 3);
      ELSE EXIT
      END;
    END;
    Check.That(c = times AND s = times AND p = times AND i = Text.Length(t), what);
  END CheckPieces;

PROCEDURE Writers(w: Wr.T; what: TEXT): INTEGER =
  BEGIN
    wr := w;
    EVAL Put(Alone);
    EVAL Together(3, Put, Shared);
    EVAL Together(1, Put, Alone);
    EVAL Put(Alone);
    Check.Int(Wr.Index(wr), 10 * (3 * Alone + 3 * Shared), what & ": index");
    RETURN 3 * Alone + 3 * Shared;
  END Writers;

PROCEDURE OfFile(): TEXT =
  VAR file := FileRd.Open(File);  t := Rd.GetText(file, LAST(CARDINAL));
  BEGIN
    Rd.Close(file);
    RETURN t;
  END OfFile;

PROCEDURE Readers(r: Rd.T; sum: INTEGER; what: TEXT) =
  BEGIN
    rd := r;
    sum := sum - Get(Alone) - Together(1, Get, Alone) - Get(Alone);
    sum := sum - Together(3, Get, Shared);
    Check.Int(sum, 0, what & ": the sum of all characters");
    Check.That(Rd.EOF(rd) AND Rd.Index(rd) = 3 * Alone + 3 * Shared, what & ": the end");
    RdClass.Lock(rd);
    RdClass.Unlock(rd);
    Rd.Close(rd);
  END Readers;

PROCEDURE Wait(<*UNUSED*> n: INTEGER): INTEGER =
  BEGIN
    LOCK mutex DO WHILE NOT done DO Thread.Wait(mutex, condition) END END;
    RETURN 0;
  END Wait;

(* A closed stream is found closed on the short way too. *)
PROCEDURE Closed() =
  VAR text := TextWr.New();
  BEGIN
    wr := text;
    EVAL Put(Alone);
    Wr.Close(wr);
    rd := TextRd.New("some characters");
    FOR i := 1 TO Alone DO EVAL Rd.EOF(rd) END;
    Rd.Close(rd);
    FOR i := 0 TO 2 DO
      VAR failed := FALSE;
      BEGIN
        TRY
          CASE i OF 0 => Wr.PutChar(wr, 'x') | 1 => Wr.PutText(wr, "x") ELSE EVAL Rd.GetChar(rd) END;
        EXCEPT
        ELSE failed := TRUE;
        END;
        Check.That(failed, "closed " & Fmt.Int(i));
      END;
    END;
  END Closed;

VAR
  idle := Thread.Fork(NEW(Worker, work := Wait, n := 0));
  text := TextWr.New();
  counting: Counting;
  n, sum := 0;
  chars := NEW(REF ARRAY OF CHAR, 3 * Alone + 3 * Shared);
BEGIN
  Check.That(NOT RTThread.alone, "there is another thread");
  n := Writers(text, "a text");
  CheckPieces(TextWr.ToText(text), n, "a text");
  n := Writers(FileWr.Open(File), "a file");
  Wr.Close(wr);
  CheckPieces(OfFile(), n, "a file");
  counting := NEW(Counting).init(FS.OpenFile(File));
  n := Writers(counting, "a subtype of files");
  Check.Int(counting.strings, 2 * n, "putString is called for each text and string");
  Wr.Close(wr);
  CheckPieces(OfFile(), n, "a subtype of files");
  wr := NEW(FileWr.T).init(FS.OpenFile(File), FALSE);
  Wr.PutText(wr, "at ");
  Wr.PutText(wr, "once");
  Check.Text(OfFile(), "at once", "a file without buffer");
  Wr.Close(wr);
  FOR i := 0 TO LAST(chars^) DO
    chars[i] := VAL(ORD('a') + i MOD 26, CHAR);
    INC(sum, ORD(chars[i]));
  END;
  Readers(TextRd.New(Text.FromChars(chars^)), sum, "a text");
  wr := FileWr.Open(File);
  Wr.PutString(wr, chars^);
  Wr.Close(wr);
  Readers(FileRd.Open(File), sum, "a file");
  Closed();
  LOCK mutex DO done := TRUE END;
  Thread.Signal(condition);
  EVAL Thread.Join(idle);
  TRY FS.DeleteFile(File) EXCEPT OSError.E => Process.Exit(1) END;
  Check.Done();
END Main.
(* expect: all checks hold *)
