(* Linked lists of TEXT; NIL is the empty list. Procedures whose names end in D change their
   arguments. *)
INTERFACE TextList;

IMPORT Text;

CONST
  Brand = "(List " & Text.Brand & ")";

TYPE
  T = OBJECT
    head: TEXT;
    tail: T;
  END;

PROCEDURE Cons(READONLY head: TEXT; tail: T): T;
PROCEDURE List1(READONLY e1: TEXT): T;
PROCEDURE List2(READONLY e1, e2: TEXT): T;
PROCEDURE List3(READONLY e1, e2, e3: TEXT): T;

(* The elements of e in order. *)
PROCEDURE FromArray(READONLY e: ARRAY OF TEXT): T;

PROCEDURE Length(l: T): CARDINAL;

(* Element n, from 0; a checked run-time error if there is none. *)
PROCEDURE Nth(l: T; n: CARDINAL): TEXT;

(* Whether an element is equal to e, by Text.Equal. *)
PROCEDURE Member(l: T; READONLY e: TEXT): BOOLEAN;

(* A copy of l1, followed by l2 itself; for D, l1 with l2 as its last tail. *)
PROCEDURE Append(l1: T; l2: T): T;
PROCEDURE AppendD(l1: T; l2: T): T;

(* The elements the other way round. *)
PROCEDURE Reverse(l: T): T;
PROCEDURE ReverseD(l: T): T;

END TextList.
