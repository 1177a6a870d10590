(* Tables whose entries are also met in the order of their keys. Tbl is an instance of Table(Key,
   ...); Key needs Compare. *)
GENERIC INTERFACE SortedTable(Key, Tbl);

CONST
  Brand = "(Sorted " & Tbl.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = Tbl.T OBJECT METHODS
    (* Over all entries in ascending order of the keys or, without up, in descending order. *)
    iterateOrdered(up: BOOLEAN := TRUE): Iterator;
  END;

  Iterator = Tbl.Iterator OBJECT METHODS
    (* The entry that `next` gives then is the first in the iterator's order whose key is equal to
       key or comes after it. May go back, also from the end. *)
    seek(READONLY key: Key.T);
  END;

  Default <: T OBJECT METHODS
    (* Makes it empty. *)
    init(): Default;

    (* May be overridden; by default Key.Compare. *)
    keyCompare(READONLY k1, k2: Key.T): [-1..1];
  END;

END SortedTable.
