MODULE Scan;

IMPORT FloatMode, Lex, Long, Rd, TextRd, Thread, Word;

(* Texts do not fail. *)
<*FATAL Rd.Failure, Thread.Alerted*>

(* Raises Lex.Error unless only blanks are left. *)
PROCEDURE Finish(rd: Rd.T) RAISES {Lex.Error} =
  BEGIN
    Lex.Skip(rd);
    IF NOT Rd.EOF(rd) THEN RAISE Lex.Error END;
  END Finish;

PROCEDURE Bool(txt: TEXT): BOOLEAN RAISES {Lex.Error} =
  VAR rd := TextRd.New(txt);  value := Lex.Bool(rd);
  BEGIN
    Finish(rd);
    RETURN value;
  END Bool;

PROCEDURE Int(txt: TEXT; defaultBase: [2..16] := 10): INTEGER RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.Int(rd, defaultBase);
  BEGIN
    Finish(rd);
    RETURN value;
  END Int;

PROCEDURE Unsigned(txt: TEXT; defaultBase: [2..16] := 16): Word.T
  RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.Unsigned(rd, defaultBase);
  BEGIN
    Finish(rd);
    RETURN value;
  END Unsigned;

PROCEDURE LongInt(txt: TEXT; defaultBase: [2..16]): LONGINT RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.LongInt(rd, defaultBase);
  BEGIN
    Finish(rd);
    RETURN value;
  END LongInt;

PROCEDURE LongUnsigned(txt: TEXT; defaultBase: [2..16]): Long.T RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.LongUnsigned(rd, defaultBase);
  BEGIN
    Finish(rd);
    RETURN value;
  END LongUnsigned;

PROCEDURE Real(txt: TEXT): REAL RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.Real(rd);
  BEGIN
    Finish(rd);
    RETURN value;
  END Real;

PROCEDURE LongReal(txt: TEXT): LONGREAL RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.LongReal(rd);
  BEGIN
    Finish(rd);
    RETURN value;
  END LongReal;

PROCEDURE Extended(txt: TEXT): EXTENDED RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := TextRd.New(txt);  value := Lex.Extended(rd);
  BEGIN
    Finish(rd);
    RETURN value;
  END Extended;

BEGIN
END Scan.
