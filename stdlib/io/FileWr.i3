(* Writers to files. *)
INTERFACE FileWr;

IMPORT File, OSError, Pathname, Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* Writes to h, from its present position on. If h is a regular file, the writer is seekable and
       Wr.Index is the position in the file. If it is not buffered, each operation is flushed. Closing
       the writer closes h. *)
    init(h: File.T; buffered: BOOLEAN := TRUE): T RAISES {OSError.E};
  END;

(* Makes the file, or empties it. *)
PROCEDURE Open(p: Pathname.T): T RAISES {OSError.E};

(* Makes the file, or goes on at its end. *)
PROCEDURE OpenAppend(p: Pathname.T): T RAISES {OSError.E};

END FileWr.
