(* Linked lists of INTEGER; NIL is the empty list. Procedures whose names end in D change their
   arguments. *)
INTERFACE IntList;

IMPORT Integer;

CONST
  Brand = "(List " & Integer.Brand & ")";

TYPE
  T = OBJECT
    head: INTEGER;
    tail: T;
  END;

PROCEDURE Cons(READONLY head: INTEGER; tail: T): T;
PROCEDURE List1(READONLY e1: INTEGER): T;
PROCEDURE List2(READONLY e1, e2: INTEGER): T;
PROCEDURE List3(READONLY e1, e2, e3: INTEGER): T;

(* The elements of e in order. *)
PROCEDURE FromArray(READONLY e: ARRAY OF INTEGER): T;

PROCEDURE Length(l: T): CARDINAL;

(* Element n, from 0; a checked run-time error if there is none. *)
PROCEDURE Nth(l: T; n: CARDINAL): INTEGER;

(* Whether an element is equal to e, by Integer.Equal. *)
PROCEDURE Member(l: T; READONLY e: INTEGER): BOOLEAN;

(* A copy of l1, followed by l2 itself; for D, l1 with l2 as its last tail. *)
PROCEDURE Append(l1: T; l2: T): T;
PROCEDURE AppendD(l1: T; l2: T): T;

(* The elements the other way round. *)
PROCEDURE Reverse(l: T): T;
PROCEDURE ReverseD(l: T): T;

END IntList.
