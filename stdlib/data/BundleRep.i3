(* The representation of a bundle, for the modules that the build makes. *)
INTERFACE BundleRep;

IMPORT Bundle;

REVEAL
  Bundle.T = BRANDED "Bundle.T" OBJECT METHODS
    (* The contents of the file with this name; NIL if the bundle has none. *)
    get(element: TEXT): TEXT;

    getNames(): REF ARRAY OF TEXT;
  END;

END BundleRep.
