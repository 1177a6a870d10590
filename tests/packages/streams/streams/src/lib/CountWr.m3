MODULE CountWr EXPORTS CountWr;
IMPORT Wr, WrClass, CountWrClass, Thread, UnsafeWr;

REVEAL T = CountWrClass.Private BRANDED "CountWr 1.0" OBJECT OVERRIDES
    init := Init; seek := Seek; putString := PutString; flush := Flush; close := Close; length := Length
  END;
CONST BufSize = 16;
PROCEDURE New(ch: Wr.T): T = BEGIN RETURN NEW(T).init(ch) END New;
PROCEDURE Init(self: T; ch: Wr.T): T =
  BEGIN
    WrClass.Lock(self);
    TRY
      self.child := ch; self.lo := 0; self.cur := 0; self.hi := BufSize; self.st := 0;
      self.buff := NEW(REF ARRAY OF CHAR, BufSize);
      self.closed := FALSE; self.seekable := FALSE; self.buffered := TRUE;
    FINALLY WrClass.Unlock(self) END;
    RETURN self
  END Init;
PROCEDURE Empty(self: T) RAISES {Wr.Failure, Thread.Alerted} =
  VAR n := self.cur - self.lo;
  BEGIN
    FOR i := 0 TO n - 1 DO
      INC(self.chars);
      IF self.buff[i] = '\n' THEN INC(self.lines) END
    END;
    Wr.PutString(self.child, SUBARRAY(self.buff^, 0, n));
    self.lo := self.cur; self.hi := self.lo + NUMBER(self.buff^);
  END Empty;
PROCEDURE Seek(self: T; n: CARDINAL) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF n # self.cur THEN <*NOWARN*> Wr.Seek(self.child, n) END;
    Empty(self)
  END Seek;
PROCEDURE PutString(self: T; READONLY a: ARRAY OF CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    Empty(self);
    FOR i := 0 TO LAST(a) DO INC(self.chars); IF a[i] = '\n' THEN INC(self.lines) END END;
    Wr.PutString(self.child, a);
    INC(self.cur, NUMBER(a)); self.lo := self.cur; self.hi := self.lo + NUMBER(self.buff^);
  END PutString;
PROCEDURE Length(self: T): CARDINAL RAISES {} = BEGIN RETURN self.cur END Length;
PROCEDURE Flush(self: T) RAISES {Wr.Failure, Thread.Alerted} = BEGIN Empty(self); Wr.Flush(self.child) END Flush;
PROCEDURE Close(self: T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN self.flush(); self.buff := NIL END Close;
PROCEDURE Count(t: T): CARDINAL = BEGIN LOCK t DO RETURN t.chars + (t.cur - t.lo) END END Count;
PROCEDURE Lines(t: T): CARDINAL = BEGIN RETURN t.lines END Lines;
BEGIN

END CountWr.
