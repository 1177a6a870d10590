UNSAFE MODULE Stdio;

IMPORT File, FilePosix, FileRd, FileWr, OSError, RTSystem, Rd, StdioFlush, Terminal, TextRd, TextWr,
  Thread, UnsafeWr, Wr, WrClass;

PROCEDURE Input(fd: INTEGER): Rd.T =
  BEGIN
    TRY
      RETURN NEW(FileRd.T).init(FilePosix.New(fd, FilePosix.Read));
    EXCEPT
    | OSError.E => RETURN TextRd.New("");  (* the descriptor is closed: no input *)
    END;
  END Input;

PROCEDURE Output(fd: INTEGER; buffered: BOOLEAN): Wr.T =
  VAR file: File.T;
  BEGIN
    TRY
      file := FilePosix.New(fd, FilePosix.Write);
      (* Who sits at a terminal wants to see things happen. *)
      IF ISTYPE(file, Terminal.T) AND fd = 1 THEN buffered := FALSE END;
      RETURN NEW(FileWr.T).init(file, buffered);
    EXCEPT
    | OSError.E => RETURN TextWr.New();  (* the descriptor is closed: nobody will see it *)
    END;
  END Output;

(* Nobody is left to hear of a failure. *)
PROCEDURE Flush(wr: Wr.T) =
  BEGIN
    TRY
      IF NOT Wr.Closed(wr) THEN Wr.Flush(wr) END;
    EXCEPT
    | Wr.Failure, Thread.Alerted =>
    END;
  END Flush;

PROCEDURE FlushOutput() =
  BEGIN
    Flush(stdout);
  END FlushOutput;

(* At the end of the program, when nobody is left who would give the writer's lock back: it is not
   asked for. *)
PROCEDURE FlushAtExit(wr: Wr.T) =
  BEGIN
    TRY
      IF NOT wr.closed THEN UnsafeWr.FastFlush(wr) END;
    EXCEPT
    | Wr.Failure, Thread.Alerted =>
    END;
  END FlushAtExit;

PROCEDURE FlushAll() =
  BEGIN
    FlushAtExit(stdout);
    FlushAtExit(bufferedStderr);
  END FlushAll;

BEGIN
  stdin := Input(0);
  stdout := Output(1, TRUE);
  stderr := Output(2, FALSE);
  bufferedStderr := Output(2, TRUE);
  StdioFlush.flush := FlushOutput;
  RTSystem.AtExit(FlushAll);
END Stdio.
