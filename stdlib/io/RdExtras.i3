(* Words from readers: older than Lex, and without its blanks and errors. `skip` is the set of
   characters to skip, `terminate` the set of characters that end a word. The terminating
   character is pushed back if unget. *)
INTERFACE RdExtras;

IMPORT ASCII, Rd, Thread;

(* Skips characters of skip; returns the first one after them. *)
PROCEDURE Skip(s: Rd.T; READONLY skip := ASCII.Spaces; unget := TRUE): CHAR
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted};

(* Reads into chars up to a character of terminate, up to the end of s, or until chars is full;
   returns the number of characters. *)
PROCEDURE GetUntil(s: Rd.T; VAR chars: ARRAY OF CHAR; READONLY terminate := ASCII.Spaces;
                   unget := TRUE): CARDINAL RAISES {Rd.Failure, Thread.Alerted};

(* Skips, then works as GetUntil. *)
PROCEDURE GetChars(s: Rd.T; VAR chars: ARRAY OF CHAR; READONLY skip := ASCII.Spaces;
                   READONLY terminate := ASCII.Spaces; unget := TRUE): CARDINAL
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted};

(* The same as a text of any length. *)
PROCEDURE GetText(s: Rd.T; READONLY skip := ASCII.Set{}; READONLY terminate := ASCII.Spaces;
                  unget := TRUE): TEXT RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted};

END RdExtras.
