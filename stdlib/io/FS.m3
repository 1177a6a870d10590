UNSAFE MODULE FS;

IMPORT Atom, File, FilePosix, OSError, OSErrorPosix, Pathname, RTFile, Time, Ustat;

REVEAL
  Iterator = PublicIterator BRANDED "FS.Iterator" OBJECT
      path: Pathname.T;
      directory: ADDRESS := NIL;
    OVERRIDES
      next := Next;
      nextWithStatus := NextWithStatus;
      close := CloseIterator;
    END;

CONST
  IsADirectory = 21;  (* EISDIR *)

(* Raises OSError.E, which names p, if result is an error. *)
PROCEDURE Check(result: INTEGER; p: Pathname.T) RAISES {OSError.E} =
  BEGIN
    IF result < 0 THEN OSErrorPosix.Raise0T(-result, p) END;
  END Check;

PROCEDURE GetAbsolutePathname(p: Pathname.T): Pathname.T RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);  result := RTFile.Absolute(path^);
  BEGIN
    IF result = NIL THEN OSErrorPosix.RaiseT(p) END;
    RETURN result;
  END GetAbsolutePathname;

PROCEDURE OpenFile(p: Pathname.T; truncate: BOOLEAN := TRUE;
                   create: CreateOption := CreateOption.Ok; template: File.T := NIL;
                   access: AccessOption := AccessOption.Default): File.T RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);  flags := RTFile.OpenRead + RTFile.OpenWrite;
      permissions := 8_666;  fd: INTEGER;
      status: Ustat.struct_stat;
  BEGIN
    IF truncate THEN INC(flags, RTFile.OpenTruncate) END;
    CASE create OF
    | CreateOption.Never =>
    | CreateOption.Ok => INC(flags, RTFile.OpenCreate);
    | CreateOption.Always => INC(flags, RTFile.OpenCreate + RTFile.OpenMustNotExist);
    END;
    CASE access OF
    | AccessOption.OnlyOwnerCanRead => permissions := 8_600;
    | AccessOption.ReadOnly => permissions := 8_444;
    | AccessOption.Default =>
    END;
    IF template # NIL THEN
      IF Ustat.fstat(template.fd, ADR(status)) < 0 THEN OSErrorPosix.RaiseT(p) END;
      permissions := status.st_mode MOD 8_1000;
    END;
    fd := RTFile.Open(path^, flags, permissions);
    Check(fd, p);
    RETURN FilePosix.New(fd, FilePosix.ReadWrite);
  END OpenFile;

PROCEDURE OpenFileReadonly(p: Pathname.T): File.T RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);  fd: INTEGER;
  BEGIN
    fd := RTFile.Open(path^, RTFile.OpenRead, 0);
    Check(fd, p);
    IF RTFile.Kind(fd) = RTFile.Directory THEN
      EVAL RTFile.Close(fd);
      Check(-IsADirectory, p);
    END;
    RETURN FilePosix.New(fd, FilePosix.Read);
  END OpenFileReadonly;

PROCEDURE CreateDirectory(p: Pathname.T) RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);
  BEGIN
    Check(RTFile.CreateDirectory(path^), p);
  END CreateDirectory;

PROCEDURE DeleteDirectory(p: Pathname.T) RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);
  BEGIN
    Check(RTFile.DeleteDirectory(path^), p);
  END DeleteDirectory;

PROCEDURE DeleteFile(p: Pathname.T) RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);
  BEGIN
    Check(RTFile.Delete(path^), p);
  END DeleteFile;

PROCEDURE Rename(p0, p1: Pathname.T) RAISES {OSError.E} =
  VAR old := FilePosix.PathChars(p0);  new := FilePosix.PathChars(p1);
  BEGIN
    Check(RTFile.Rename(old^, new^), p0);
  END Rename;

PROCEDURE Iterate(p: Pathname.T): Iterator RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);  directory := RTFile.OpenDirectory(path^);
  BEGIN
    IF directory = NIL THEN OSErrorPosix.RaiseT(p) END;
    RETURN NEW(Iterator, path := p, directory := directory);
  END Iterate;

PROCEDURE Next(i: Iterator; VAR name: TEXT): BOOLEAN =
  VAR found: TEXT;
  BEGIN
    <*ASSERT i.directory # NIL WITH "FS.Iterator: closed"*>
    found := RTFile.NextName(i.directory);
    IF found = NIL THEN RETURN FALSE END;
    name := found;
    RETURN TRUE;
  END Next;

PROCEDURE NextWithStatus(i: Iterator; VAR name: TEXT; VAR stat: File.Status): BOOLEAN
  RAISES {OSError.E} =
  BEGIN
    IF NOT Next(i, name) THEN RETURN FALSE END;
    stat := Status(Pathname.Join(i.path, name));
    RETURN TRUE;
  END NextWithStatus;

PROCEDURE CloseIterator(i: Iterator) =
  BEGIN
    IF i.directory # NIL THEN
      RTFile.CloseDirectory(i.directory);
      i.directory := NIL;
    END;
  END CloseIterator;

PROCEDURE Status(p: Pathname.T): File.Status RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);  kind, size: INTEGER;  modified: LONGREAL;
  BEGIN
    Check(RTFile.Status(path^, kind, size, modified), p);
    RETURN File.Status{type := FilePosix.TypeOfKind(kind), modificationTime := modified,
                       size := VAL(size, LONGINT)};
  END Status;

PROCEDURE SetModificationTime(p: Pathname.T; READONLY t: Time.T) RAISES {OSError.E} =
  VAR path := FilePosix.PathChars(p);
  BEGIN
    Check(RTFile.SetModified(path^, t), p);
  END SetModificationTime;

BEGIN
  DirectoryFileType := Atom.FromText("Directory");
END FS.
