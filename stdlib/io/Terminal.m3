(* The type is revealed in FilePosix. *)
MODULE Terminal;

IMPORT Atom;
<*NOWARN*> IMPORT FilePosix;

BEGIN
  FileType := Atom.FromText("Terminal");
END Terminal.
