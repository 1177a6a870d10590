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

  (* How often a hot iteration of an operation that lasts only microseconds does it, so that the clock
     tells something. *)
  Repeats = ARRAY T OF CARDINAL{
    1, 1, 1, 1, 1, 1, 1, 1, 1, 300, 100000, 100, 100000, 1, 20000,
    2000, 200, 1000, 2000, 5, 5, 1, 1};

(* Whether there is an operation of this name, and which. *)
PROCEDURE FromName(name: TEXT; VAR operation: T): BOOLEAN;

(* What comes before Perform and is not counted as its time: T1 before the updates of CU, an insertion
   before delete. *)
PROCEDURE Prepare(operation: T; library: OO7.Library; m: OO7.Module);

(* Does it, and tells what it counted; on module m where it concerns one. Updates of x and y are
   added to what m's sums must be. Each repeat draws other random numbers: the branches of one that
   is done again and again the processor learns by heart. *)
PROCEDURE Perform(operation: T; library: OO7.Library; m: OO7.Module; repeat: CARDINAL := 0): INTEGER;

(* So many times; tells what the first one counted. *)
PROCEDURE PerformOften(operation: T; library: OO7.Library; m: OO7.Module; repeats: [1 .. LAST(INTEGER)]):
  INTEGER;

END OO7Operation.
