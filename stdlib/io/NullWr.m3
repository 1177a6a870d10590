MODULE NullWr;

IMPORT Wr, WrClass;

CONST
  BufferSize = 1024;

REVEAL
  T = Public BRANDED "NullWr.T" OBJECT
    OVERRIDES
      init := Init;
      seek := Seek;
      putString := PutString;
    END;

PROCEDURE Init(wr: T): T =
  BEGIN
    wr.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    wr.st := 0;
    wr.lo := 0;
    wr.hi := BufferSize;
    wr.cur := 0;
    wr.closed := FALSE;
    wr.seekable := FALSE;
    wr.buffered := TRUE;
    RETURN wr;
  END Init;

(* Reuse the buffer from its beginning. *)
PROCEDURE Seek(wr: T; n: CARDINAL) =
  BEGIN
    wr.cur := n;
    wr.lo := n;
    wr.hi := n + BufferSize;
  END Seek;

PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) =
  BEGIN
    Seek(wr, wr.cur + NUMBER(a));
  END PutString;

BEGIN
END NullWr.
