(* The types that `tenure db upgrade` changes between the two programs of the
   storm. *)
INTERFACE Layout;

TYPE
  Cell = REF RECORD
    number: INTEGER;
    text: TEXT;
    next, other: Cell;
  END;

PROCEDURE Good(cell: Cell): BOOLEAN;

END Layout.
