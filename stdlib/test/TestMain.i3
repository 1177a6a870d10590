(* The main program of tests. `tenure test` makes a program whose body calls Run; a program of
   one's own may do the same. *)
INTERFACE TestMain;

(* Does what the arguments of the program say, and ends the program with status 1 if a test failed,
   else 0:

     (none)            runs all tests, one after the other, and prints the results
     --list            prints the names of the tests and benchmarks: "test NAME", "bench NAME"
     --run NAME        runs this test; may stand several times
     --bench NAME      runs this benchmark; may stand several times
     --sub TEXT        runs only subtests whose names contain the text; may stand several times
     --directory DIR   makes the directories of tests in DIR
     --results FILE    appends the results to FILE, for `tenure test` *)
PROCEDURE Run();

END TestMain.
