UNSAFE MODULE Stdio;

IMPORT AtomList, File, FilePosix, FileRd, FileWr, OSError, OSErrorPosix, RTSystem, RTThread, Rd,
  StdioFlush, Terminal, TextRd, TextWr, Thread, UnsafeWr, Wr, WrClass;

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
      (* A user at a terminal wants to see output at once. *)
      IF ISTYPE(file, Terminal.T) AND fd = 1 THEN buffered := FALSE END;
      RETURN NEW(FileWr.T).init(file, buffered);
    EXCEPT
    | OSError.E => RETURN TextWr.New();  (* the descriptor is closed: output is lost *)
    END;
  END Output;

(* A failure to write is not raised in the reading thread: the next write raises it. The reading
   thread may itself hold the writer's lock. *)
PROCEDURE FlushOutput() =
  BEGIN
    TRY
      IF RTThread.IsMine(stdout.word) THEN
        FlushLocked(stdout);
      ELSE
        LOCK stdout DO FlushLocked(stdout) END;
      END;
    EXCEPT
    | Wr.Failure, Thread.Alerted =>
    END;
  END FlushOutput;

PROCEDURE FlushLocked(wr: Wr.T) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF NOT wr.closed THEN UnsafeWr.FastFlush(wr) END;
  END FlushLocked;

(* At the end of the program no thread is left to release a writer's lock, so do not acquire it.
   Lost output can only be reported to the user who runs the program. *)
PROCEDURE FlushAll() =
  BEGIN
    TRY
      FlushLocked(stdout);
    EXCEPT
    | Wr.Failure (code) => RTSystem.OutputIsLost(ErrnoOf(code));
    | Thread.Alerted =>
    END;
    TRY FlushLocked(bufferedStderr) EXCEPT Wr.Failure, Thread.Alerted => END;
  END FlushAll;

(* The errno of the failure; 0 if the cause is not in the system. *)
PROCEDURE ErrnoOf(code: AtomList.T): INTEGER =
  BEGIN
    IF code = NIL OR code.head = NIL THEN RETURN 0 END;
    RETURN MAX(OSErrorPosix.AtomToErrno(code.head), 0);
  END ErrnoOf;

BEGIN
  stdin := Input(0);
  stdout := Output(1, TRUE);
  stderr := Output(2, FALSE);
  bufferedStderr := Output(2, TRUE);
  StdioFlush.flush := FlushOutput;
  RTSystem.AtExit(FlushAll);
END Stdio.
