MODULE UpperRd;
IMPORT Rd, RdClass, Thread, ASCII;
REVEAL T = Public BRANDED OBJECT src: Rd.T OVERRIDES init := Init; seek := Seek; length := Length; close := Close END;
PROCEDURE Init(r: T; src: Rd.T): T =
  BEGIN
    r.src := src; r.st := 0; r.lo := 0; r.cur := 0; r.hi := 0;
    r.buff := NEW(REF ARRAY OF CHAR, 8); r.closed := FALSE; r.seekable := FALSE; r.intermittent := Rd.Intermittent(src);
    RETURN r
  END Init;
PROCEDURE Seek(r: T; n: CARDINAL; dontBlock: BOOLEAN): RdClass.SeekResult RAISES {Rd.Failure, Thread.Alerted} =
  VAR want := NUMBER(r.buff^); got: CARDINAL;
  BEGIN
    <*ASSERT n = r.hi*>
    IF dontBlock THEN
      want := MIN(want, Rd.CharsReady(r.src));
      IF want = 0 THEN RETURN RdClass.SeekResult.WouldBlock END
    END;
    got := Rd.GetSub(r.src, SUBARRAY(r.buff^, 0, want));
    IF got = 0 THEN RETURN RdClass.SeekResult.Eof END;
    FOR i := 0 TO got - 1 DO WITH c = r.buff[i] DO c := ASCII.Upper[c] END END;
    r.lo := r.hi; r.hi := r.lo + got; r.cur := n;
    RETURN RdClass.SeekResult.Ready
  END Seek;
PROCEDURE Length(<*UNUSED*> r: T): INTEGER RAISES {} = BEGIN RETURN -1 END Length;
PROCEDURE Close(r: T) RAISES {Rd.Failure, Thread.Alerted} = BEGIN Rd.Close(r.src) END Close;
BEGIN END UpperRd.
