(* Resources of a program: found in directories or in bundles. *)
INTERFACE Rsrc;

IMPORT Rd, RefList, Thread;

TYPE
  (* The places to search, in order: a TEXT is a directory, or $ and the name of an environment
     variable that holds the directory; a Bundle.T is a bundle. Other elements are a checked
     run-time error. *)
  Path = RefList.T;

(* The resource is nowhere on the path. *)
EXCEPTION NotFound;

(* A reader of the first resource of that name. *)
PROCEDURE Open(name: TEXT; path: Path): Rd.T RAISES {NotFound};

(* The contents of the first resource of that name. *)
PROCEDURE Get(name: TEXT; path: Path): TEXT RAISES {NotFound, Rd.Failure, Thread.Alerted};

(* The path of the arguments that are not NIL. *)
PROCEDURE BuildPath(a1, a2, a3, a4: REFANY := NIL): Path;

END Rsrc.
