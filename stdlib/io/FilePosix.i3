(* Handles and POSIX file descriptors. *)
INTERFACE FilePosix;

IMPORT File, OSError, Pipe, Ustat;

TYPE
  T = File.Public OBJECT
    fd: INTEGER := -1;  (* -1 also when it is closed *)
    ds: DirectionSet;   (* what it is open for *)
    written: CARDINAL := 0;  (* how much of its bytes the last write that failed has written *)
  END;

REVEAL
  File.T <: T;

TYPE
  Direction = {Read, Write};
  DirectionSet = SET OF Direction;

CONST
  Read = DirectionSet{Direction.Read};
  Write = DirectionSet{Direction.Write};
  ReadWrite = DirectionSet{Direction.Read, Direction.Write};

(* A handle for fd, of the subtype that fits the file. *)
PROCEDURE New(fd: INTEGER; ds: DirectionSet): File.T RAISES {OSError.E};

(* The same when it is known that fd is a pipe. *)
PROCEDURE NewPipe(fd: INTEGER; ds: DirectionSet): Pipe.T;

(* The characters of a name, for the system. One with a NUL, behind which it would see nothing, or
   with a character that is not in CHAR is an invalid argument. *)
PROCEDURE PathChars(p: TEXT): REF ARRAY OF CHAR RAISES {OSError.E};

(* The type of the file that statbuf is about. *)
PROCEDURE FileTypeFromStatbuf(READONLY statbuf: Ustat.struct_stat): File.Type;

(* The type that the run time's number stands for (RTFile.Kind). *)
PROCEDURE TypeOfKind(kind: INTEGER): File.Type;

END FilePosix.
