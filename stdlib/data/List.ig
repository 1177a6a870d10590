(* Linked lists; NIL is the empty list. Elem needs T, which is not an open array, Brand and Equal.
   Procedures whose names end in D change their arguments.

   Example:

       MODULE Main;
       IMPORT Fmt, IntList, IO;
       VAR list := IntList.Cons(1, IntList.List2(2, 3));
       BEGIN
         list := IntList.Append(list, IntList.Reverse(list));
         WHILE list # NIL DO
           IO.Put(Fmt.Int(list.head) & " ");
           list := list.tail;
         END;
         IO.Put("\n");
       END Main.

   It prints

       1 2 3 3 2 1
*)
GENERIC INTERFACE List(Elem);

CONST
  Brand = "(List " & Elem.Brand & ")";

TYPE
  (* A node, that is, a list that is not empty. *)
  T = OBJECT
    head: Elem.T;
    tail: T;
  END;

(* Cons returns a new node in front of tail; List1, List2 and List3 return lists of 1, 2 and 3
   elements. *)
PROCEDURE Cons(READONLY head: Elem.T; tail: T): T;
PROCEDURE List1(READONLY e1: Elem.T): T;
PROCEDURE List2(READONLY e1, e2: Elem.T): T;
PROCEDURE List3(READONLY e1, e2, e3: Elem.T): T;

(* The elements of e in order. *)
PROCEDURE FromArray(READONLY e: ARRAY OF Elem.T): T;

(* The number of elements. *)
PROCEDURE Length(l: T): CARDINAL;

(* Element n, counted from 0; a checked run-time error if l has no element n. *)
PROCEDURE Nth(l: T; n: CARDINAL): Elem.T;

(* Whether an element is equal to e, by Elem.Equal. *)
PROCEDURE Member(l: T; READONLY e: Elem.T): BOOLEAN;

(* A copy of l1, followed by l2 itself; for D, l1 with l2 as its last tail. *)
PROCEDURE Append(l1: T; l2: T): T;
PROCEDURE AppendD(l1: T; l2: T): T;

(* The elements in reverse order. *)
PROCEDURE Reverse(l: T): T;
PROCEDURE ReverseD(l: T): T;

END List.
