(* Handles of pipes and sockets. *)
INTERFACE Pipe;

IMPORT File;

TYPE
  T <: File.T;

VAR (*CONST*)
  FileType: File.Type;

END Pipe.
