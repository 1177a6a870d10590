MODULE RdExtras;

IMPORT ASCII, Rd, TextWr, Thread, Wr;

PROCEDURE Skip(s: Rd.T; READONLY skip := ASCII.Spaces; unget := TRUE): CHAR
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted} =
  VAR ch: CHAR;
  BEGIN
    REPEAT ch := Rd.GetChar(s) UNTIL NOT ch IN skip;
    IF unget THEN Rd.UnGetChar(s) END;
    RETURN ch;
  END Skip;

PROCEDURE GetUntil(s: Rd.T; VAR chars: ARRAY OF CHAR; READONLY terminate := ASCII.Spaces;
                   unget := TRUE): CARDINAL RAISES {Rd.Failure, Thread.Alerted} =
  VAR n: CARDINAL := 0;  ch: CHAR;
  BEGIN
    TRY
      WHILE n < NUMBER(chars) DO
        ch := Rd.GetChar(s);
        IF ch IN terminate THEN
          IF unget THEN Rd.UnGetChar(s) END;
          EXIT;
        END;
        chars[n] := ch;
        INC(n);
      END;
    EXCEPT
    | Rd.EndOfFile =>
    END;
    RETURN n;
  END GetUntil;

PROCEDURE GetChars(s: Rd.T; VAR chars: ARRAY OF CHAR; READONLY skip := ASCII.Spaces;
                   READONLY terminate := ASCII.Spaces; unget := TRUE): CARDINAL
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted} =
  BEGIN
    EVAL Skip(s, skip);
    RETURN GetUntil(s, chars, terminate, unget);
  END GetChars;

PROCEDURE GetText(s: Rd.T; READONLY skip := ASCII.Set{}; READONLY terminate := ASCII.Spaces;
                  unget := TRUE): TEXT RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted} =
  <*FATAL Wr.Failure*>
  VAR wr := TextWr.New();  ch: CHAR;
  BEGIN
    EVAL Skip(s, skip);
    TRY
      LOOP
        ch := Rd.GetChar(s);
        IF ch IN terminate THEN
          IF unget THEN Rd.UnGetChar(s) END;
          EXIT;
        END;
        Wr.PutChar(wr, ch);
      END;
    EXCEPT
    | Rd.EndOfFile =>
    END;
    RETURN TextWr.ToText(wr);
  END GetText;

BEGIN
END RdExtras.
