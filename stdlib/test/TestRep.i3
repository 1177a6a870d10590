(* What the modules of the library for tests tell each other. *)
INTERFACE TestRep;

IMPORT Test;

TYPE
  Texts = REF ARRAY OF TEXT;

VAR
  (* The directory in which the directories of tests are made; NIL: that for temporary files. *)
  directory: TEXT := NIL;
  (* The file of results; NIL: results are printed. *)
  results: TEXT := NIL;
  (* Only subtests whose names contain one of these; NIL: all. *)
  subtests: Texts := NIL;

(* The test number n of the program, or NIL, and its name; the same for benchmarks. *)
PROCEDURE TestAt(n: CARDINAL; VAR name: TEXT): Test.Proc;
PROCEDURE BenchAt(n: CARDINAL; VAR name: TEXT): Test.BenchProc;

(* Run the test or benchmark, and report it. FALSE if it has failed. *)
PROCEDURE RunTest(name: TEXT; p: Test.Proc): BOOLEAN;
PROCEDURE RunBench(name: TEXT; p: Test.BenchProc): BOOLEAN;

(* Reports that all that was asked for has been run. *)
PROCEDURE ReportEnd();

END TestRep.
