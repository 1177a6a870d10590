(* Pickle's view of types and objects, and numbers for objects. Unsafe only inside. *)
INTERFACE PickleTypes;

TYPE
  (* The slots, the places of references: in the fixed part, and in each element of the open
     array at the end. *)
  Slots = REF ARRAY OF RECORD
    offset: CARDINAL;
    kind: Kind;
  END;

  (* An Own slot is written with the objects that it reaches; a barred slot must be NIL; other
     slots keep the value that they have in a new object. *)
  Kind = {Own, Barred, Left};

  Info = REF RECORD
    typecode: INTEGER;
    fixedBytes, dimensions, elementBytes: CARDINAL;
    skipBytes: CARDINAL;    (* at the beginning: the part that belongs to MUTEX *)
    fixed, element: Slots;  (* in the order of their offsets *)
  END;

(* NIL for a typecode whose type has no objects. *)
PROCEDURE InfoOf(typecode: INTEGER): Info;

(* The object's lengths; lengths has info.dimensions elements. *)
PROCEDURE GetLengths(ref: REFANY; info: Info; VAR lengths: ARRAY OF INTEGER);

(* The number of elements of an array with these lengths, or -1 if a length is negative or there
   are too many elements. *)
PROCEDURE ElementCount(info: Info; READONLY lengths: ARRAY OF INTEGER): INTEGER;

(* A new object. *)
PROCEDURE New(info: Info; READONLY lengths: ARRAY OF INTEGER): REFANY;

(* The bytes of an object without its references, in order; `at` counts them and is 0 at first.
   Get fills buffer and returns the number of bytes in it; Put takes the bytes in buffer. Both
   move `at`. *)
PROCEDURE DataBytes(info: Info; elements: CARDINAL): CARDINAL;
PROCEDURE GetData(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place;
                  VAR buffer: ARRAY OF CHAR): CARDINAL;
PROCEDURE PutData(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place;
                  READONLY buffer: ARRAY OF CHAR);

TYPE
  (* The current part (0 is the fixed part, 1 the first element and so on), the offset in it, and
     the first slot at or behind the offset. *)
  Place = RECORD part, offset, slot: CARDINAL := 0 END;

(* The value of slot i of the object: of the fixed part and then of the elements. For a slot that
   is not Own, GetSlot returns NIL. *)
PROCEDURE SlotCount(info: Info; elements: CARDINAL): CARDINAL;
PROCEDURE SlotKind(info: Info; i: CARDINAL): Kind;
PROCEDURE GetSlot(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): REFANY;
PROCEDURE SetSlot(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL; value: REFANY);

(* Whether value may be stored in the slot: it is NIL, or of a type that the slot accepts. *)
PROCEDURE Fits(info: Info; i: CARDINAL; value: REFANY): BOOLEAN;

PROCEDURE IsNil(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): BOOLEAN;

TYPE
  (* Numbers 0, 1, 2 ... of objects. *)
  Objects = REF RECORD
    refs: REF ARRAY OF REFANY;
    count: CARDINAL := 0;

    (* For NumberOf: open hashing by address, -1 in free places; `moves` is the collector's count
       when the addresses were taken. *)
    index: REF ARRAY OF INTEGER := NIL;
    moves: INTEGER := -1;
  END;

PROCEDURE NewObjects(): Objects;

(* The next number, for an object without a number. *)
PROCEDURE NewId(objects: Objects): CARDINAL;

(* The number of ref. If ref has none, returns -1 and gives ref the next number. *)
PROCEDURE NumberOf(objects: Objects; ref: REFANY): INTEGER;

(* Types by the fingerprint of their structure; -1 if the program has none. *)
PROCEDURE Fingerprint(typecode: INTEGER): INTEGER;
PROCEDURE Find(fingerprint: INTEGER): INTEGER;
PROCEDURE Name(typecode: INTEGER): TEXT;
PROCEDURE IsTypecode(typecode: INTEGER): BOOLEAN;

(* -1 for REFANY and NULL. *)
PROCEDURE Supertype(typecode: INTEGER): INTEGER;

END PickleTypes.
