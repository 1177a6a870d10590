MODULE TextWr;

IMPORT Text, UnsafeWr, WrClass;

CONST
  FirstSize = 500;

REVEAL
  T = Public BRANDED "TextWr.T" OBJECT
    OVERRIDES
      init := Init;
      seek := Seek;
    END;

PROCEDURE New(): T =
  BEGIN
    RETURN NEW(T).init();
  END New;

PROCEDURE Init(wr: T): T =
  BEGIN
    IF wr.buff = NIL THEN wr.buff := NEW(REF ARRAY OF CHAR, FirstSize) END;
    wr.st := 0;
    wr.lo := 0;
    wr.cur := 0;
    wr.hi := NUMBER(wr.buff^);
    wr.closed := FALSE;
    wr.seekable := FALSE;
    wr.buffered := TRUE;
    RETURN wr;
  END Init;

PROCEDURE Seek(wr: T; <*UNUSED*> n: CARDINAL) =
  VAR buff := NEW(REF ARRAY OF CHAR, 2 * NUMBER(wr.buff^));
  BEGIN
    SUBARRAY(buff^, 0, wr.cur) := SUBARRAY(wr.buff^, 0, wr.cur);
    wr.buff := buff;
    wr.hi := NUMBER(buff^);
  END Seek;

PROCEDURE ToText(wr: T): TEXT =
  VAR result: TEXT;
  BEGIN
    LOCK wr DO
      result := Text.FromChars(SUBARRAY(wr.buff^, 0, wr.cur));
      wr.cur := 0;
    END;
    RETURN result;
  END ToText;

BEGIN
END TextWr.
