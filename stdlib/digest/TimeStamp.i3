(* Identifiers of 16 bytes, ordered by time; no two calls of New on any machines return the same
   one. *)
INTERFACE TimeStamp;

IMPORT Time;

TYPE
  T = RECORD
    r: Bytes;
  END;
  Bytes = ARRAY [0..15] OF Byte;
  Byte = BITS 8 FOR [0..255];

CONST  (* the smallest and the greatest time stamp *)
  First = T{r := Bytes{0, ..}};
  Last = T{r := Bytes{255, ..}};

(* A new time stamp, greater than all earlier ones of this process and than those that other
   processes made at an earlier time. *)
PROCEDURE New(): T;

(* Compares by the first byte that differs. *)
PROCEDURE Compare(READONLY t1, t2: T): [-1..1];

(* Max and Min return the later and the earlier one; Equal tells whether they are the same; Hash
   fits Equal. *)
PROCEDURE Max(READONLY t1, t2: T): T;
PROCEDURE Min(READONLY t1, t2: T): T;
PROCEDURE Equal(READONLY t1, t2: T): BOOLEAN;
PROCEDURE Hash(READONLY t: T): INTEGER;

(* The approximate time at which t was made. *)
PROCEDURE ToTime(READONLY t: T): Time.T;

END TimeStamp.
