(* What the library tells the reports of errors, for its own modules. *)
INTERFACE RTReport;

(* The next exception that the calling thread raises has these words in its report, behind its
   name and argument. *)
PROCEDURE Explain(words: TEXT);

(* The same for: t, in quotes, and `is not`. *)
PROCEDURE ExplainWord(t, isNot: TEXT);

(* Raises RuntimeError.E(SubscriptOutOfRange): i is none of 0 .. n - 1. *)
PROCEDURE RaiseSubscript(i, n: INTEGER);

(* Ends the program without a word if the standard output is a pipe that nobody reads any more. *)
PROCEDURE EndIfUnread();

END RTReport.
