(* Identifiers that are unique and hard to guess. *)
INTERFACE Capability;

IMPORT TimeStamp;

TYPE
  T = RECORD
    ts: TimeStamp.T;
    random: ARRAY [0..7] OF BITS 8 FOR [0..255];  (* from the system's generator *)
  END;

PROCEDURE New(): T;
PROCEDURE Equal(READONLY t1, t2: T): BOOLEAN;
PROCEDURE Hash(READONLY t: T): INTEGER;

END Capability.
