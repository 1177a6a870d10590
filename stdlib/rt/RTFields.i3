(* The fields of types, for the library's own modules: names, types and places, out of the run time's descriptors. *)
INTERFACE RTFields;

TYPE
  Kind = {
    Integer,    (* low to high, signed if low < 0 *)
    Boolean,
    Character,  (* low to high *)
    Enumeration,
    Real, LongReal,
    Reference,
    Record, Array,
    Left,       (* TRANSIENT, untraced or a procedure: the value stays with this process *)
    Other       (* of a form that is not described here; the text says which *)
  };

  Type = REF RECORD
    kind: Kind;
    bytes, alignment: CARDINAL := 1;
    low, high: INTEGER := 0;          (* Integer, Character, Enumeration *)
    names: REF ARRAY OF TEXT := NIL;  (* Enumeration *)
    typecode: INTEGER := -1;          (* Reference: the declared type *)
    fields: Fields := NIL;            (* Record *)
    count: CARDINAL := 0;             (* Array: the number of elements *)
    element: Type := NIL;
    text: TEXT := "";                 (* as the source has it *)
  END;

  Fields = REF ARRAY OF Field;
  Field = RECORD
    name: TEXT;  (* "" of a referent that is no record *)
    offset: INTEGER;  (* in bytes, from the start of the object or of the record; of an open array's element 0 *)
    type: Type;
  END;

(* The fields of an object type, inherited ones first; of the record that a reference type refers to; or one for any
   other referent, or for the element of an open array. The array must not be changed. Any thread may call this. *)
PROCEDURE Of(typecode: INTEGER): Fields;

END RTFields.
