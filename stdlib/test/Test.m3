UNSAFE MODULE Test EXPORTS Test, TestRep, TestSeen;

IMPORT
  Compiler, Database, Fmt, IO, RTSystem, RTTest, RuntimeError, Stdio, Text, TextWr, Thread,
  Transaction, Wr;

(* Ends a test; caught by Perform. *)
<*IMPLICIT*> EXCEPTION Stop;

TYPE
  Afters = <*TRANSIENT*> ROOT OBJECT
    closure: Closure;
    next: Afters;
  END;

  Databases = <*TRANSIENT*> ROOT OBJECT
    database: Database.T;
    next: Databases;
  END;

  Outcome = {Passed, Skipped, Failed};

REVEAL
  T = Public BRANDED "Test.T" OBJECT
    title: TEXT;
    outcome := Outcome.Passed;
    place: TEXT := NIL;  (* of the directory, if it was made *)
    databases: Databases := NIL;
    databaseCount := 0;
    afters: Afters := NIL;
  OVERRIDES
    name := Name;
    check := Check;
    require := Require;
    equalInt := EqualInt;
    equalText := EqualText;
    near := Near;
    raises := Raises;
    fails := Fails;
    fail := Fail;
    stop := StopWith;
    skip := Skip;
    log := Log;
    hasFailed := HasFailed;
    run := Run;
    each := Each;
    directory := Directory;
    database := NewDatabase;
    after := After;
  END;

(* --- Results --- *)

(* The text with escapes for characters that would end a field of the file of results, and with
   UTF-8 for those that are not CHAR. *)
