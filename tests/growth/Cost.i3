(* What an operation costs, counted: the statements that it executes, in the test and in the library,
   which `tenure test --coverage` compiles with counters (abi/coverage.h), and the words that it
   allocates. The same in each run, whatever else the machine does. Statements of C++ are not
   counted. *)
INTERFACE Cost;

IMPORT Test;

TYPE
  Operation = PROCEDURE(n: CARDINAL) RAISES ANY;

(* For n = first, 2 * first, 4 * first and 8 * first: calls prepare(n), if it is not NIL, and then
   measures operation(n). Fails the test if an operation of eight times the size costs more than 16
   times as much (n log n is 10.4 times as much for 1000, n * sqrt(n) 22.6 times), or if it costs more
   than `most` for each of its elements. Logs the costs of an element. *)
PROCEDURE Check(t: Test.T; what: TEXT; most: CARDINAL; operation: Operation;
                prepare: Operation := NIL; first: CARDINAL := 1000) RAISES ANY;

END Cost.
