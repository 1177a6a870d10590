(* The run time's procedures for files. A negative INTEGER result is -errno; a path is an array
   of its characters. *)
UNSAFE INTERFACE RTFile;

(* flags is a sum of these. *)
CONST
  OpenRead = 1;
  OpenWrite = 2;
  OpenCreate = 4;
  OpenMustNotExist = 8;
  OpenTruncate = 16;
  OpenAppend = 32;

(* The results of Kind and Status. *)
CONST
  Regular = 0;
  Terminal = 1;
  Pipe = 2;  (* or a socket *)
  Directory = 3;
  Other = 4;

CONST
  WouldBlock = -11;  (* -EAGAIN *)

<*EXTERNAL "tn_file_open"*>
PROCEDURE Open(READONLY path: ARRAY OF CHAR; flags, permissions: INTEGER): INTEGER;

(* Returns the number of bytes read, 0 at the end of the file. ReadNow returns WouldBlock if no
   byte has arrived. *)
<*EXTERNAL "tn_file_read"*> PROCEDURE Read(fd: INTEGER; to: ADDRESS; bytes: INTEGER): INTEGER;
<*EXTERNAL "tn_file_read_now"*>
PROCEDURE ReadNow(fd: INTEGER; to: ADDRESS; bytes: INTEGER): INTEGER;

(* Writes all bytes; returns 0 on success. On an error `written` bytes have been written. *)
<*EXTERNAL "tn_file_write"*>
PROCEDURE Write(fd: INTEGER; from: ADDRESS; bytes: INTEGER; VAR written: INTEGER): INTEGER;

(* origin: 0 beginning, 1 current position, 2 end. Returns the new position. *)
<*EXTERNAL "tn_file_seek"*> PROCEDURE Seek(fd, origin, offset: INTEGER): INTEGER;

<*EXTERNAL "tn_file_size"*> PROCEDURE Size(fd: INTEGER): INTEGER;
<*EXTERNAL "tn_file_close"*> PROCEDURE Close(fd: INTEGER): INTEGER;
<*EXTERNAL "tn_file_sync"*> PROCEDURE Sync(fd: INTEGER): INTEGER;
<*EXTERNAL "tn_file_kind"*> PROCEDURE Kind(fd: INTEGER): INTEGER;
<*EXTERNAL "tn_file_modified"*> PROCEDURE Modified(fd: INTEGER): LONGREAL;
<*EXTERNAL "tn_file_available"*> PROCEDURE Available(fd: INTEGER): INTEGER;
<*EXTERNAL "tn_file_lock"*> PROCEDURE Lock(fd: INTEGER): INTEGER;  (* 1 obtained, 0 not *)
<*EXTERNAL "tn_file_unlock"*> PROCEDURE Unlock(fd: INTEGER): INTEGER;

<*EXTERNAL "tn_pipe_open"*> PROCEDURE OpenPipe(VAR r, w: INTEGER): INTEGER;

<*EXTERNAL "tn_path_status"*>
PROCEDURE Status(READONLY path: ARRAY OF CHAR; VAR kind, size: INTEGER; VAR modified: LONGREAL)
  : INTEGER;
<*EXTERNAL "tn_path_delete"*> PROCEDURE Delete(READONLY path: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_path_create_directory"*>
PROCEDURE CreateDirectory(READONLY path: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_path_delete_directory"*>
PROCEDURE DeleteDirectory(READONLY path: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_path_rename"*> PROCEDURE Rename(READONLY old, new: ARRAY OF CHAR): INTEGER;
<*EXTERNAL "tn_path_set_modified"*>
PROCEDURE SetModified(READONLY path: ARRAY OF CHAR; t: LONGREAL): INTEGER;

(* NIL if it fails; then Errno says why. *)
<*EXTERNAL "tn_path_absolute"*> PROCEDURE Absolute(READONLY path: ARRAY OF CHAR): TEXT;
<*EXTERNAL "tn_directory_open"*> PROCEDURE OpenDirectory(READONLY path: ARRAY OF CHAR): ADDRESS;

(* The next name in a directory, without "." and ".."; NIL at the end. *)
<*EXTERNAL "tn_directory_next"*> PROCEDURE NextName(directory: ADDRESS): TEXT;
<*EXTERNAL "tn_directory_close"*> PROCEDURE CloseDirectory(directory: ADDRESS);

<*EXTERNAL "tn_working_directory"*> PROCEDURE WorkingDirectory(): TEXT;
<*EXTERNAL "tn_set_working_directory"*>
PROCEDURE SetWorkingDirectory(READONLY path: ARRAY OF CHAR): INTEGER;

(* The error of this thread's last failed call; the system's text for an error. *)
<*EXTERNAL "tn_errno"*> PROCEDURE Errno(): INTEGER;
<*EXTERNAL "tn_error_text"*> PROCEDURE ErrorText(errno: INTEGER): TEXT;

END RTFile.
