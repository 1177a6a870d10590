(* Sets of Elem.T by an equality. T leaves some methods to its subtypes (see SetDef and SetList);
   the two sets of an operation may be of different subtypes, but must agree on what is equal.
   Elem needs T, which is not an open array, and Brand. A set must not change while an iterator
   over it is in use. *)
GENERIC INTERFACE Set(Elem);

CONST
  Brand = "(Set " & Elem.Brand & ")";

TYPE
  Public = OBJECT METHODS
    (* Makes it the elements of a; a subtype's. *)
    fromArray(READONLY a: ARRAY OF Elem.T): T;

    (* A new set of the same kind with the same elements; a subtype's. *)
    copy(): T;

    (* A subtype's; insert and delete tell whether e was an element before. *)
    member(e: Elem.T): BOOLEAN;
    insert(e: Elem.T): BOOLEAN;
    delete(e: Elem.T): BOOLEAN;
    size(): CARDINAL;

    isEmpty(): BOOLEAN;

    (* Whether all its elements are in s2; whether both have the same elements; whether some element
       is in both. *)
    subset(s2: T): BOOLEAN;
    equal(s2: T): BOOLEAN;
    intersect(s2: T): BOOLEAN;

    (* New sets of the kind of the receiver: elements of either, of both, of it but not of s2. *)
    union(s2: T): T;
    intersection(s2: T): T;
    diff(s2: T): T;

    (* The same, by changing it; they return it. *)
    unionD(s2: T): T;
    intersectionD(s2: T): T;
    diffD(s2: T): T;

    (* Over all elements, in some order; a subtype's. *)
    iterate(): Iterator;
  END;

  T <: Public;

  Iterator = OBJECT METHODS
    (* The next element; FALSE when there is none, after which it may not be called again. *)
    next(VAR e: Elem.T): BOOLEAN;
  END;

(* s1.equal(s2). *)
PROCEDURE Equal(s1, s2: T): BOOLEAN;

END Set.
