MODULE ParseParams;

IMPORT FloatMode, Fmt, Lex, Params, Scan, Text, Thread, Wr;

REVEAL
  T = Public BRANDED "ParseParams.T" OBJECT
      wr: Wr.T := NIL;
    OVERRIDES
      init := Init;
      keywordPresent := KeywordPresent;
      getKeyword := GetKeyword;
      getNext := GetNext;
      testNext := TestNext;
      getNextInt := GetNextInt;
      getNextReal := GetNextReal;
      getNextLongReal := GetNextLongReal;
      error := Complain;
      skipParsed := SkipParsed;
      finish := Finish;
    END;

PROCEDURE Init(t: T; s: Wr.T): T =
  BEGIN
    t.wr := s;
    IF t.arg = NIL THEN
      t.arg := NEW(REF ARRAY OF TEXT, Params.Count);
      FOR i := 0 TO LAST(t.arg^) DO t.arg[i] := Params.Get(i) END;
    END;
    t.parsed := NEW(REF ARRAY OF BOOLEAN, NUMBER(t.arg^));
    FOR i := 0 TO LAST(t.parsed^) DO t.parsed[i] := i = 0 END;
    t.next := 1;
    RETURN t;
  END Init;

PROCEDURE KeywordPresent(t: T; keyword: TEXT): BOOLEAN =
  BEGIN
    FOR i := 0 TO LAST(t.parsed^) DO
      IF NOT t.parsed[i] AND Text.Equal(keyword, t.arg[i]) THEN
        t.parsed[i] := TRUE;
        t.next := i + 1;
        RETURN TRUE;
      END;
    END;
    RETURN FALSE;
  END KeywordPresent;

PROCEDURE GetKeyword(t: T; keyword: TEXT) RAISES {Error} =
  BEGIN
    IF NOT t.keywordPresent(keyword) THEN
      Print(t, "keyword \"" & keyword & "\" missing.");
      RAISE Error;
    END;
  END GetKeyword;

PROCEDURE GetNext(t: T): TEXT RAISES {Error} =
  BEGIN
    IF t.next >= NUMBER(t.parsed^) OR t.parsed[t.next] THEN t.error("missing argument") END;
    t.parsed[t.next] := TRUE;
    INC(t.next);
    RETURN t.arg[t.next - 1];
  END GetNext;

PROCEDURE TestNext(t: T; test: TEXT): BOOLEAN =
  BEGIN
    IF t.next < NUMBER(t.parsed^) AND NOT t.parsed[t.next]
         AND Text.Equal(t.arg[t.next], test) THEN
      t.parsed[t.next] := TRUE;
      INC(t.next);
      RETURN TRUE;
    END;
    RETURN FALSE;
  END TestNext;

PROCEDURE GetNextInt(t: T; min := FIRST(INTEGER); max := LAST(INTEGER)): INTEGER RAISES {Error} =
  VAR value := 0;  text := t.getNext();
  BEGIN
    TRY
      value := Scan.Int(text);
    EXCEPT
    | Lex.Error, FloatMode.Trap => t.error("not an integer: " & text);
    END;
    IF value < min OR value > max THEN
      t.error(Fmt.F("%s is not in [%s..%s]", text, Fmt.Int(min), Fmt.Int(max)));
    END;
    RETURN value;
  END GetNextInt;

PROCEDURE GetNextReal(t: T; min := FIRST(REAL); max := LAST(REAL)): REAL RAISES {Error} =
  VAR value := 0.0;  text := t.getNext();
  BEGIN
    TRY
      value := Scan.Real(text);
    EXCEPT
    | Lex.Error, FloatMode.Trap => t.error("not a real number: " & text);
    END;
    IF NOT (min <= value AND value <= max) THEN  (* nor what is not a number *)
      t.error(Fmt.F("%s is not in [%s..%s]", text, Fmt.Real(min), Fmt.Real(max)));
    END;
    RETURN value;
  END GetNextReal;

PROCEDURE GetNextLongReal(t: T; min := FIRST(LONGREAL); max := LAST(LONGREAL)): LONGREAL
  RAISES {Error} =
  VAR value := 0.0d0;  text := t.getNext();
  BEGIN
    TRY
      value := Scan.LongReal(text);
    EXCEPT
    | Lex.Error, FloatMode.Trap => t.error("not a real number: " & text);
    END;
    IF NOT (min <= value AND value <= max) THEN  (* nor what is not a number *)
      t.error(Fmt.F("%s is not in [%s..%s]", text, Fmt.LongReal(min), Fmt.LongReal(max)));
    END;
    RETURN value;
  END GetNextLongReal;

PROCEDURE Complain(t: T; message: TEXT) RAISES {Error} =
  BEGIN
    IF 0 < t.next AND t.next <= NUMBER(t.parsed^) THEN
      message := "argument \"" & t.arg[t.next - 1] & "\": " & message;
    END;
    Print(t, message);
    RAISE Error;
  END Complain;

(* A failure to write the message is ignored. *)
PROCEDURE Print(t: T; message: TEXT) =
  BEGIN
    IF t.wr # NIL THEN
      TRY
        Wr.PutText(t.wr, Params.Get(0) & ": " & message & "\n");
        Wr.Flush(t.wr);
      EXCEPT
      | Wr.Failure, Thread.Alerted =>
      END;
    END;
  END Print;

PROCEDURE SkipParsed(t: T) RAISES {Error} =
  BEGIN
    t.next := NUMBER(t.parsed^);
    WHILE t.next > 0 AND NOT t.parsed[t.next - 1] DO DEC(t.next) END;
    CheckAll(t, t.next);
  END SkipParsed;

PROCEDURE Finish(t: T) RAISES {Error} =
  BEGIN
    CheckAll(t, NUMBER(t.parsed^));
  END Finish;

(* An error if one of the first n parameters has not been taken. *)
PROCEDURE CheckAll(t: T; n: CARDINAL) RAISES {Error} =
  BEGIN
    FOR i := 0 TO n - 1 DO
      IF NOT t.parsed[i] THEN
        Print(t, "unexpected argument \"" & t.arg[i] & "\"");
        RAISE Error;
      END;
    END;
  END CheckAll;

BEGIN
END ParseParams.
