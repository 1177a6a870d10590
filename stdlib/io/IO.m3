MODULE IO;

IMPORT AtomList, FileRd, FileWr, FloatMode, Fmt, Lex, OSError, Process, RTReport, Rd, RdUtils,
  Stdio, Text, Thread, Wr;

PROCEDURE Put(txt: TEXT; wr: Wr.T := NIL) =
  BEGIN
    IF wr = NIL THEN wr := Stdio.stdout END;
    TRY
      Wr.PutText(wr, txt);
      Wr.Flush(wr);
    EXCEPT
    | Wr.Failure (why) => EndAfter(why);
    | Thread.Alerted =>
    END;
  END Put;

PROCEDURE EndAfter(why: AtomList.T) =
  BEGIN
    RTReport.EndIfUnread();
    Process.Crash("cannot write: " & RdUtils.FailureText(why));
  END EndAfter;

PROCEDURE PutChar(ch: CHAR; wr: Wr.T := NIL) =
  BEGIN
    Put(Text.FromChar(ch), wr);
  END PutChar;

PROCEDURE PutWideChar(ch: WIDECHAR; wr: Wr.T := NIL) =
  BEGIN
    IF wr = NIL THEN wr := Stdio.stdout END;
    TRY
      Wr.PutWideChar(wr, ch);
      Wr.Flush(wr);
    EXCEPT
    | Wr.Failure (why) => EndAfter(why);
    | Thread.Alerted =>
    END;
  END PutWideChar;

PROCEDURE PutInt(n: INTEGER; wr: Wr.T := NIL) =
  BEGIN
    Put(Fmt.Int(n), wr);
  END PutInt;

PROCEDURE PutLongInt(n: LONGINT; wr: Wr.T := NIL) =
  BEGIN
    Put(Fmt.LongInt(n), wr);
  END PutLongInt;

PROCEDURE PutReal(r: REAL; wr: Wr.T := NIL) =
  BEGIN
    Put(Fmt.Real(r), wr);
  END PutReal;

PROCEDURE Input(rd: Rd.T): Rd.T =
  BEGIN
    IF rd = NIL THEN RETURN Stdio.stdin END;
    RETURN rd;
  END Input;

PROCEDURE EOF(rd: Rd.T := NIL): BOOLEAN =
  BEGIN
    TRY
      RETURN Rd.EOF(Input(rd));
    EXCEPT
    | Rd.Failure, Thread.Alerted => RETURN TRUE;
    END;
  END EOF;

PROCEDURE GetLine(rd: Rd.T := NIL): TEXT RAISES {Error} =
  BEGIN
    TRY
      RETURN Rd.GetLine(Input(rd));
    EXCEPT
    | Rd.EndOfFile, Rd.Failure, Thread.Alerted => RAISE Error;
    END;
  END GetLine;

PROCEDURE GetChar(rd: Rd.T := NIL): CHAR RAISES {Error} =
  BEGIN
    TRY
      RETURN Rd.GetChar(Input(rd));
    EXCEPT
    | Rd.EndOfFile, Rd.Failure, Thread.Alerted => RAISE Error;
    END;
  END GetChar;

PROCEDURE GetWideChar(rd: Rd.T := NIL): WIDECHAR RAISES {Error} =
  BEGIN
    TRY
      RETURN Rd.GetWideChar(Input(rd));
    EXCEPT
    | Rd.EndOfFile, Rd.Failure, Thread.Alerted => RAISE Error;
    END;
  END GetWideChar;

PROCEDURE GetInt(rd: Rd.T := NIL): INTEGER RAISES {Error} =
  BEGIN
    TRY
      RETURN Lex.Int(Input(rd));
    EXCEPT
    | Lex.Error, FloatMode.Trap, Rd.Failure, Thread.Alerted => RAISE Error;
    END;
  END GetInt;

PROCEDURE GetLongInt(rd: Rd.T := NIL): LONGINT RAISES {Error} =
  BEGIN
    TRY
      RETURN Lex.LongInt(Input(rd));
    EXCEPT
    | Lex.Error, FloatMode.Trap, Rd.Failure, Thread.Alerted => RAISE Error;
    END;
  END GetLongInt;

PROCEDURE GetReal(rd: Rd.T := NIL): REAL RAISES {Error} =
  BEGIN
    TRY
      RETURN Lex.Real(Input(rd));
    EXCEPT
    | Lex.Error, FloatMode.Trap, Rd.Failure, Thread.Alerted => RAISE Error;
    END;
  END GetReal;

PROCEDURE OpenRead(f: TEXT): Rd.T =
  BEGIN
    TRY
      RETURN FileRd.Open(f);
    EXCEPT
    | OSError.E => RETURN NIL;
    END;
  END OpenRead;

PROCEDURE OpenWrite(f: TEXT): Wr.T =
  BEGIN
    TRY
      RETURN FileWr.Open(f);
    EXCEPT
    | OSError.E => RETURN NIL;
    END;
  END OpenWrite;

BEGIN
END IO.
