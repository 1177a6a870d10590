(* The operations of Text on texts that are not flat. They have an interface of their own so that
   the short procedures of Text, which handle flat texts, can be inlined. *)
INTERFACE TextSlow;

(* Text.Equal and Text.Sub of any texts. *)
PROCEDURE EqualByMethods(t, u: TEXT): BOOLEAN;
PROCEDURE SubByMethods(t: TEXT; start, length: CARDINAL): TEXT;

END TextSlow.
