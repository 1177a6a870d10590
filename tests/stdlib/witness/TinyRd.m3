MODULE TinyRd;

IMPORT Rd, RdClass, Text, TextRd;

TYPE
  T = Rd.T BRANDED "TinyRd.T" OBJECT
    t: TEXT;
  OVERRIDES
    seek := Seek;
  END;

PROCEDURE New(t: TEXT; size: CARDINAL): Rd.T =
  VAR rd: T;
  BEGIN
    IF size = 0 THEN RETURN TextRd.New(t) END;
    rd := NEW(T, t := t);
    RdClass.Init(rd);
    rd.buff := NEW(REF ARRAY OF CHAR, size);
    RETURN rd;
  END New;

PROCEDURE Seek(rd: T; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult =
  VAR most := NUMBER(rd.buff^);
  BEGIN
    rd.lo := n;
    rd.cur := n;
    rd.hi := MIN(n + most, Text.Length(rd.t));
    IF rd.lo >= rd.hi THEN
      rd.hi := n;
      RETURN RdClass.SeekResult.Eof;
    END;
    Text.SetChars(SUBARRAY(rd.buff^, 0, rd.hi - rd.lo), rd.t, n);
    RETURN RdClass.SeekResult.Ready;
  END Seek;

BEGIN
END TinyRd.
