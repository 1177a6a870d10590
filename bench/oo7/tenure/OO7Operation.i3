(* The operations of OO7 by name. *)
INTERFACE OO7Operation;

IMPORT OO7;

TYPE
  T = {T1, T2A, T2B, T2C, T3A, T3B, T3C, T4, T5, T6, T7, T8, T9, CU, Q1, Q2, Q3, Q4, Q5, Q7, Q8,
       Insert, Delete};

CONST
  Names = ARRAY T OF TEXT{
    "T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T4", "T5", "T6", "T7", "T8", "T9", "CU", "Q1",
    "Q2", "Q3", "Q4", "Q5", "Q7", "Q8", "insert", "delete"};

  (* The number of repetitions in a hot iteration: an operation that lasts only microseconds is
     repeated so that the clock can measure it. *)
  Repeats = ARRAY T OF CARDINAL{
    1, 1, 1, 1, 1, 1, 1, 1, 1, 300, 100000, 100, 100000, 1, 20000,
    2000, 200, 1000, 2000, 5, 5, 1, 1};

(* Returns whether there is an operation of this name; if so, sets the operation. *)
PROCEDURE FromName(name: TEXT; VAR operation: T): BOOLEAN;

(* The preparation of an operation, which does not count as its time: T1 before the updates of
   CU, an insertion before delete. *)
PROCEDURE Prepare(operation: T; library: OO7.Library; m: OO7.Module);

(* Performs the operation, on module m if it concerns one module, and returns its count. Adds the
   updates of x and y to m's expected sums. Each repetition draws other random numbers, because
   the processor would learn the branches of identical repetitions. *)
PROCEDURE Perform(operation: T; library: OO7.Library; m: OO7.Module; repeat: CARDINAL := 0): INTEGER;

(* Performs the operation `repeats` times; returns the count of the first. *)
PROCEDURE PerformOften(operation: T; library: OO7.Library; m: OO7.Module; repeats: [1 .. LAST(INTEGER)]):
  INTEGER;

END OO7Operation.
