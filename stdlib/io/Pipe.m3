(* The type is revealed in FilePosix. *)
MODULE Pipe;

IMPORT Atom;
<*NOWARN*> IMPORT FilePosix;

BEGIN
  FileType := Atom.FromText("Pipe");
END Pipe.
