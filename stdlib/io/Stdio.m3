UNSAFE MODULE Stdio;

IMPORT File, FilePosix, FileRd, FileWr, OSError, RTSystem, Rd, StdioFlush, Terminal, TextRd, TextWr,
  Thread, Wr;

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

PROCEDURE FlushAll() =
  BEGIN
    Flush(stdout);
    Flush(bufferedStderr);
  END FlushAll;

BEGIN
  stdin := Input(0);
  stdout := Output(1, TRUE);
  stderr := Output(2, FALSE);
  bufferedStderr := Output(2, TRUE);
  StdioFlush.flush := FlushOutput;
  RTSystem.AtExit(FlushAll);
END Stdio.
