(* Linked lists of REFANY; NIL is the empty list. Procedures whose names end in D change their
   arguments. *)
INTERFACE RefList;

IMPORT Refany;

CONST
  Brand = "(List " & Refany.Brand & ")";

TYPE
  T = OBJECT
    head: REFANY;
    tail: T;
  END;

PROCEDURE Cons(READONLY head: REFANY; tail: T): T;
PROCEDURE List1(READONLY e1: REFANY): T;
PROCEDURE List2(READONLY e1, e2: REFANY): T;
PROCEDURE List3(READONLY e1, e2, e3: REFANY): T;

(* The elements of e in order. *)
PROCEDURE FromArray(READONLY e: ARRAY OF REFANY): T;

PROCEDURE Length(l: T): CARDINAL;

(* Element n, from 0; a checked run-time error if there is none. *)
PROCEDURE Nth(l: T; n: CARDINAL): REFANY;

(* Whether an element is equal to e, by Refany.Equal. *)
PROCEDURE Member(l: T; READONLY e: REFANY): BOOLEAN;

(* A copy of l1, followed by l2 itself; for D, l1 with l2 as its last tail. *)
PROCEDURE Append(l1: T; l2: T): T;
PROCEDURE AppendD(l1: T; l2: T): T;

(* The elements the other way round. *)
PROCEDURE Reverse(l: T): T;
PROCEDURE ReverseD(l: T): T;

END RefList.
