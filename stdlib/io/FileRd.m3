UNSAFE MODULE FileRd;

IMPORT FS, File, FilePosix, OSError, Pathname, Rd, RdClass, RegularFile, StdioFlush, ThreadInput;
FROM Thread IMPORT Alerted;

CONST
  BufferSize = 8192;

TYPE
  Bytes = UNTRACED REF ARRAY [0..BufferSize - 1] OF File.Byte;

REVEAL
  T = Public BRANDED "FileRd.T" OBJECT
      file: File.T := NIL;
    OVERRIDES
      init := Init;
      seek := Seek;
      length := Length;
      close := Close;
    END;

PROCEDURE Open(p: Pathname.T): T RAISES {OSError.E} =
  BEGIN
    RETURN NEW(T).init(FS.OpenFileReadonly(p));
  END Open;

PROCEDURE Init(rd: T; h: File.T): T RAISES {OSError.E} =
  BEGIN
    RdClass.Init(rd);
    rd.file := h;
    rd.buff := NEW(REF ARRAY OF CHAR, BufferSize);
    TYPECASE h OF
    | RegularFile.T (regular) =>
      rd.seekable := TRUE;
      rd.cur := regular.seek(RegularFile.Origin.Current, 0);
      rd.lo := rd.cur;
      rd.hi := rd.cur;
    ELSE
      rd.intermittent := TRUE;
    END;
    RETURN rd;
  END Init;

PROCEDURE Seek(rd: T; n: CARDINAL; dontBlock: BOOLEAN): RdClass.SeekResult
  RAISES {Rd.Failure, Alerted} =
  VAR kept: CARDINAL := 0;  got: INTEGER;
  BEGIN
    TRY
      IF n = rd.hi THEN
        (* Keep the characters that can be pushed back. *)
        kept := MIN(rd.hi - rd.lo, Rd.UnGetCapacity);
        SUBARRAY(rd.buff^, 0, kept) := SUBARRAY(rd.buff^, rd.st + rd.hi - rd.lo - kept, kept);
      ELSE
        WITH regular = NARROW(rd.file, RegularFile.T) DO
          n := MIN(n, FileLength(rd));
          EVAL regular.seek(RegularFile.Origin.Beginning, n);
        END;
      END;
      (* Even if reading fails, the buffer has no characters beyond n. *)
      rd.st := 0;
      rd.lo := n - kept;
      rd.cur := n;
      rd.hi := n;
      (* A prompt should be visible before the program waits for the answer. *)
      IF rd.intermittent AND NOT dontBlock THEN
        StdioFlush.FlushOutput();
        ThreadInput.Await(rd.file.fd);
      END;
      WITH bytes = LOOPHOLE(ADR(rd.buff[kept]), Bytes) DO
        got := rd.file.read(SUBARRAY(bytes^, 0, BufferSize - kept), NOT dontBlock);
      END;
      IF got < 0 THEN RETURN RdClass.SeekResult.WouldBlock END;
      IF got = 0 THEN RETURN RdClass.SeekResult.Eof END;
      rd.hi := n + got;
      RETURN RdClass.SeekResult.Ready;
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(code);
    END;
  END Seek;

PROCEDURE FileLength(rd: T): CARDINAL RAISES {OSError.E} =
  BEGIN
    RETURN VAL(rd.file.status().size, INTEGER);
  END FileLength;

PROCEDURE Length(rd: T): INTEGER RAISES {Rd.Failure} =
  BEGIN
    IF rd.intermittent THEN RETURN -1 END;
    TRY
      RETURN FileLength(rd);
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(code);
    END;
  END Length;

PROCEDURE Close(rd: T) RAISES {Rd.Failure} =
  BEGIN
    TRY
      rd.file.close();
    EXCEPT
    | OSError.E (code) => RAISE Rd.Failure(code);
    END;
  END Close;

BEGIN
END FileRd.
