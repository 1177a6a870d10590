(* What a program has used, and the lines that say so: a word and then names and numbers, which
   measuring.parts_of reads. bench/support/cpp/usage.h prints the same in C++. *)
INTERFACE Usage;

IMPORT DatabaseStatistics;

TYPE
  Counter = DatabaseStatistics.Kind;

  (* What the process has spent so far, and what it did with databases. *)
  T = RECORD
    elapsed: LONGREAL;      (* seconds *)
    user, system: INTEGER;  (* microseconds *)
    counters: ARRAY Counter OF INTEGER;
  END;

(* First the time: what comes after it belongs to nobody. *)
PROCEDURE Now(): T;

(* The same at a beginning: the time comes last. *)
PROCEDURE Start(): T;

(* A line for what took place between the two. *)
PROCEDURE Tell(what: TEXT; count: INTEGER; READONLY from, to: T; repeats: CARDINAL := 1);

(* A line with the most memory that the process has had. The system's own figure for children also
   counts the parent before exec. *)
PROCEDURE TellMemory();

END Usage.
