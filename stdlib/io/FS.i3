(* The file system. *)
INTERFACE FS;

IMPORT File, OSError, Pathname, Time;

(* Absolute, without links and relative arcs; the file must exist. *)
PROCEDURE GetAbsolutePathname(p: Pathname.T): Pathname.T RAISES {OSError.E};

TYPE
  CreateOption = {
    Never,  (* the file must exist *)
    Ok,     (* it is made if it does not exist *)
    Always  (* it must not exist *)
  };
  AccessOption = {OnlyOwnerCanRead, ReadOnly, Default};  (* what others may do with a new file *)

(* For reading and writing; an error for a directory. A new file gets the protection of template, if
   that is not NIL, else the one that access says. *)
PROCEDURE OpenFile(p: Pathname.T; truncate: BOOLEAN := TRUE;
                   create: CreateOption := CreateOption.Ok; template: File.T := NIL;
                   access: AccessOption := AccessOption.Default): File.T RAISES {OSError.E};

(* For reading, from the beginning. *)
PROCEDURE OpenFileReadonly(p: Pathname.T): File.T RAISES {OSError.E};

PROCEDURE CreateDirectory(p: Pathname.T) RAISES {OSError.E};
PROCEDURE DeleteDirectory(p: Pathname.T) RAISES {OSError.E};  (* it must be empty *)
PROCEDURE DeleteFile(p: Pathname.T) RAISES {OSError.E};
PROCEDURE Rename(p0, p1: Pathname.T) RAISES {OSError.E};  (* replaces p1 *)

TYPE
  Iterator <: PublicIterator;
  PublicIterator = OBJECT METHODS
    (* The next entry, without "." and ".."; FALSE at the end. *)
    next(VAR name: TEXT): BOOLEAN;
    nextWithStatus(VAR name: TEXT; VAR stat: File.Status): BOOLEAN RAISES {OSError.E};

    (* To be called at the end. *)
    close();
  END;

VAR (*CONST*)
  DirectoryFileType: File.Type;  (* "Directory" *)

(* The entries of the directory p, in no order. *)
PROCEDURE Iterate(p: Pathname.T): Iterator RAISES {OSError.E};

(* What is known of p; and making t the time of its last change. *)
PROCEDURE Status(p: Pathname.T): File.Status RAISES {OSError.E};
PROCEDURE SetModificationTime(p: Pathname.T; READONLY t: Time.T) RAISES {OSError.E};

END FS.
