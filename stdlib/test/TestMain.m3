MODULE TestMain;

IMPORT IO, Params, Process, Stdio, Test, TestRep, Text;

PROCEDURE Add(VAR list: TestRep.Texts; t: TEXT) =
  VAR count := 0;  longer: TestRep.Texts;
  BEGIN
    IF list # NIL THEN count := NUMBER(list^) END;
    longer := NEW(TestRep.Texts, count + 1);
    IF list # NIL THEN SUBARRAY(longer^, 0, count) := list^ END;
    longer[count] := t;
    list := longer;
  END Add;

PROCEDURE Has(list: TestRep.Texts; t: TEXT): BOOLEAN =
  BEGIN
    IF list # NIL THEN
      FOR i := FIRST(list^) TO LAST(list^) DO
        IF Text.Equal(list[i], t) THEN RETURN TRUE END;
      END;
    END;
    RETURN FALSE;
  END Has;

PROCEDURE List() =
  VAR n := 0;  name: TEXT;
  BEGIN
    WHILE TestRep.TestAt(n, name) # NIL DO IO.Put("test " & name & "\n"); INC(n) END;
    n := 0;
    WHILE TestRep.BenchAt(n, name) # NIL DO IO.Put("bench " & name & "\n"); INC(n) END;
  END List;

PROCEDURE BadUsage(word: TEXT) =
  BEGIN
    IO.Put("unknown argument " & word & "\n", Stdio.stderr);
    Process.Exit(2);
  END BadUsage;

PROCEDURE Run() =
  VAR
    tests, benches: TestRep.Texts := NIL;
    all := TRUE;
    good := TRUE;
    name: TEXT;
    n, i := 0;
    p: Test.Proc;
    b: Test.BenchProc;

  PROCEDURE Value(): TEXT =
    BEGIN
      INC(i);
      IF i >= Params.Count THEN BadUsage(Params.Get(i - 1)) END;
      RETURN Params.Get(i);
    END Value;

  BEGIN
    i := 1;
    WHILE i < Params.Count DO
      WITH word = Params.Get(i) DO
        IF Text.Equal(word, "--list") THEN
          List();
          Process.Exit(0);
        ELSIF Text.Equal(word, "--run") THEN
          Add(tests, Value());
          all := FALSE;
        ELSIF Text.Equal(word, "--bench") THEN
          Add(benches, Value());
          all := FALSE;
        ELSIF Text.Equal(word, "--sub") THEN
          Add(TestRep.subtests, Value());
        ELSIF Text.Equal(word, "--directory") THEN
          TestRep.directory := Value();
        ELSIF Text.Equal(word, "--results") THEN
          TestRep.results := Value();
        ELSE
          BadUsage(word);
        END;
      END;
      INC(i);
    END;
    LOOP
      p := TestRep.TestAt(n, name);
      IF p = NIL THEN EXIT END;
      IF all OR Has(tests, name) THEN good := TestRep.RunTest(name, p) AND good END;
      INC(n);
    END;
    n := 0;
    LOOP
      b := TestRep.BenchAt(n, name);
      IF b = NIL THEN EXIT END;
      IF Has(benches, name) THEN good := TestRep.RunBench(name, b) AND good END;
      INC(n);
    END;
    TestRep.ReportEnd();
    IF NOT good THEN Process.Exit(1) END;
  END Run;

BEGIN
END TestMain.
