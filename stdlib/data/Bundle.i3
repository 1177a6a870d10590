(* Files that are part of the program. The build makes an interface from them, whose procedure Get
   returns the bundle. *)
INTERFACE Bundle;

TYPE
  T <: REFANY;

(* The contents of the file with this name; NIL if the bundle has none. *)
PROCEDURE Get(bundle: T; element: TEXT): TEXT;

(* The names of all files. *)
PROCEDURE EltNames(bundle: T): REF ARRAY OF TEXT;

END Bundle.
