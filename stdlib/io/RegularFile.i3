(* Files on a disk. *)
INTERFACE RegularFile;

IMPORT File, OSError;

TYPE
  T <: Public;
  Public = File.T OBJECT METHODS
    (* Moves the position; the new one, from the beginning. *)
    seek(origin: Origin; offset: INTEGER): INTEGER RAISES {OSError.E};

    (* Forces what was written to the disk. *)
    flush() RAISES {OSError.E};

    (* Tries to lock the file for this process; whether it could. *)
    lock(): BOOLEAN RAISES {OSError.E};
    unlock() RAISES {OSError.E};
  END;

  Origin = {Beginning, Current, End};

VAR (*CONST*)
  FileType: File.Type;

END RegularFile.
