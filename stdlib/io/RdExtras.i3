(* Words from readers: older than Lex, and without its blanks and errors. The sets say which
   characters are passed over (skip) and which end what is read (terminate). The character that ends
   it is pushed back if unget. *)
INTERFACE RdExtras;

IMPORT ASCII, Rd, Thread;

(* Passes over characters of skip; the one after them. *)
PROCEDURE Skip(s: Rd.T; READONLY skip := ASCII.Spaces; unget := TRUE): CHAR
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted};

(* Reads into chars until one of terminate, the end of s, or chars is full; how many. *)
PROCEDURE GetUntil(s: Rd.T; VAR chars: ARRAY OF CHAR; READONLY terminate := ASCII.Spaces;
                   unget := TRUE): CARDINAL RAISES {Rd.Failure, Thread.Alerted};

(* Skip and then GetUntil. *)
PROCEDURE GetChars(s: Rd.T; VAR chars: ARRAY OF CHAR; READONLY skip := ASCII.Spaces;
                   READONLY terminate := ASCII.Spaces; unget := TRUE): CARDINAL
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted};

(* The same as a text of any length. *)
PROCEDURE GetText(s: Rd.T; READONLY skip := ASCII.Set{}; READONLY terminate := ASCII.Spaces;
                  unget := TRUE): TEXT RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted};

END RdExtras.
