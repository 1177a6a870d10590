(* Readers over files. *)
INTERFACE FileRd;

IMPORT File, OSError, Pathname, Rd;

TYPE
  T <: Public;
  Public = Rd.T OBJECT METHODS
    (* Makes rd read from h, from h's current position on. If h is a regular file, the reader is
       seekable and Rd.Index is the position in the file; otherwise it is intermittent. Closing
       the reader closes h. *)
    init(h: File.T): T RAISES {OSError.E};
  END;

(* A reader of the file from its beginning. *)
PROCEDURE Open(p: Pathname.T): T RAISES {OSError.E};

END FileRd.
