(* Sets of Elem.T by an equality. T leaves some methods to its subtypes (see SetDef and
   SetList). The two sets of an operation may be of different subtypes, but must use the same
   equality. Elem needs T, which is not an open array, and Brand. A set must not change while
   an iterator over it is in use. *)
GENERIC INTERFACE Set(Elem);

CONST
  Brand = "(Set " & Elem.Brand & ")";

TYPE
  Public = OBJECT METHODS
    (* Fills the set with the elements of a. Subtypes implement this method. *)
    fromArray(READONLY a: ARRAY OF Elem.T): T;

    (* A new set of the same kind with the same elements. Subtypes implement this method. *)
    copy(): T;

    (* Subtypes implement these methods. insert and delete return whether e was an element
       before. *)
    member(e: Elem.T): BOOLEAN;
    insert(e: Elem.T): BOOLEAN;
    delete(e: Elem.T): BOOLEAN;
    size(): CARDINAL;

    isEmpty(): BOOLEAN;

    (* subset: whether all elements of the receiver are in s2; equal: whether both have the same
       elements; intersect: whether some element is in both. *)
    subset(s2: T): BOOLEAN;
    equal(s2: T): BOOLEAN;
    intersect(s2: T): BOOLEAN;

    (* New sets of the receiver's kind: the elements of either set, of both, of the receiver but
       not of s2. *)
    union(s2: T): T;
    intersection(s2: T): T;
    diff(s2: T): T;

    (* The same, but these change the receiver and return it. *)
    unionD(s2: T): T;
    intersectionD(s2: T): T;
    diffD(s2: T): T;

    (* An iterator over all elements, in some order. Subtypes implement this method. *)
    iterate(): Iterator;
  END;

  T <: Public;

  Iterator = OBJECT METHODS
    (* Sets e to the next element; FALSE at the end, after which next must not be called again. *)
    next(VAR e: Elem.T): BOOLEAN;
  END;

(* s1.equal(s2). *)
PROCEDURE Equal(s1, s2: T): BOOLEAN;

END Set.
