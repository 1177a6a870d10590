(* The type is revealed in FilePosix. *)
MODULE File;

<*NOWARN*> IMPORT FilePosix;

BEGIN
END File.
