(* golden: run *)
(* The report of an unhandled exception contains its argument: the error of the system, with its
   number and its object. *)
MODULE Main;

IMPORT Atom, AtomList, FileRd, FileWr, FS, OSError, Params, Process, Rd, Text, Wr;

<*FATAL ANY*>

EXCEPTION
  OfAtom(Atom.T);
  OfNothing(AtomList.T);

VAR what := Params.Get(1);

BEGIN
  IF Text.Equal(what, "open") THEN
    EVAL FileRd.Open("no_such_file");
  ELSIF Text.Equal(what, "full") THEN
    WITH wr = FileWr.Open("/dev/full") DO
      FOR i := 1 TO 100000 DO Wr.PutText(wr, "hello") END;
      Wr.Close(wr);
    END;
  ELSIF Text.Equal(what, "process") THEN
    EVAL Process.Create("no_such_program", ARRAY OF TEXT{});
  ELSIF Text.Equal(what, "directory") THEN
    FS.CreateDirectory("/");
  ELSIF Text.Equal(what, "reader") THEN
    RAISE Rd.Failure(AtomList.List2(Atom.FromText("the line"), Atom.FromText("is too long")));
  ELSIF Text.Equal(what, "atom") THEN
    RAISE OfAtom(Atom.FromText("just an atom"));
  ELSIF Text.Equal(what, "errno") THEN
    RAISE OSError.E(AtomList.List1(Atom.FromText("errno=5")));
  ELSE
    RAISE OfNothing(NIL);
  END;
END Main.

(* args: open *)
(* expect-stderr: *** unhandled exception: OSError.E: No such file or directory *)
(* expect-stderr: (errno=2) *)
(* expect-status: 4 *)
(* restart *)
(* args: full *)
(* expect-stderr: *** unhandled exception: Wr.Failure: No space left on device *)
(* expect-status: 4 *)
(* restart *)
(* args: process *)
(* expect-stderr: *** unhandled exception: OSError.E: No such file or directory *)
(* expect-status: 4 *)
(* restart *)
(* args: directory *)
(* expect-stderr: *** unhandled exception: OSError.E: File exists *)
(* expect-status: 4 *)
(* restart *)
(* args: reader *)
(* expect-stderr: *** unhandled exception: Rd.Failure: the line: is too long *)
(* expect-status: 4 *)
(* restart *)
(* args: atom *)
(* expect-stderr: *** unhandled exception: Main.OfAtom: just an atom *)
(* expect-status: 4 *)
(* restart *)
(* args: errno *)
(* expect-stderr: *** unhandled exception: OSError.E: errno=5 *)
(* expect-status: 4 *)
(* restart *)
(* args: nothing *)
(* expect-stderr: *** unhandled exception: Main.OfNothing *)
(* expect-status: 4 *)
