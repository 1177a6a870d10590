(* Identifiers of 16 bytes that no two calls of New on any machine give, in the order of time. *)
INTERFACE TimeStamp;

IMPORT Time;

TYPE
  T = RECORD
    r: Bytes;
  END;
  Bytes = ARRAY [0..15] OF Byte;
  Byte = BITS 8 FOR [0..255];

CONST  (* no other one is smaller, or greater *)
  First = T{r := Bytes{0, ..}};
  Last = T{r := Bytes{255, ..}};

(* Greater than all earlier ones of this process, and than those of others of an earlier time. *)
PROCEDURE New(): T;

(* By the first byte that differs. *)
PROCEDURE Compare(READONLY t1, t2: T): [-1..1];

(* The later and the earlier one; whether they are the same; a hash that fits this. *)
PROCEDURE Max(READONLY t1, t2: T): T;
PROCEDURE Min(READONLY t1, t2: T): T;
PROCEDURE Equal(READONLY t1, t2: T): BOOLEAN;
PROCEDURE Hash(READONLY t: T): INTEGER;

(* About when t was made. *)
PROCEDURE ToTime(READONLY t: T): Time.T;

END TimeStamp.
