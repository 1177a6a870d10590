(* Handles and POSIX file descriptors. *)
INTERFACE FilePosix;

IMPORT File, OSError, Pipe, Ustat;

TYPE
  T = File.Public OBJECT
    fd: INTEGER := -1;  (* the descriptor; -1 when the file is closed *)
    ds: DirectionSet;   (* the kind of access for which the file is open *)
    written: CARDINAL := 0;  (* number of bytes that the last failed write has written *)
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

(* A handle for fd, of the subtype for the kind of file. *)
PROCEDURE New(fd: INTEGER; ds: DirectionSet): File.T RAISES {OSError.E};

(* The same for an fd that is known to be a pipe. *)
PROCEDURE NewPipe(fd: INTEGER; ds: DirectionSet): Pipe.T;

(* The characters of a name, for the system. A name with a NUL, where the system would end it, or
   with a character that is not in CHAR is an invalid argument. *)
PROCEDURE PathChars(p: TEXT): REF ARRAY OF CHAR RAISES {OSError.E};

(* The type of the file that statbuf describes. *)
PROCEDURE FileTypeFromStatbuf(READONLY statbuf: Ustat.struct_stat): File.Type;

(* The type for the run time's number (RTFile.Kind). *)
PROCEDURE TypeOfKind(kind: INTEGER): File.Type;

END FilePosix.
