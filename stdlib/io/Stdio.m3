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
      (* Who sits at a terminal wants to see things happen. *)
      IF ISTYPE(file, Terminal.T) AND fd = 1 THEN buffered := FALSE END;
      RETURN NEW(FileWr.T).init(file, buffered);
    EXCEPT
    | OSError.E => RETURN TextWr.New();  (* the descriptor is closed: nobody will see it *)
    END;
  END Output;

(* Who reads is not told of a failure to write: the next to write will be. Who reads may also be who
   writes, and have the writer's lock. *)
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

(* At the end of the program nobody is left who would give a writer's lock back: it is not asked for.
   Nor is anybody left to hear that output is lost but who runs the program. *)
PROCEDURE FlushAll() =
  BEGIN
    TRY
      FlushLocked(stdout);
    EXCEPT
    | Wr.Failure(code) => RTSystem.OutputIsLost(ErrnoOf(code));
    | Thread.Alerted =>
    END;
    TRY FlushLocked(bufferedStderr) EXCEPT Wr.Failure, Thread.Alerted => END;
  END FlushAll;

(* 0 if the system is not the cause. *)
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
