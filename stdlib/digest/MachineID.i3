(* 6 bytes that identify this machine: the address of a network interface. *)
INTERFACE MachineID;

TYPE
  T = RECORD
    r: ARRAY [0..5] OF BITS 8 FOR [0..255];
  END;

(* A checked run-time error if the machine has none. *)
PROCEDURE Get(): T;

(* Returns whether the machine has one; if so, sets t to it. *)
PROCEDURE CanGet(VAR t: T): BOOLEAN;

END MachineID.
