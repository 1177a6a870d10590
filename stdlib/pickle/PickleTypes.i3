(* What Pickle knows about types and objects, and numbering objects. Unsafe inside only. *)
INTERFACE PickleTypes;

TYPE
  (* Places of references: in the fixed part, and in each element of the open array at the end. *)
  Slots = REF ARRAY OF RECORD
    offset: CARDINAL;
    kind: Kind;
  END;

  (* Own ones are written with what they lead to; a barred one must be NIL; the others are left as
     they are in a new object. *)
  Kind = {Own, Barred, Left};

  Info = REF RECORD
    typecode: INTEGER;
    fixedBytes, dimensions, elementBytes: CARDINAL;
    skipBytes: CARDINAL;    (* at the beginning: the part that belongs to MUTEX *)
    fixed, element: Slots;  (* in the order of their offsets *)
  END;

(* NIL for a typecode of which no object can be made. *)
PROCEDURE InfoOf(typecode: INTEGER): Info;

(* The object's lengths; lengths has info.dimensions elements. *)
PROCEDURE GetLengths(ref: REFANY; info: Info; VAR lengths: ARRAY OF INTEGER);

(* How many elements such an array has, or -1 if a length is negative or there are too many. *)
PROCEDURE ElementCount(info: Info; READONLY lengths: ARRAY OF INTEGER): INTEGER;

(* A new object. *)
PROCEDURE New(info: Info; READONLY lengths: ARRAY OF INTEGER): REFANY;

(* The bytes of an object without its references, in order; `at` counts them and is 0 at first. Get
   fills buffer and returns how many bytes are in it; Put takes those in buffer. Both move `at`. *)
PROCEDURE DataBytes(info: Info; elements: CARDINAL): CARDINAL;
PROCEDURE GetData(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place;
                  VAR buffer: ARRAY OF CHAR): CARDINAL;
PROCEDURE PutData(ref: REFANY; info: Info; elements: CARDINAL; VAR at: Place;
                  READONLY buffer: ARRAY OF CHAR);

TYPE
  (* The part, 0 the fixed one, 1 the first element and so on; the offset in it; the first slot that
     is not before the offset. *)
  Place = RECORD part, offset, slot: CARDINAL := 0 END;

(* The value of slot i of the object: of the fixed part and then of the elements. Of a slot that is
   not Own, GetSlot gives NIL. *)
PROCEDURE SlotCount(info: Info; elements: CARDINAL): CARDINAL;
PROCEDURE SlotKind(info: Info; i: CARDINAL): Kind;
PROCEDURE GetSlot(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): REFANY;
PROCEDURE SetSlot(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL; value: REFANY);

(* Whether value may be stored there: NIL, or of a type that the slot is for. *)
PROCEDURE Fits(info: Info; i: CARDINAL; value: REFANY): BOOLEAN;

PROCEDURE IsNil(ref: REFANY; info: Info; i: CARDINAL; elements: CARDINAL): BOOLEAN;

TYPE
  (* Numbers 0, 1, 2 ... of objects. *)
  Objects = REF RECORD
    refs: REF ARRAY OF REFANY;
    count: CARDINAL := 0;

    (* For NumberOf: open hashing by address, -1 where there is none; moves as it was then. *)
    index: REF ARRAY OF INTEGER := NIL;
    moves: INTEGER := -1;
  END;

PROCEDURE NewObjects(): Objects;

(* The next number, of an object that is not known yet. *)
PROCEDURE NewId(objects: Objects): CARDINAL;

(* The number of ref, or -1; if it is -1, ref is given the next number. *)
PROCEDURE NumberOf(objects: Objects; ref: REFANY): INTEGER;

(* Types by the fingerprint of their structure; -1 if the program has none. *)
PROCEDURE Fingerprint(typecode: INTEGER): INTEGER;
PROCEDURE Find(fingerprint: INTEGER): INTEGER;
PROCEDURE Name(typecode: INTEGER): TEXT;
PROCEDURE IsTypecode(typecode: INTEGER): BOOLEAN;

(* -1 for REFANY and NULL. *)
PROCEDURE Supertype(typecode: INTEGER): INTEGER;

END PickleTypes.