PROCEDURE PutEscaped(wr: Wr.T; t: TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      WITH c = ORD(Text.GetWideChar(t, i)) DO
        CASE c OF
        | ORD('\\') => Wr.PutText(wr, "\\\\");
        | ORD('\n') => Wr.PutText(wr, "\\n");
        | ORD('\t') => Wr.PutText(wr, "\\t");
        | 0 => Wr.PutText(wr, "\\0");
        ELSE PutCode(wr, c);
        END;
      END;
    END;
  END PutEscaped;

(* A byte as it is, since texts often hold UTF-8 byte by byte; other characters as UTF-8. *)
PROCEDURE PutCode(wr: Wr.T; c: CARDINAL) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  PROCEDURE Next(bits: CARDINAL) =
    BEGIN
      Wr.PutChar(wr, VAL(16_80 + bits MOD 64, CHAR));
    END Next;
  BEGIN
    IF c <= ORD(LAST(CHAR)) THEN
      Wr.PutChar(wr, VAL(c, CHAR));
    ELSIF c < 16_800 THEN
      Wr.PutChar(wr, VAL(16_C0 + c DIV 64, CHAR));
      Next(c);
    ELSIF c < 16_10000 THEN
      Wr.PutChar(wr, VAL(16_E0 + c DIV 4096, CHAR));
      Next(c DIV 64);
      Next(c);
    ELSE
      Wr.PutChar(wr, VAL(16_F0 + c DIV 262144, CHAR));
      Next(c DIV 4096);
      Next(c DIV 64);
      Next(c);
    END;
  END PutCode;

PROCEDURE Chars(t: TEXT): REF ARRAY OF CHAR =
  VAR a := NEW(REF ARRAY OF CHAR, Text.Length(t));
  BEGIN
    Text.SetChars(a^, t);
    RETURN a;
  END Chars;

PROCEDURE OrEmpty(t: TEXT): TEXT =
  BEGIN
    IF t = NIL THEN RETURN "" ELSE RETURN t END;
  END OrEmpty;

(* A line of the file of results: the kind of event, then fields. *)
PROCEDURE Report(kind: TEXT; READONLY fields: ARRAY OF TEXT) =
  <*FATAL Wr.Failure, Thread.Alerted*>
  VAR wr := TextWr.New();
  BEGIN
    IF results = NIL THEN Print(kind, fields); RETURN END;
    Wr.PutText(wr, kind);
    FOR i := FIRST(fields) TO LAST(fields) DO
      Wr.PutChar(wr, '\t');
      PutEscaped(wr, OrEmpty(fields[i]));
    END;
    Wr.PutChar(wr, '\n');
    EVAL RTTest.Write(Chars(results)^, Chars(TextWr.ToText(wr))^);
  END Report;

(* For a program that is run by hand. *)
PROCEDURE Print(kind: TEXT; READONLY fields: ARRAY OF TEXT) =
  BEGIN
    IF Text.Equal(kind, "end") THEN
      IF Text.Equal(fields[1], "failed") THEN
        IO.Put("FAILED  " & fields[0] & "\n");
      ELSIF Text.Equal(fields[1], "skipped") THEN
        IO.Put("skipped " & fields[0] & "\n");
      ELSE
        IO.Put("ok      " & fields[0] & "\n");
      END;
    ELSIF Text.Equal(kind, "bench") THEN
      IO.Put("bench   " & fields[0] & " " & fields[1] & " ns for " & fields[2] & "\n");
    ELSIF Text.Equal(kind, "fail") OR Text.Equal(kind, "log") OR Text.Equal(kind, "skip") THEN
      IF Text.Empty(OrEmpty(fields[1])) THEN
        IO.Put("        " & OrEmpty(fields[2]) & "\n");
      ELSE
        IO.Put("        " & fields[1] & ": " & OrEmpty(fields[2]) & "\n");
      END;
    END;
  END Print;

PROCEDURE ReportEnd() =
  BEGIN
    Report("done", ARRAY OF TEXT{});
  END ReportEnd;

(* --- Methods --- *)

PROCEDURE Name(t: T): TEXT =
  BEGIN
    RETURN t.title;
  END Name;

PROCEDURE FailAt(t: T; place, message: TEXT) =
  BEGIN
    t.outcome := Outcome.Failed;
    Report("fail", ARRAY OF TEXT{t.title, place, message});
  END FailAt;

PROCEDURE With(what, message: TEXT): TEXT =
  BEGIN
    IF message = NIL OR Text.Empty(message) THEN RETURN what END;
    RETURN what & "\n" & message;
  END With;

PROCEDURE Check(t: T; condition: BOOLEAN; message, source: TEXT) =
  BEGIN
    IF NOT condition THEN FailAt(t, RTTest.Place(), With(WhatFailed(source), message)) END;
  END Check;

PROCEDURE Require(t: T; condition: BOOLEAN; message, source: TEXT) =
  BEGIN
    IF NOT condition THEN
      FailAt(t, RTTest.Place(), With(WhatFailed(source), message));
      RAISE Stop;
    END;
  END Require;

(* --- Values in conditions --- *)

TYPE
  Seen = <*TRANSIENT*> ROOT OBJECT
    thread: Thread.T;
    source, value: TEXT;
    next: Seen;
  END;

VAR
  seenLock := NEW(MUTEX);
  seen: Seen := NIL;  (* the values in the latest condition of each thread, the last one first *)

PROCEDURE Note(source, value: TEXT; first: BOOLEAN) =
  VAR self := Thread.Self();  kept: Seen := NIL;
  BEGIN
    LOCK seenLock DO
      IF first THEN
        WHILE seen # NIL DO
          IF seen.thread # self THEN
            kept := NEW(Seen, thread := seen.thread, source := seen.source, value := seen.value,
                        next := kept);
          END;
          seen := seen.next;
        END;
        WHILE kept # NIL DO
          seen := NEW(Seen, thread := kept.thread, source := kept.source, value := kept.value,
                      next := seen);
          kept := kept.next;
        END;
      END;
      seen := NEW(Seen, thread := self, source := source, value := value, next := seen);
    END;
  END Note;

(* The condition, and the values in it as far as the source does not show them. *)
PROCEDURE WhatFailed(source: TEXT): TEXT =
  VAR values := "";  self := Thread.Self();  at: Seen;
  BEGIN
    IF source = NIL THEN RETURN "check failed" END;
    LOCK seenLock DO
      at := seen;
      WHILE at # NIL DO
        IF at.thread = self AND NOT Text.Equal(at.source, at.value)
             AND Contains(source, at.source) THEN
          values := "\n    " & at.source & " = " & at.value & values;
        END;
        at := at.next;
      END;
    END;
    RETURN "check failed: " & source & values;
  END WhatFailed;

PROCEDURE Ordinal(value: INTEGER; source, names: TEXT; first: BOOLEAN): INTEGER =
  VAR start := 0;
  BEGIN
    FOR i := 1 TO value DO
      IF Text.Empty(names) THEN EXIT END;
      start := Text.FindChar(names, ' ', start) + 1;
    END;
    IF Text.Empty(names) THEN
      Note(source, Fmt.Int(value), first);
    ELSE
      Note(source, Text.Sub(names, start, Text.FindChar(names, ' ', start) - start), first);
    END;
    RETURN value;
  END Ordinal;

PROCEDURE Character(value: INTEGER; source: TEXT; <*UNUSED*> names: TEXT; first: BOOLEAN): INTEGER =
  VAR literal := Quoted(Text.FromWideChar(VAL(value, WIDECHAR)));
  BEGIN
    IF value = ORD('\'') THEN literal := "\\'" ELSE literal := Text.Sub(literal, 1, Text.Length(literal) - 2) END;
    Note(source, "'" & literal & "'", first);
    RETURN value;
  END Character;

PROCEDURE Float(value: REAL; source: TEXT; <*UNUSED*> names: TEXT; first: BOOLEAN): REAL =
  BEGIN
    Note(source, Fmt.Real(value), first);
    RETURN value;
  END Float;

PROCEDURE LongFloat(value: LONGREAL; source: TEXT; <*UNUSED*> names: TEXT;
                    first: BOOLEAN): LONGREAL =
  BEGIN
    Note(source, Fmt.LongReal(value), first);
    RETURN value;
  END LongFloat;

PROCEDURE Characters(value: TEXT; source: TEXT; <*UNUSED*> names: TEXT; first: BOOLEAN): TEXT =
  BEGIN
    Note(source, Quoted(value), first);
    RETURN value;
  END Characters;

PROCEDURE Reference(value: REFANY; source: TEXT; <*UNUSED*> names: TEXT; first: BOOLEAN): REFANY =
  BEGIN
    IF value = NIL THEN
      Note(source, "NIL", first);
    ELSE
      Note(source, "not NIL", first);
    END;
    RETURN value;
  END Reference;

PROCEDURE EqualInt(t: T; got, expected: INTEGER; message: TEXT) =
  BEGIN
    IF got # expected THEN
      FailAt(t, RTTest.Place(),
             With("got " & Fmt.Int(got) & ", expected " & Fmt.Int(expected), message));
    END;
  END EqualInt;

PROCEDURE EqualText(t: T; got, expected: TEXT; message: TEXT) =
  BEGIN
    IF got = expected THEN RETURN END;
    IF got # NIL AND expected # NIL AND Text.Equal(got, expected) THEN RETURN END;
    FailAt(t, RTTest.Place(), With(Difference(got, expected), message));
  END EqualText;

PROCEDURE LineAt(t: TEXT; start: CARDINAL): TEXT =
  VAR end := Text.FindChar(t, '\n', start);
  BEGIN
    IF end < 0 THEN end := Text.Length(t) END;
    RETURN Text.Sub(t, start, end - start);
  END LineAt;

(* What differs between two texts. *)
PROCEDURE Difference(got, expected: TEXT): TEXT =
  VAR line := 1;  start := 0;
  BEGIN
    IF got = NIL OR expected = NIL
      OR Text.FindChar(got, '\n') < 0 AND Text.FindChar(expected, '\n') < 0 THEN
      RETURN "got " & Quoted(got) & ",\nexpected " & Quoted(expected);
    END;
    LOOP
      WITH a = LineAt(got, start), b = LineAt(expected, start), n = Text.Length(a) DO
        IF NOT Text.Equal(a, b) OR start + n >= Text.Length(got)
          OR start + n >= Text.Length(expected) THEN
          IF Text.Equal(a, b) THEN
            RETURN "the texts differ after line " & Fmt.Int(line) & ":\ngot      "
              & Quoted(Text.Sub(got, start + n)) & ",\nexpected "
              & Quoted(Text.Sub(expected, start + n));
          END;
          RETURN "line " & Fmt.Int(line) & " of the texts differs:\ngot      " & Quoted(a)
            & ",\nexpected " & Quoted(b);
        END;
        INC(line);
        INC(start, n + 1);
      END;
    END;
  END Difference;

(* The text as a literal; "NIL" for NIL. *)
PROCEDURE Quoted(t: TEXT): TEXT =
  CONST Longest = 1000;
  VAR
    literal: ARRAY [0..4 * Longest + 1] OF WIDECHAR;
    size := 0;
    length: CARDINAL;
  PROCEDURE Put(c: WIDECHAR) =
    BEGIN
      literal[size] := c;
      INC(size);
    END Put;
  PROCEDURE Escaped(c: WIDECHAR) =
    BEGIN
      Put(W'\\');
      Put(c);
    END Escaped;
  BEGIN
    IF t = NIL THEN RETURN "NIL" END;
    length := Text.Length(t);
    Put(W'"');
    FOR i := 0 TO MIN(length, Longest) - 1 DO
      WITH c = Text.GetWideChar(t, i) DO
        CASE c OF
        | W'"', W'\\' => Escaped(c);
        | W'\n' => Escaped(W'n');
        | W'\t' => Escaped(W't');
        | W'\r' => Escaped(W'r');
        ELSE
          IF c < W' ' OR ORD(c) = 16_7F THEN
            Escaped(VAL(ORD('0') + ORD(c) DIV 64, WIDECHAR));
            Put(VAL(ORD('0') + ORD(c) DIV 8 MOD 8, WIDECHAR));
            Put(VAL(ORD('0') + ORD(c) MOD 8, WIDECHAR));
          ELSE
            Put(c);
          END;
        END;
      END;
    END;
    Put(W'"');
    IF length > Longest THEN
      RETURN Text.FromWideChars(SUBARRAY(literal, 0, size)) & "... (" & Fmt.Int(length)
        & " characters)";
    END;
    RETURN Text.FromWideChars(SUBARRAY(literal, 0, size));
  END Quoted;

PROCEDURE Near(t: T; got, expected, tolerance: LONGREAL; message: TEXT) =
  BEGIN
    (* Not so if one of them is not a number. *)
    IF NOT (got = expected OR ABS(got - expected) <= tolerance) THEN
      FailAt(t, RTTest.Place(),
             With("got " & Fmt.LongReal(got) & ", expected " & Fmt.LongReal(expected)
                  & " within " & Fmt.LongReal(tolerance), message));
    END;
  END Near;

(* What the exception is, with the stack of the raise. *)
PROCEDURE Describe(activation: ADDRESS): TEXT =
  VAR
    line := RTTest.Describe(activation, 1);
    stack := RTTest.Describe(activation, 3);
  BEGIN
    IF Text.Empty(stack) THEN RETURN line END;
    RETURN line & "\n" & stack;
  END Describe;

PROCEDURE Raises(t: T; body: Body; exception, message: TEXT): BOOLEAN =
  VAR place := "";  raised: TEXT := NIL;  description: TEXT;
  BEGIN
    TRY
      body();
    EXCEPT
    | Stop => RAISE Stop;
    ELSE
      WITH activation = Compiler.ThisException() DO
        raised := RTTest.Describe(activation, 0);
        IF Text.Equal(raised, exception) THEN RETURN TRUE END;
        description := Describe(activation);
      END;
    END;
    place := RTTest.Place();
    IF raised = NIL THEN
      FailAt(t, place, With("expected exception " & exception & ", and none was raised", message));
    ELSE
      FailAt(t, place, With("expected exception " & exception & ", got " & description, message));
    END;
    RETURN FALSE;
  END Raises;

PROCEDURE Fails(t: T; body: Body; error: RuntimeError.T; message: TEXT): BOOLEAN =
  VAR got := "none was raised";
  BEGIN
    TRY
      body();
    EXCEPT
    | Stop => RAISE Stop;
    | RuntimeError.E (e) =>
      IF e = error THEN RETURN TRUE END;
      got := "got " & Describe(Compiler.ThisException());
    ELSE
      got := "got " & Describe(Compiler.ThisException());
    END;
    FailAt(t, RTTest.Place(),
           With("expected a run-time error (" & RuntimeError.Tag(error) & "), " & got, message));
    RETURN FALSE;
  END Fails;

PROCEDURE Fail(t: T; message: TEXT) =
  BEGIN
    FailAt(t, RTTest.Place(), message);
  END Fail;

PROCEDURE StopWith(t: T; message: TEXT) =
  BEGIN
    FailAt(t, RTTest.Place(), message);
    RAISE Stop;
  END StopWith;

PROCEDURE Skip(t: T; reason: TEXT) =
  BEGIN
    IF t.outcome = Outcome.Passed THEN t.outcome := Outcome.Skipped END;
    Report("skip", ARRAY OF TEXT{t.title, "", reason});
    RAISE Stop;
  END Skip;

PROCEDURE Log(t: T; line: TEXT) =
  BEGIN
    Report("log", ARRAY OF TEXT{t.title, "", line});
  END Log;

PROCEDURE HasFailed(t: T): BOOLEAN =
  BEGIN
    RETURN t.outcome = Outcome.Failed;
  END HasFailed;

PROCEDURE Contains(t, part: TEXT): BOOLEAN =
  VAR length := Text.Length(part);
  BEGIN
    FOR i := 0 TO Text.Length(t) - length DO
      IF Text.Equal(Text.Sub(t, i, length), part) THEN RETURN TRUE END;
    END;
    RETURN FALSE;
  END Contains;

(* Whether the subtest, or one below it, may be asked for. *)
PROCEDURE IsWanted(title: TEXT): BOOLEAN =
  VAR below := Text.FindChar(title, '/');
  BEGIN
    IF subtests = NIL OR below < 0 THEN RETURN TRUE END;
    FOR i := FIRST(subtests^) TO LAST(subtests^) DO
      IF Contains(Text.Sub(title, below + 1), subtests[i]) THEN RETURN TRUE END;
      (* "a/b" asks for the subtest b of a, which is run to get there. *)
      IF Contains(subtests[i], "/") AND Contains(subtests[i], Text.Sub(title, below + 1) & "/") THEN
        RETURN TRUE;
      END;
    END;
    RETURN FALSE;
  END IsWanted;

PROCEDURE Run(t: T; name: TEXT; p: Proc): BOOLEAN =
  VAR sub := NEW(T, title := t.title & "/" & name);
  BEGIN
    IF NOT IsWanted(sub.title) THEN RETURN TRUE END;
    Perform(sub, p);
    IF sub.outcome = Outcome.Failed THEN t.outcome := Outcome.Failed END;
    RETURN sub.outcome # Outcome.Failed;
  END Run;

PROCEDURE Each(t: T; count: CARDINAL; row: Row) =
  VAR index: CARDINAL;
  PROCEDURE One(sub: T) RAISES ANY =
    BEGIN
      row(sub, index);
    END One;
  BEGIN
    FOR i := 0 TO count - 1 DO
      index := i;
      EVAL Run(t, Fmt.Int(i), One);
    END;
  END Each;

PROCEDURE Directory(t: T): TEXT =
  VAR in := directory;
  BEGIN
    IF t.place = NIL THEN
      IF in = NIL THEN in := RTSystem.Environment(Chars("TMPDIR")^) END;
      IF in = NIL THEN in := "/tmp" END;
      t.place := RTTest.MakeDirectory(Chars(in)^);
      IF t.place = NIL THEN StopWith(t, "no directory can be made in " & in) END;
    END;
    RETURN t.place;
  END Directory;

PROCEDURE NewDatabase(t: T): Database.T =
  <*FATAL Database.DatabaseExists, Database.DatabaseNotFound, Database.DatabaseOpen*>
  <*FATAL Transaction.TransactionInProgress*>
  VAR store := t.directory() & "/store" & Fmt.Int(t.databaseCount);
  BEGIN
    INC(t.databaseCount);
    Database.Create(store);
    t.databases := NEW(Databases, database := Database.Open(store), next := t.databases);
    RETURN t.databases.database;
  END NewDatabase;

PROCEDURE After(t: T; c: Closure) =
  BEGIN
    t.afters := NEW(Afters, closure := c, next := t.afters);
  END After;

(* --- Running --- *)

PROCEDURE Sample(<*UNUSED*> t: T) =
  BEGIN
  END Sample;

PROCEDURE SampleBench(<*UNUSED*> b: Bench) =
  BEGIN
  END SampleBench;

(* Whether "Module.Proc" is the name of a test: Proc begins with the prefix, and no small letter
   follows. *)
PROCEDURE IsNamed(name, prefix: TEXT): BOOLEAN =
  VAR
    start := Text.FindCharR(name, '.') + 1;
    length := Text.Length(prefix);
  BEGIN
    IF NOT Text.Equal(Text.Sub(name, start, length), prefix) THEN RETURN FALSE END;
    IF start + length = Text.Length(name) THEN RETURN TRUE END;
    WITH c = Text.GetWideChar(name, start + length) DO
      RETURN c < W'a' OR c > W'z';
    END;
  END IsNamed;

PROCEDURE Find(like: ADDRESS; prefix: TEXT; n: CARDINAL; VAR name: TEXT): ADDRESS =
  VAR at := 0;  left: INTEGER := n;
  BEGIN
    LOOP
      name := RTTest.ProcedureName(like, at);
      IF name = NIL THEN RETURN NIL END;
      IF IsNamed(name, prefix) THEN
        IF left = 0 THEN RETURN RTTest.Procedure(like, at) END;
        DEC(left);
      END;
      INC(at);
    END;
  END Find;

PROCEDURE TestAt(n: CARDINAL; VAR name: TEXT): Proc =
  BEGIN
    RETURN LOOPHOLE(Find(LOOPHOLE(Sample, ADDRESS), "Test", n, name), Proc);
  END TestAt;

PROCEDURE BenchAt(n: CARDINAL; VAR name: TEXT): BenchProc =
  BEGIN
    RETURN LOOPHOLE(Find(LOOPHOLE(SampleBench, ADDRESS), "Bench", n, name), BenchProc);
  END BenchAt;

(* The procedure SetUp or TakeDown in the module of a test; NIL if there is none. *)
PROCEDURE Beside(test, wanted: TEXT): Proc =
  VAR
    name: TEXT;
    full := Text.Sub(test, 0, Text.FindCharR(test, '.') + 1) & wanted;
    like := LOOPHOLE(Sample, ADDRESS);
    at := 0;
  BEGIN
    LOOP
      name := RTTest.ProcedureName(like, at);
      IF name = NIL THEN RETURN NIL END;
      IF Text.Equal(name, full) THEN RETURN LOOPHOLE(RTTest.Procedure(like, at), Proc) END;
      INC(at);
    END;
  END Beside;

(* Calls p(t). FALSE if the test has been ended. *)
PROCEDURE Guard(t: T; p: Proc): BOOLEAN =
  BEGIN
    TRY
      p(t);
    EXCEPT
    | Stop => RETURN FALSE;
    ELSE
      WITH activation = Compiler.ThisException() DO
        FailAt(t, RTTest.Describe(activation, 2), Describe(activation));
      END;
      RETURN FALSE;
    END;
    RETURN TRUE;
  END Guard;

(* Runs p as t and reports t. *)
PROCEDURE Perform(t: T; p: Proc; setUp, takeDown: Proc := NIL) =
  CONST Words = ARRAY Outcome OF TEXT{"passed", "skipped", "failed"};
  VAR begun := RTSystem.TickNow();
  BEGIN
    Report("begin", ARRAY OF TEXT{t.title});
    IF setUp = NIL OR Guard(t, setUp) THEN EVAL Guard(t, p) END;
    IF takeDown # NIL THEN EVAL Guard(t, takeDown) END;
    CleanUp(t);
    TRY Wr.Flush(Stdio.stdout) EXCEPT Wr.Failure, Thread.Alerted => END;
    Report("end", ARRAY OF TEXT{t.title, Words[t.outcome],
                                Fmt.Int((RTSystem.TickNow() - begun) DIV 1000)});
  END Perform;

PROCEDURE CleanUp(t: T) =
  VAR closure: Closure;
  PROCEDURE Apply(<*UNUSED*> t: T) RAISES ANY =
    BEGIN
      closure.apply();
    END Apply;
  BEGIN
    WHILE t.afters # NIL DO
      closure := t.afters.closure;
      t.afters := t.afters.next;
      EVAL Guard(t, Apply);
    END;
    WHILE t.databases # NIL DO
      (* In a transaction that the test has left open a database stays open until the process ends;
         the test may have closed the database itself. *)
      TRY t.databases.database.close() EXCEPT ELSE END;
      t.databases := t.databases.next;
    END;
    IF t.place # NIL THEN RTTest.RemoveDirectory(Chars(t.place)^) END;
  END CleanUp;

PROCEDURE RunTest(name: TEXT; p: Proc): BOOLEAN =
  VAR t := NEW(T, title := name);
  BEGIN
    RTTest.RememberRaises();
    Perform(t, p, Beside(name, "SetUp"), Beside(name, "TakeDown"));
    RETURN t.outcome # Outcome.Failed;
  END RunTest;

(* --- Benchmarks --- *)

CONST
  SampleNanoseconds = 20000000;  (* of a measured call, at least *)
  Samples = 15;

REVEAL
  Bench = PublicBench BRANDED "Test.Bench" OBJECT
    elapsed, begun: INTEGER := 0;
    running := FALSE;
    bytes: CARDINAL := 0;
  OVERRIDES
    reset := Reset;
    pause := Pause;
    continue := Continue;
    setBytes := SetBytes;
  END;

PROCEDURE Reset(b: Bench) =
  BEGIN
    b.elapsed := 0;
    b.begun := RTSystem.TickNow();
    b.running := TRUE;
  END Reset;

PROCEDURE Pause(b: Bench) =
  BEGIN
    IF b.running THEN INC(b.elapsed, RTSystem.TickNow() - b.begun) END;
    b.running := FALSE;
  END Pause;

PROCEDURE Continue(b: Bench) =
  BEGIN
    IF NOT b.running THEN b.begun := RTSystem.TickNow() END;
    b.running := TRUE;
  END Continue;

PROCEDURE SetBytes(b: Bench; bytes: CARDINAL) =
  BEGIN
    b.bytes := bytes;
  END SetBytes;

(* The nanoseconds of a call with n iterations. *)
PROCEDURE Measure(b: Bench; p: BenchProc; n: CARDINAL): INTEGER RAISES ANY =
  BEGIN
    b.n := n;
    b.reset();
    p(b);
    b.pause();
    RETURN MAX(b.elapsed, 1);
  END Measure;

PROCEDURE RunBench(name: TEXT; p: BenchProc): BOOLEAN =
  VAR
    b := NEW(Bench);
    n := 1;
    taken: INTEGER;
    one := NEW(T, title := name);
  PROCEDURE All(<*UNUSED*> t: T) RAISES ANY =
    BEGIN
      LOOP
        taken := Measure(b, p, n);
        IF taken >= SampleNanoseconds OR n > LAST(CARDINAL) DIV 200 THEN EXIT END;
        (* The next call may be a hundred times longer, not more: the first ones are slow. *)
        n := MAX(n + 1, MIN(n * 100, (n * SampleNanoseconds DIV taken) * 6 DIV 5));
      END;
      FOR i := 1 TO Samples DO
        Report("bench", ARRAY OF TEXT{name, Fmt.Int(Measure(b, p, n)), Fmt.Int(n),
                                      Fmt.Int(b.bytes)});
      END;
    END All;
  BEGIN
    RTTest.RememberRaises();
    Perform(one, All);
    RETURN one.outcome # Outcome.Failed;
  END RunBench;

BEGIN
END Test.
