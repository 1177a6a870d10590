(* The type is revealed in FilePosix. *)
MODULE RegularFile;

IMPORT Atom;
<*NOWARN*> IMPORT FilePosix;

BEGIN
  FileType := Atom.FromText("RegularFile");
END RegularFile.
