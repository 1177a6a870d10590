(* Version 1 of the type. *)
INTERFACE Book;

TYPE
  T = BRANDED "Book" REF RECORD
    title: TEXT;
    author: TEXT;  (* "Family, Given" *)
    price: REAL;   (* in euros *)
    next: T;
  END;

END Book.
