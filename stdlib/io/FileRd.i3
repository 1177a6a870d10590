(* Readers over files. *)
INTERFACE FileRd;

IMPORT File, OSError, Pathname, Rd;

TYPE
  T <: Public;
  Public = Rd.T OBJECT METHODS
    (* Reads from h, from its present position on. Seekable if h is a regular file, intermittent
       otherwise. Closing the reader closes h. *)
    init(h: File.T): T RAISES {OSError.E};
  END;

PROCEDURE Open(p: Pathname.T): T RAISES {OSError.E};

END FileRd.
