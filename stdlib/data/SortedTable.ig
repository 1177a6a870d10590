(* Tables whose entries can also be visited in the order of their keys. Tbl is an instance of
   Table(Key, ...); Key needs Compare.

   Example:

       MODULE Main;
       IMPORT IO, SortedTextTextTbl;
       VAR
         capitals := NEW(SortedTextTextTbl.Default).init();
         all: SortedTextTextTbl.Iterator;
         country, city: TEXT;
       BEGIN
         EVAL capitals.put("Peru", "Lima");
         EVAL capitals.put("Norway", "Oslo");
         EVAL capitals.put("Cuba", "Havana");
         all := capitals.iterateOrdered();
         all.seek("D");
         WHILE all.next(country, city) DO IO.Put(country & ": " & city & "\n") END;
       END Main.

   It prints

       Norway: Oslo
       Peru: Lima
*)
GENERIC INTERFACE SortedTable(Key, Tbl);

CONST
  Brand = "(Sorted " & Tbl.Brand & ")";
  DefaultBrand = "(Default " & Brand & ")";

TYPE
  T = Tbl.T OBJECT METHODS
    (* An iterator over all entries, in ascending order of the keys if `up`, else in descending
       order. *)
    iterateOrdered(up: BOOLEAN := TRUE): Iterator;
  END;

  Iterator = Tbl.Iterator OBJECT METHODS
    (* Moves the iterator: `next` then returns the first entry, in the iterator's order, whose
       key is equal to key or comes after it. May move backwards, also from the end. *)
    seek(READONLY key: Key.T);
  END;

  Default <: T OBJECT METHODS
    (* Makes the table empty. *)
    init(): Default;

    (* May be overridden; by default Key.Compare. *)
    keyCompare(READONLY k1, k2: Key.T): [-1..1];
  END;

END SortedTable.
