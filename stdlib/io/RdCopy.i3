(* Copying between streams without texts in between. *)
INTERFACE RdCopy;

IMPORT Rd, Thread, Wr;

(* Copies characters from rd to wr, up to length or the end of rd; returns their number. *)
PROCEDURE ToWriter(rd: Rd.T; wr: Wr.T; length: CARDINAL := LAST(CARDINAL)): CARDINAL
  RAISES {Rd.Failure, Wr.Failure, Thread.Alerted};

(* Passes the characters to proc, in pieces as they arrive. Also raises Rd.Failure and
   Thread.Alerted. *)
PROCEDURE ToProc(rd: Rd.T; proc: PROCEDURE (READONLY a: ARRAY OF CHAR) RAISES ANY;
                 length: CARDINAL := LAST(CARDINAL)): CARDINAL RAISES ANY;

(* Writes the characters that proc puts at the beginning of its argument; proc returns their
   number. Stops when this is less than the argument's size, or when length is reached; returns
   the total number. Also raises Wr.Failure and Thread.Alerted. *)
PROCEDURE FromProc(wr: Wr.T; proc: PROCEDURE (VAR a: ARRAY OF CHAR): CARDINAL RAISES ANY;
                   length: CARDINAL := LAST(CARDINAL)): CARDINAL RAISES ANY;

END RdCopy.
