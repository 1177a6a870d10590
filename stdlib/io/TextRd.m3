MODULE TextRd;

IMPORT RdClass, TextRep;

REVEAL
  T = Public BRANDED "TextRd.T" OBJECT
    OVERRIDES
      init := Init;
      seek := Seek;
      length := Length;
    END;

PROCEDURE New(t: TEXT): T =
  BEGIN
    RETURN NEW(T).init(t);
  END New;

PROCEDURE Init(rd: T; t: TEXT): T =
  BEGIN
    RdClass.Init(rd);
    rd.buff := TextRep.Chars(t);
    rd.hi := NUMBER(rd.buff^);
    rd.seekable := TRUE;
    RETURN rd;
  END Init;

(* The whole source is in the buffer. *)
PROCEDURE Seek(rd: T; n: CARDINAL; <*UNUSED*> dontBlock: BOOLEAN): RdClass.SeekResult =
  BEGIN
    rd.cur := MIN(n, rd.hi);
    IF rd.cur < rd.hi THEN RETURN RdClass.SeekResult.Ready END;
    RETURN RdClass.SeekResult.Eof;
  END Seek;

PROCEDURE Length(rd: T): INTEGER =
  BEGIN
    RETURN rd.hi;
  END Length;

BEGIN
END TextRd.
