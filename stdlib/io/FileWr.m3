UNSAFE MODULE FileWr;

IMPORT FS, File, FilePosix, OSError, Pathname, RegularFile, Wr, WrClass, WrShort;

CONST
  BufferSize = 8192;
  MostAtOnce = 16_20000000;

TYPE
  (* No array type is longer than 2^31 bytes; more characters than these are written in pieces. *)
  Bytes = UNTRACED REF ARRAY [0..MostAtOnce - 1] OF File.Byte;

REVEAL
  T = Public BRANDED "FileWr.T" OBJECT
      file: File.T := NIL;
    OVERRIDES
      init := Init;
      seek := Seek;
      putString := PutString;
      length := Length;
      flush := Flush;
      close := Close;
    END;

PROCEDURE Open(p: Pathname.T): T RAISES {OSError.E} =
  BEGIN
    RETURN NEW(T).init(FS.OpenFile(p));
  END Open;

PROCEDURE OpenAppend(p: Pathname.T): T RAISES {OSError.E} =
  VAR h := FS.OpenFile(p, truncate := FALSE);
  BEGIN
    TYPECASE h OF
    | RegularFile.T (regular) => EVAL regular.seek(RegularFile.Origin.End, 0);
    ELSE
    END;
    RETURN NEW(T).init(h);
  END OpenAppend;

PROCEDURE Init(wr: T; h: File.T; buffered: BOOLEAN): T RAISES {OSError.E} =
  BEGIN
    wr.file := h;
    wr.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    wr.st := 0;
    wr.cur := 0;
    wr.closed := FALSE;
    wr.buffered := buffered;
    wr.seekable := FALSE;
    TYPECASE h OF
    | RegularFile.T (regular) =>
      wr.seekable := TRUE;
      wr.cur := regular.seek(RegularFile.Origin.Current, 0);
    ELSE
    END;
    wr.lo := wr.cur;
    wr.hi := wr.cur + BufferSize;
    RETURN wr;
  END Init;

(* Sends characters lo .. cur - 1 on, and empties the buffer. If sending fails, removes the
   characters that were sent from the buffer, so that they are not sent again. *)
PROCEDURE Send(wr: T) RAISES {OSError.E} =
  VAR n := wr.cur - wr.lo;
  BEGIN
    IF n > 0 THEN
      TRY
        WITH bytes = LOOPHOLE(ADR(wr.buff[wr.st]), Bytes) DO
          wr.file.write(SUBARRAY(bytes^, 0, n));
        END;
      EXCEPT
      | OSError.E (code) =>
        WITH sent = Sent(wr.file, n) DO
          INC(wr.lo, sent);
          INC(wr.st, sent);
        END;
        RAISE OSError.E(code);
      END;
    END;
    wr.lo := wr.cur;
    wr.st := 0;
    wr.hi := wr.cur + BufferSize;
  END Send;

(* The number of the n characters that a failed write has sent; 0 if the class of the file does
   not tell. *)
PROCEDURE Sent(file: File.T; n: CARDINAL): CARDINAL =
  VAR sent := MIN(file.written, n);
  BEGIN
    file.written := 0;
    RETURN sent;
  END Sent;

PROCEDURE Seek(wr: T; n: CARDINAL) RAISES {Wr.Failure} =
  BEGIN
    TRY
      Send(wr);
      IF n # wr.cur THEN
        n := MIN(n, FileLength(wr));
        WITH regular = NARROW(wr.file, RegularFile.T) DO
          EVAL regular.seek(RegularFile.Origin.Beginning, n);
        END;
        wr.lo := n;
        wr.cur := n;
        wr.hi := n + BufferSize;
      END;
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END Seek;

PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Wr.Failure} =
  VAR at: CARDINAL := 0;  n: CARDINAL;
  BEGIN
    TRY
      IF NUMBER(a) > wr.hi - wr.cur THEN Send(wr) END;
      IF NUMBER(a) >= BufferSize THEN
        (* The buffer would bring no gain. *)
        WHILE at < NUMBER(a) DO
          n := MIN(NUMBER(a) - at, MostAtOnce);
          TRY
            WITH bytes = LOOPHOLE(ADR(a[at]), Bytes) DO
              wr.file.write(SUBARRAY(bytes^, 0, n));
            END;
          EXCEPT
          | OSError.E (code) =>
            SentDirectly(wr, Sent(wr.file, n));
            RAISE OSError.E(code);
          END;
          SentDirectly(wr, n);
          INC(at, n);
        END;
      ELSE
        SUBARRAY(wr.buff^, wr.st + wr.cur - wr.lo, NUMBER(a)) := a;
        INC(wr.cur, NUMBER(a));
      END;
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END PutString;

(* The buffer is empty here. *)
PROCEDURE SentDirectly(wr: T; n: CARDINAL) =
  BEGIN
    INC(wr.cur, n);
    wr.lo := wr.cur;
    wr.hi := wr.cur + BufferSize;
  END SentDirectly;

PROCEDURE FileLength(wr: T): CARDINAL RAISES {OSError.E} =
  BEGIN
    RETURN VAL(wr.file.status().size, INTEGER);
  END FileLength;

PROCEDURE Length(wr: T): CARDINAL RAISES {Wr.Failure} =
  BEGIN
    IF NOT wr.seekable THEN RETURN wr.cur END;
    TRY
      RETURN MAX(FileLength(wr), wr.cur);
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END Length;

PROCEDURE Flush(wr: T) RAISES {Wr.Failure} =
  BEGIN
    TRY
      Send(wr);
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END Flush;

PROCEDURE Close(wr: T) RAISES {Wr.Failure} =
  BEGIN
    TRY
      wr.file.close();
    EXCEPT
    | OSError.E (code) => RAISE Wr.Failure(code);
    END;
  END Close;

BEGIN
  WrShort.PutStringCopies(LOOPHOLE(PutString, ADDRESS));
END FileWr.
