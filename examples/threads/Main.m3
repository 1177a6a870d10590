(* Counts the words of a file in several threads: threads FILE [WORKERS]. The main thread puts lines
   into a queue; each worker has a table of its own, so that nobody waits for a common one; the tables
   are added up when the workers have ended. *)
MODULE Main;

IMPORT ASCII, FileRd, FloatMode, Fmt, IO, Lex, OSError, Params, Process, Queue, Rd, RdUtils, Scan, Stdio,
  Text, TextArraySort, TextIntTbl, Thread, Wr;

TYPE
  Worker = Thread.Closure OBJECT
      lines: Queue.T;
    OVERRIDES
      apply := Work;
    END;

PROCEDURE Fail(message: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    Wr.PutText(Stdio.stderr, "threads: " & message & "\n");
    Process.Exit(1);
  END Fail;

PROCEDURE Count(counts: TextIntTbl.T; word: TEXT; n: INTEGER) =
  VAR before := 0;
  BEGIN
    EVAL counts.get(word, before);
    EVAL counts.put(word, before + n);
  END Count;

(* The result of a thread is what its apply returns. *)
PROCEDURE Work(worker: Worker): REFANY =
  VAR counts := NEW(TextIntTbl.Default).init();  line: TEXT;
  BEGIN
    LOOP
      line := worker.lines.get();
      IF line = NIL THEN RETURN counts END;
      CountWords(counts, line);
    END;
  END Work;

PROCEDURE CountWords(counts: TextIntTbl.T; line: TEXT) =
  VAR at, start: CARDINAL := 0;  length := Text.Length(line);
  BEGIN
    WHILE at < length DO
      WHILE at < length AND NOT Text.GetChar(line, at) IN ASCII.AlphaNumerics DO INC(at) END;
      start := at;
      WHILE at < length AND Text.GetChar(line, at) IN ASCII.AlphaNumerics DO INC(at) END;
      IF at > start THEN Count(counts, Text.Sub(line, start, at - start), 1) END;
    END;
  END CountWords;

PROCEDURE Add(to, from: TextIntTbl.T) =
  VAR all := from.iterate();  word: TEXT;  n: INTEGER;
  BEGIN
    WHILE all.next(word, n) DO Count(to, word, n) END;
  END Add;

PROCEDURE ReadLines(path: TEXT; lines: Queue.T) =
  <*FATAL Thread.Alerted*>
  VAR rd: Rd.T;
  BEGIN
    TRY
      rd := FileRd.Open(path);
      TRY
        LOOP lines.put(Rd.GetLine(rd)) END;
      FINALLY
        Rd.Close(rd);
      END;
    EXCEPT
    | Rd.EndOfFile => lines.close();
    | OSError.E (why) => Fail(RdUtils.FailureText(why));
    | Rd.Failure (why) => Fail(path & ": " & RdUtils.FailureText(why));
    END;
  END ReadLines;

PROCEDURE Print(counts: TextIntTbl.T) =
  VAR
    words := NEW(REF ARRAY OF TEXT, counts.size());
    all := counts.iterate();
    n: INTEGER;
  BEGIN
    FOR i := 0 TO LAST(words^) DO EVAL all.next(words[i], n) END;
    TextArraySort.Sort(words^);
    FOR i := 0 TO LAST(words^) DO
      EVAL counts.get(words[i], n);
      IO.Put(Fmt.F("%6s %s\n", Fmt.Int(n), words[i]));
    END;
  END Print;

PROCEDURE Workers(): CARDINAL =
  VAR n := 4;
  BEGIN
    IF Params.Count > 2 THEN
      n := 0;
      TRY n := Scan.Int(Params.Get(2)) EXCEPT Lex.Error, FloatMode.Trap => END;
      IF n < 1 THEN Fail(Params.Get(2) & " is not a number of workers") END;
    END;
    RETURN n;
  END Workers;

VAR
  lines := NEW(Queue.T).init(100);
  counts := NEW(TextIntTbl.Default).init();

BEGIN
  IF Params.Count < 2 THEN Fail("usage: threads FILE [WORKERS]") END;
  WITH threads = NEW(REF ARRAY OF Thread.T, Workers()) DO
    FOR i := 0 TO LAST(threads^) DO threads[i] := Thread.Fork(NEW(Worker, lines := lines)) END;
    ReadLines(Params.Get(1), lines);
    FOR i := 0 TO LAST(threads^) DO Add(counts, Thread.Join(threads[i])) END;
  END;
  Print(counts);
END Main.
