(* Files on a disk. *)
INTERFACE RegularFile;

IMPORT File, OSError;

TYPE
  T <: Public;
  Public = File.T OBJECT METHODS
    (* Moves the position; returns the new one, counted from the beginning. *)
    seek(origin: Origin; offset: INTEGER): INTEGER RAISES {OSError.E};

    (* Forces the written bytes to the disk. *)
    flush() RAISES {OSError.E};

    (* Tries to lock the file for this process; returns whether it succeeded. *)
    lock(): BOOLEAN RAISES {OSError.E};
    unlock() RAISES {OSError.E};
  END;

  Origin = {Beginning, Current, End};

VAR (*CONST*)
  FileType: File.Type;

END RegularFile.
