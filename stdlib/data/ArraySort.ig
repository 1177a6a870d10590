(* Sorting of arrays. Elem needs T, which is not an open array, and Compare. *)
GENERIC INTERFACE ArraySort(Elem);

(* Permutes a into ascending order by cmp; the order of equal elements may change. *)
PROCEDURE Sort(VAR a: ARRAY OF Elem.T; cmp := Elem.Compare);

END ArraySort.
