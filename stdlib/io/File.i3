(* Handles of files: bytes in and out, without a buffer. *)
INTERFACE File;

IMPORT Atom, OSError, Time;

TYPE
  T <: Public;
  Public = OBJECT METHODS
    (* Reads up to NUMBER(b) bytes and returns their number, 0 at the end. Returns -1 if it would
       have to wait and mayBlock is FALSE. *)
    read(VAR b: ARRAY OF Byte; mayBlock: BOOLEAN := TRUE): INTEGER RAISES {OSError.E};

    (* Writes all of b. *)
    write(READONLY b: ARRAY OF Byte) RAISES {OSError.E};

    (* The file's type, size and time of last change, as they are now. *)
    status(): Status RAISES {OSError.E};

    (* Closes the handle; later calls fail. *)
    close() RAISES {OSError.E};
  END;

  Byte = BITS 8 FOR [0..255];  (* the unit of reading and writing *)

  Status = RECORD
    type: Type;
    modificationTime: Time.T;
    size: LONGCARD;  (* in bytes *)
  END;

  Type = Atom.T;  (* RegularFile.FileType, FS.DirectoryFileType, Pipe.FileType ... *)

END File.
