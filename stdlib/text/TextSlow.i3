(* What Text does for texts that are not flat: named here, so that the short procedures of Text, which
   ask that first, can be put in line where they are called. *)
INTERFACE TextSlow;

(* Text.Equal and Text.Sub of any texts. *)
PROCEDURE EqualByMethods(t, u: TEXT): BOOLEAN;
PROCEDURE SubByMethods(t: TEXT; start, length: CARDINAL): TEXT;

END TextSlow.
