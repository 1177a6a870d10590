(* Handles of terminals. *)
INTERFACE Terminal;

IMPORT File;

TYPE
  T <: File.T;

VAR (*CONST*)
  FileType: File.Type;

END Terminal.
