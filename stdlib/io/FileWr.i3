(* Writers to files. *)
INTERFACE FileWr;

IMPORT File, OSError, Pathname, Wr;

TYPE
  T <: Public;
  Public = Wr.T OBJECT METHODS
    (* Makes wr write to h, from h's current position on. If h is a regular file, the writer is
       seekable and Wr.Index is the position in the file. If it is not buffered, each operation
       is flushed. Closing the writer closes h. *)
    init(h: File.T; buffered: BOOLEAN := TRUE): T RAISES {OSError.E};
  END;

(* A writer to the file, which is created or made empty. *)
PROCEDURE Open(p: Pathname.T): T RAISES {OSError.E};

(* A writer that appends to the file, which is created if it does not exist. *)
PROCEDURE OpenAppend(p: Pathname.T): T RAISES {OSError.E};

END FileWr.
