(* The file system. *)
INTERFACE FS;

IMPORT File, OSError, Pathname, Time;

(* The absolute name of p, without links and relative arcs; the file must exist. *)
PROCEDURE GetAbsolutePathname(p: Pathname.T): Pathname.T RAISES {OSError.E};

TYPE
  CreateOption = {
    Never,  (* the file must exist *)
    Ok,     (* the file is made if it does not exist *)
    Always  (* the file must not exist *)
  };
  AccessOption = {OnlyOwnerCanRead, ReadOnly, Default};  (* the rights of other users to a new
                                                            file *)

(* Opens a file for reading and writing; an error for a directory. A new file gets the protection
   of template if template is not NIL, else the protection given by access. *)
PROCEDURE OpenFile(p: Pathname.T; truncate: BOOLEAN := TRUE;
                   create: CreateOption := CreateOption.Ok; template: File.T := NIL;
                   access: AccessOption := AccessOption.Default): File.T RAISES {OSError.E};

(* Opens a file for reading, from the beginning. *)
PROCEDURE OpenFileReadonly(p: Pathname.T): File.T RAISES {OSError.E};

PROCEDURE CreateDirectory(p: Pathname.T) RAISES {OSError.E};
PROCEDURE DeleteDirectory(p: Pathname.T) RAISES {OSError.E};  (* the directory must be empty *)
PROCEDURE DeleteFile(p: Pathname.T) RAISES {OSError.E};
PROCEDURE Rename(p0, p1: Pathname.T) RAISES {OSError.E};  (* replaces p1 *)

TYPE
  Iterator <: PublicIterator;
  PublicIterator = OBJECT METHODS
    (* The next entry, without "." and ".."; FALSE at the end. *)
    next(VAR name: TEXT): BOOLEAN;
    nextWithStatus(VAR name: TEXT; VAR stat: File.Status): BOOLEAN RAISES {OSError.E};

    (* Must be called at the end. *)
    close();
  END;

VAR (*CONST*)
  DirectoryFileType: File.Type;  (* "Directory" *)

(* The entries of the directory p, in no order. *)
PROCEDURE Iterate(p: Pathname.T): Iterator RAISES {OSError.E};

(* The status of the file p; sets the time of p's last change to t. *)
PROCEDURE Status(p: Pathname.T): File.Status RAISES {OSError.E};
PROCEDURE SetModificationTime(p: Pathname.T; READONLY t: Time.T) RAISES {OSError.E};

END FS.
