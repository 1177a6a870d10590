UNSAFE MODULE TextFlat;

IMPORT RTReport, TextClass;

TYPE
  LengthRef = UNTRACED REF INTEGER;

PROCEDURE Length(t: TEXT): CARDINAL =
  BEGIN
    RETURN LOOPHOLE(LOOPHOLE(t, ADDRESS), LengthRef)^ - 1;
  END Length;

PROCEDURE Chars8(t: TEXT): Array8 =
  BEGIN
    RETURN LOOPHOLE(LOOPHOLE(t, ADDRESS) + Header, Array8);
  END Chars8;

PROCEDURE Chars16(t: TEXT): Array16 =
  BEGIN
    RETURN LOOPHOLE(LOOPHOLE(t, ADDRESS) + Header, Array16);
  END Chars16;

PROCEDURE GetInfo8(t: T8; VAR i: TextClass.Info) =
  BEGIN
    i.start := LOOPHOLE(t, ADDRESS) + Header;
    i.length := Length(t);
    i.wide := FALSE;
  END GetInfo8;

PROCEDURE GetChar8(t: T8; i: CARDINAL): CHAR =
  BEGIN
    IF i >= Length(t) THEN RTReport.RaiseSubscript(i, Length(t)) END;
    RETURN LOOPHOLE(LOOPHOLE(t, ADDRESS) + (Header + i), Char8)^;
  END GetChar8;

PROCEDURE GetInfo16(t: T16; VAR i: TextClass.Info) =
  BEGIN
    i.start := LOOPHOLE(t, ADDRESS) + Header;
    i.length := Length(t);
    i.wide := TRUE;
  END GetInfo16;

PROCEDURE GetWideChar16(t: T16; i: CARDINAL): WIDECHAR =
  BEGIN
    IF i >= Length(t) THEN RTReport.RaiseSubscript(i, Length(t)) END;
    RETURN LOOPHOLE(LOOPHOLE(t, ADDRESS) + (Header + i * BYTESIZE(WIDECHAR)), Char16)^;
  END GetWideChar16;

BEGIN
END TextFlat.
