(* For brands. *)
INTERFACE PickleName;

CONST
  Brand = "Pickle";

END PickleName.
