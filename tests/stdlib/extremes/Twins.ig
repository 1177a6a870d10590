(* Containers, sorts and queues with keys of one type beside simple models: arrays by rank. Values is the module of the
   extreme values of the type and of their ranks; the others are instances of the library's generics. *)
GENERIC INTERFACE Twins(Key);

CONST Brand = "(Twins " & Key.Brand & ")";

TYPE
  (* The containers and their models, which may be stored together. *)
  T <: REFANY;

PROCEDURE New(): T;

(* Random operations; the number of wrong answers. *)
PROCEDURE Operate(t: T; steps: CARDINAL): CARDINAL;

(* Compares all contents with the models; the number of differences. *)
PROCEDURE Differences(t: T): CARDINAL;

END Twins.
