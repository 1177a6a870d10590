UNSAFE MODULE Scan;

IMPORT FloatMode, Lex, Long, RTReport, RTSystem, Rd, TextClass, TextFlat, TextRd, TextRep, Thread, Word;

(* Texts do not fail. *)
<*FATAL Rd.Failure, Thread.Alerted*>

CONST
  IsNoInteger = "is not an integer";
  IsNoReal = "is not a real number";
  IsNoBoolean = "is not TRUE or FALSE";

PROCEDURE Fail(txt, isNot: TEXT) RAISES {Lex.Error} =
  BEGIN
    RTReport.ExplainWord(txt, isNot);
    RAISE Lex.Error;
  END Fail;

(* A reader for txt; raises Lex.Error if a character is not in CHAR. *)
PROCEDURE Reader(txt, isNot: TEXT): Rd.T RAISES {Lex.Error} =
  BEGIN
    IF NOT TextRep.IsNarrow(txt) THEN Fail(txt, isNot) END;
    RETURN TextRd.New(txt);
  END Reader;

(* Raises Lex.Error unless only blanks are left of txt. *)
PROCEDURE Finish(rd: Rd.T; txt, isNot: TEXT) RAISES {Lex.Error} =
  BEGIN
    Lex.Skip(rd);
    IF NOT Rd.EOF(rd) THEN Fail(txt, isNot) END;
  END Finish;

PROCEDURE Bool(txt: TEXT): BOOLEAN RAISES {Lex.Error} =
  VAR rd := Reader(txt, IsNoBoolean);  value := Lex.Bool(rd);
  BEGIN
    Finish(rd, txt, IsNoBoolean);
    RETURN value;
  END Bool;

(* Nearly all texts are flat and contain only the number: they are read without a reader. *)

PROCEDURE PlainInt(txt: TEXT; VAR value: INTEGER): BOOLEAN =
  CONST MostDigits = 18;  (* a number with this many digits always fits *)
  VAR info: TextClass.Info;  first: CARDINAL := 0;  digit: INTEGER;
  BEGIN
    txt.get_info(info);
    IF info.start = NIL OR info.wide OR info.length > TextFlat.Piece THEN RETURN FALSE END;
    WITH chars = LOOPHOLE(info.start, TextFlat.Array8) DO
      IF info.length > 0 AND chars[0] = '-' THEN first := 1 END;
      IF info.length = first OR info.length - first > MostDigits THEN RETURN FALSE END;
      value := 0;
      FOR i := first TO info.length - 1 DO
        digit := ORD(chars[i]) - ORD('0');
        IF digit < 0 OR digit > 9 THEN RETURN FALSE END;
        value := 10 * value + digit;
      END;
    END;
    IF first = 1 THEN value := -value END;
    RETURN TRUE;
  END PlainInt;

(* Not for infinities, which indicate an overflow. *)
PROCEDURE PlainLongReal(txt: TEXT; VAR value: LONGREAL): BOOLEAN =
  VAR info: TextClass.Info;  used: INTEGER;
  BEGIN
    txt.get_info(info);
    IF info.start = NIL OR info.wide OR info.length > TextFlat.Piece THEN RETURN FALSE END;
    WITH chars = LOOPHOLE(info.start, TextFlat.Array8) DO
      value := RTSystem.Parse(SUBARRAY(chars^, 0, info.length), used);
    END;
    RETURN used > 0 AND used = info.length AND value - value = 0.0d0;
  END PlainLongReal;

PROCEDURE PlainReal(txt: TEXT; VAR value: REAL): BOOLEAN =
  VAR info: TextClass.Info;  used: INTEGER;
  BEGIN
    txt.get_info(info);
    IF info.start = NIL OR info.wide OR info.length > TextFlat.Piece THEN RETURN FALSE END;
    WITH chars = LOOPHOLE(info.start, TextFlat.Array8) DO
      value := RTSystem.ParseReal(SUBARRAY(chars^, 0, info.length), used);
    END;
    RETURN used > 0 AND used = info.length AND value - value = 0.0;
  END PlainReal;

PROCEDURE Int(txt: TEXT; defaultBase: [2..16] := 10): INTEGER RAISES {Lex.Error, FloatMode.Trap} =
  VAR value: INTEGER;
  BEGIN
    IF defaultBase = 10 AND PlainInt(txt, value) THEN RETURN value END;
    WITH rd = Reader(txt, IsNoInteger) DO
      value := Lex.Int(rd, defaultBase);
      Finish(rd, txt, IsNoInteger);
      RETURN value;
    END;
  END Int;

PROCEDURE Unsigned(txt: TEXT; defaultBase: [2..16] := 16): Word.T
  RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := Reader(txt, IsNoInteger);  value := Lex.Unsigned(rd, defaultBase);
  BEGIN
    Finish(rd, txt, IsNoInteger);
    RETURN value;
  END Unsigned;

PROCEDURE LongInt(txt: TEXT; defaultBase: [2..16]): LONGINT RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := Reader(txt, IsNoInteger);  value := Lex.LongInt(rd, defaultBase);
  BEGIN
    Finish(rd, txt, IsNoInteger);
    RETURN value;
  END LongInt;

PROCEDURE LongUnsigned(txt: TEXT; defaultBase: [2..16]): Long.T RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := Reader(txt, IsNoInteger);  value := Lex.LongUnsigned(rd, defaultBase);
  BEGIN
    Finish(rd, txt, IsNoInteger);
    RETURN value;
  END LongUnsigned;

PROCEDURE Real(txt: TEXT): REAL RAISES {Lex.Error, FloatMode.Trap} =
  VAR value: REAL;
  BEGIN
    IF PlainReal(txt, value) THEN RETURN value END;
    WITH rd = Reader(txt, IsNoReal) DO
      value := Lex.Real(rd);
      Finish(rd, txt, IsNoReal);
      RETURN value;
    END;
  END Real;

PROCEDURE LongReal(txt: TEXT): LONGREAL RAISES {Lex.Error, FloatMode.Trap} =
  VAR value: LONGREAL;
  BEGIN
    IF PlainLongReal(txt, value) THEN RETURN value END;
    WITH rd = Reader(txt, IsNoReal) DO
      value := Lex.LongReal(rd);
      Finish(rd, txt, IsNoReal);
      RETURN value;
    END;
  END LongReal;

PROCEDURE Extended(txt: TEXT): EXTENDED RAISES {Lex.Error, FloatMode.Trap} =
  VAR rd := Reader(txt, IsNoReal);  value := Lex.Extended(rd);
  BEGIN
    Finish(rd, txt, IsNoReal);
    RETURN value;
  END Extended;

BEGIN
END Scan.
