(* The resources that a program has used, and lines that report them: a word and then names and
   numbers, which measuring.parts_of reads. bench/support/cpp/usage.h prints the same in C++. *)
INTERFACE Usage;

IMPORT DatabaseStatistics;

TYPE
  Counter = DatabaseStatistics.Kind;

  (* The resources that the process has used so far, and its database operations. *)
  T = RECORD
    elapsed: LONGREAL;      (* seconds *)
    user, system: INTEGER;  (* microseconds *)
    counters: ARRAY Counter OF INTEGER;
  END;

(* Reads the time first, so that the rest of this call is not counted. *)
PROCEDURE Now(): T;

(* The same at a beginning: reads the time last. *)
PROCEDURE Start(): T;

(* Prints a line for the work between the two. *)
PROCEDURE Tell(what: TEXT; count: INTEGER; READONLY from, to: T; repeats: CARDINAL := 1);

(* Prints a line with the peak memory of the process. The system's own figure for children also
   counts the parent before exec. *)
PROCEDURE TellMemory();

END Usage.
