(* 6 bytes that tell this machine from others: the address of a network interface. *)
INTERFACE MachineID;

TYPE
  T = RECORD
    r: ARRAY [0..5] OF BITS 8 FOR [0..255];
  END;

(* A checked run-time error if the machine has none. *)
PROCEDURE Get(): T;

(* Whether it has one, which t is then set to. *)
PROCEDURE CanGet(VAR t: T): BOOLEAN;

END MachineID.
