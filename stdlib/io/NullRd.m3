MODULE NullRd;

IMPORT Rd, RdClass;

REVEAL
  T = Public BRANDED "NullRd.T" OBJECT
    OVERRIDES
      init := Init;
      seek := Seek;
      length := Length;
    END;

PROCEDURE Init(rd: T): T =
  BEGIN
    RdClass.Init(rd);
    rd.buff := NEW(REF ARRAY OF CHAR, 1);
    rd.closed := FALSE;
    rd.seekable := TRUE;
    RETURN rd;
  END Init;

PROCEDURE Seek(rd: T; <*UNUSED*> n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN)
  : RdClass.SeekResult =
  BEGIN
    rd.cur := 0;
    RETURN RdClass.SeekResult.Eof;
  END Seek;

PROCEDURE Length(<*UNUSED*> rd: Rd.T): INTEGER =
  BEGIN
    RETURN 0;
  END Length;

BEGIN
END NullRd.
