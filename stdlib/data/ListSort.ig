(* Sorting of ElemList.T, an instance of List(Elem): equal elements keep their order. Elem needs
   Compare as well. *)
GENERIC INTERFACE ListSort(Elem, ElemList);

CONST
  Brand = "(ListSort " & Elem.Brand & ")";

TYPE
  T = ElemList.T;

(* A new list of the elements in ascending order of c. *)
PROCEDURE Sort(l: T; c := Elem.Compare): T;

(* The same cells in ascending order of c. *)
PROCEDURE SortD(l: T; c := Elem.Compare): T;

END ListSort.
