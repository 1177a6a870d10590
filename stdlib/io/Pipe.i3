(* Channels of bytes between processes or threads. *)
INTERFACE Pipe;

IMPORT File, OSError;

TYPE
  T <: File.T;

VAR (*CONST*)
  FileType: File.Type;

(* A new channel: bytes written to hw can be read from hr. hr is at its end when hw and all its
   copies in child processes are closed. *)
PROCEDURE Open(VAR hr, hw: T) RAISES {OSError.E};

END Pipe.
