(* Copying between streams without texts in between. *)
INTERFACE RdCopy;

IMPORT Rd, Thread, Wr;

(* Copies characters from rd to wr, up to length or the end of rd; how many. *)
PROCEDURE ToWriter(rd: Rd.T; wr: Wr.T; length: CARDINAL := LAST(CARDINAL)): CARDINAL
  RAISES {Rd.Failure, Wr.Failure, Thread.Alerted};

(* Gives them to proc, in pieces as they come; also raises Rd.Failure and Thread.Alerted. *)
PROCEDURE ToProc(rd: Rd.T; proc: PROCEDURE(READONLY a: ARRAY OF CHAR) RAISES ANY;
                 length: CARDINAL := LAST(CARDINAL)): CARDINAL RAISES ANY;

(* Writes what proc puts at the beginning of its argument and gives the number of, until that is
   less than the argument's size or length is reached; how many in all. Also raises Wr.Failure and
   Thread.Alerted. *)
PROCEDURE FromProc(wr: Wr.T; proc: PROCEDURE(VAR a: ARRAY OF CHAR): CARDINAL RAISES ANY;
                   length: CARDINAL := LAST(CARDINAL)): CARDINAL RAISES ANY;

END RdCopy.
