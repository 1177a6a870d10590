UNSAFE MODULE FilePosix;

IMPORT Atom, File, OSError, OSErrorPosix, Pipe, RTFile, RegularFile, Terminal, TextRep, Ustat,
  Word;

CONST
  InvalidArgument = 22;  (* EINVAL *)

REVEAL
  File.T = T BRANDED "File.T" OBJECT
    OVERRIDES
      read := ReadBytes;
      write := WriteBytes;
      status := Status;
      close := Close;
    END;

  RegularFile.T = RegularFile.Public BRANDED "RegularFile.T" OBJECT
    OVERRIDES
      seek := Seek;
      flush := Flush;
      lock := Lock;
      unlock := Unlock;
    END;

  Terminal.T = File.T BRANDED "Terminal.T" OBJECT END;

  Pipe.T = File.T BRANDED "Pipe.T" OBJECT END;

PROCEDURE New(fd: INTEGER; ds: DirectionSet): File.T RAISES {OSError.E} =
  VAR kind := Check(RTFile.Kind(fd));
  BEGIN
    CASE kind OF
    | RTFile.Regular => RETURN NEW(RegularFile.T, fd := fd, ds := ds);
    | RTFile.Terminal => RETURN NEW(Terminal.T, fd := fd, ds := ds);
    | RTFile.Pipe => RETURN NEW(Pipe.T, fd := fd, ds := ds);
    ELSE RETURN NEW(File.T, fd := fd, ds := ds);
    END;
  END New;

PROCEDURE NewPipe(fd: INTEGER; ds: DirectionSet): Pipe.T =
  BEGIN
    RETURN NEW(Pipe.T, fd := fd, ds := ds);
  END NewPipe;

PROCEDURE PathChars(p: TEXT): REF ARRAY OF CHAR RAISES {OSError.E} =
  BEGIN
    IF NOT TextRep.IsForC(p) THEN OSErrorPosix.Raise0T(InvalidArgument, p) END;
    RETURN TextRep.Chars(p);
  END PathChars;

PROCEDURE FileTypeFromStatbuf(READONLY statbuf: Ustat.struct_stat): File.Type =
  BEGIN
    CASE Word.And(statbuf.st_mode, Ustat.S_IFMT) OF
    | Ustat.S_IFREG => RETURN TypeOfKind(RTFile.Regular);
    | Ustat.S_IFCHR => RETURN TypeOfKind(RTFile.Terminal);
    | Ustat.S_IFIFO, Ustat.S_IFSOCK => RETURN TypeOfKind(RTFile.Pipe);
    | Ustat.S_IFDIR => RETURN TypeOfKind(RTFile.Directory);
    ELSE RETURN TypeOfKind(RTFile.Other);
    END;
  END FileTypeFromStatbuf;

PROCEDURE TypeOfKind(kind: INTEGER): File.Type =
  BEGIN
    CASE kind OF
    | RTFile.Regular => RETURN RegularFile.FileType;
    | RTFile.Terminal => RETURN Terminal.FileType;
    | RTFile.Pipe => RETURN Pipe.FileType;
    | RTFile.Directory => RETURN Atom.FromText("Directory");
    ELSE RETURN Atom.FromText("Other");
    END;
  END TypeOfKind;

(* Raises OSError.E if result is an error. *)
PROCEDURE Check(result: INTEGER): INTEGER RAISES {OSError.E} =
  BEGIN
    IF result < 0 THEN OSErrorPosix.Raise0(-result) END;
    RETURN result;
  END Check;

PROCEDURE ReadBytes(f: File.T; VAR b: ARRAY OF File.Byte; mayBlock: BOOLEAN): INTEGER
  RAISES {OSError.E} =
  VAR n: INTEGER;
  BEGIN
    IF NUMBER(b) = 0 THEN RETURN 0 END;
    IF mayBlock THEN RETURN Check(RTFile.Read(f.fd, ADR(b[0]), NUMBER(b))) END;
    n := RTFile.ReadNow(f.fd, ADR(b[0]), NUMBER(b));
    IF n = RTFile.WouldBlock THEN RETURN -1 END;
    RETURN Check(n);
  END ReadBytes;

PROCEDURE WriteBytes(f: File.T; READONLY b: ARRAY OF File.Byte) RAISES {OSError.E} =
  VAR result, written: INTEGER;
  BEGIN
    IF NUMBER(b) > 0 THEN
      result := RTFile.Write(f.fd, ADR(b[0]), NUMBER(b), written);
      IF result < 0 THEN f.written := written END;
      EVAL Check(result);
    END;
  END WriteBytes;

PROCEDURE Status(f: File.T): File.Status RAISES {OSError.E} =
  VAR status: File.Status;
  BEGIN
    status.type := TypeOfKind(Check(RTFile.Kind(f.fd)));
    status.modificationTime := RTFile.Modified(f.fd);
    status.size := VAL(Check(RTFile.Size(f.fd)), LONGINT);
    RETURN status;
  END Status;

PROCEDURE Close(f: File.T) RAISES {OSError.E} =
  VAR fd := f.fd;
  BEGIN
    f.fd := -1;
    EVAL Check(RTFile.Close(fd));
  END Close;

PROCEDURE Seek(f: RegularFile.T; origin: RegularFile.Origin; offset: INTEGER): INTEGER
  RAISES {OSError.E} =
  BEGIN
    RETURN Check(RTFile.Seek(f.fd, ORD(origin), offset));
  END Seek;

PROCEDURE Flush(f: RegularFile.T) RAISES {OSError.E} =
  BEGIN
    EVAL Check(RTFile.Sync(f.fd));
  END Flush;

PROCEDURE Lock(f: RegularFile.T): BOOLEAN RAISES {OSError.E} =
  BEGIN
    RETURN Check(RTFile.Lock(f.fd)) = 1;
  END Lock;

PROCEDURE Unlock(f: RegularFile.T) RAISES {OSError.E} =
  BEGIN
    EVAL Check(RTFile.Unlock(f.fd));
  END Unlock;

BEGIN
END FilePosix.
