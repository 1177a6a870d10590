(* For brands. *)
INTERFACE Pickle2Name;

CONST
  Brand = "Pickle2";

END Pickle2Name.
