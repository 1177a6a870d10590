(* Version 2 of the type: the author has two fields, the price is in cents, and copies are counted. *)
INTERFACE Book;

TYPE
  T = BRANDED "Book" REF RECORD
    title: TEXT;
    given, family: TEXT;  (* of the author; "" if unknown *)
    cents: INTEGER;
    copies: CARDINAL := 1;
    next: T;
  END;

END Book.
