(* What a bundle is: for the modules that the build makes. *)
INTERFACE BundleRep;

IMPORT Bundle;

REVEAL
  Bundle.T = BRANDED "Bundle.T" OBJECT METHODS
    (* The contents of a file, NIL if there is none of that name. *)
    get(element: TEXT): TEXT;

    getNames(): REF ARRAY OF TEXT;
  END;

END BundleRep.
