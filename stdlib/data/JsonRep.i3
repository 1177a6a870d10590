(* For JsonReader: a number that is known to be one. *)
INTERFACE JsonRep;

IMPORT Json;

PROCEDURE NumberOf(digits: TEXT): Json.T;

END JsonRep.
