(* Sorting of arrays. Elem needs T, which is not an open array, and Compare.

   Example:

       MODULE Main;
       IMPORT IO, TextArraySort;
       VAR names := ARRAY [1 .. 3] OF TEXT{"Oslo", "Bern", "Rome"};
       BEGIN
         TextArraySort.Sort(names);
         FOR i := 1 TO 3 DO IO.Put(names[i] & " ") END;
         IO.Put("\n");
       END Main.

   It prints

       Bern Oslo Rome
*)
GENERIC INTERFACE ArraySort(Elem);

(* Permutes a into ascending order by cmp; the order of equal elements may change. *)
PROCEDURE Sort(VAR a: ARRAY OF Elem.T; cmp := Elem.Compare);

END ArraySort.
