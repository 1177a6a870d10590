UNSAFE MODULE Process;

IMPORT File, FilePosix, OSError, OSErrorPosix, Pathname, RTFile, RTSystem, TextRep;

PROCEDURE Exit(n: ExitCode := 0) =
  BEGIN
    RTSystem.Exit(n);
  END Exit;

PROCEDURE Crash(msg: TEXT) =
  VAR message := TextRep.Chars(msg);
  BEGIN
    RTSystem.Crash(message^);
  END Crash;

PROCEDURE RegisterExitor(p: Exitor) =
  BEGIN
    RTSystem.AtExit(p);
  END RegisterExitor;

PROCEDURE GetMyID(): ID =
  BEGIN
    RETURN RTSystem.ProcessId();
  END GetMyID;

PROCEDURE GetStandardFileHandles(VAR stdin, stdout, stderr: File.T) =
  BEGIN
    stdin := Handle(0, FilePosix.Read);
    stdout := Handle(1, FilePosix.Write);
    stderr := Handle(2, FilePosix.Write);
  END GetStandardFileHandles;

(* NIL if the descriptor is closed. *)
PROCEDURE Handle(fd: INTEGER; ds: FilePosix.DirectionSet): File.T =
  BEGIN
    TRY
      RETURN FilePosix.New(fd, ds);
    EXCEPT
    | OSError.E => RETURN NIL;
    END;
  END Handle;

PROCEDURE GetWorkingDirectory(): Pathname.T RAISES {OSError.E} =
  VAR result := RTFile.WorkingDirectory();
  BEGIN
    IF result = NIL THEN OSErrorPosix.Raise() END;
    RETURN result;
  END GetWorkingDirectory;

PROCEDURE SetWorkingDirectory(path: Pathname.T) RAISES {OSError.E} =
  VAR chars := TextRep.Chars(path);  result := RTFile.SetWorkingDirectory(chars^);
  BEGIN
    IF result < 0 THEN OSErrorPosix.Raise0T(-result, path) END;
  END SetWorkingDirectory;

BEGIN
END Process.
