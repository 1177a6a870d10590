(* The type is revealed in FilePosix. *)
UNSAFE MODULE Pipe;

IMPORT Atom, FilePosix, OSError, OSErrorPosix, RTFile;

PROCEDURE Open(VAR hr, hw: T) RAISES {OSError.E} =
  VAR r, w: INTEGER;  result := RTFile.OpenPipe(r, w);
  BEGIN
    IF result < 0 THEN OSErrorPosix.Raise0(-result) END;
    hr := FilePosix.NewPipe(r, FilePosix.Read);
    hw := FilePosix.NewPipe(w, FilePosix.Write);
  END Open;

BEGIN
  FileType := Atom.FromText("Pipe");
END Pipe.
