(* The parameters of the command line, taken one after the other: after a keyword, or what is next.
   What was taken is marked, and `finish` complains about the rest. *)
INTERFACE ParseParams;

IMPORT Wr;

EXCEPTION
  Error;

TYPE
  T <: Public;

  Public = OBJECT
    arg: REF ARRAY OF TEXT := NIL;        (* all parameters, that is Params.Get(0), ... *)
    next: CARDINAL := 0;                  (* the parameter that getNext gives, arg[next] *)
    parsed: REF ARRAY OF BOOLEAN := NIL;  (* which have been taken *)
  METHODS
    (* Starts: arg is as the command line is, unless it has been set before; next is 1, and parameter
       0, the program's name, is taken. Messages about errors will
       go to s, or nowhere if that is NIL. *)
    init(s: Wr.T): T;

    (* Looks for a parameter `keyword` that has not been taken; if there is one, takes it, and next
       is the one after it. *)
    keywordPresent(keyword: TEXT): BOOLEAN;

    (* The same; an error if there is none. *)
    getKeyword(keyword: TEXT) RAISES {Error};

    (* Takes parameter `next`; an error if there is none, or if it has been taken. *)
    getNext(): TEXT RAISES {Error};

    (* Takes it if it is `test`, and says whether it was. *)
    testNext(test: TEXT): BOOLEAN RAISES {Error};

    (* getNext as a number; an error if it is none, or not between min and max. *)
    getNextInt(min := FIRST(INTEGER); max := LAST(INTEGER)): INTEGER RAISES {Error};
    getNextReal(min := FIRST(REAL); max := LAST(REAL)): REAL RAISES {Error};
    getNextLongReal(min := FIRST(LONGREAL); max := LAST(LONGREAL)): LONGREAL RAISES {Error};

    (* Prints the message, with the parameter taken last, and raises Error. *)
    error(message: TEXT) RAISES {Error};

    (* Makes next the first parameter after all that have been taken; an error if one before it has
       not. *)
    skipParsed() RAISES {Error};

    (* An error if there is a parameter that has not been taken. *)
    finish() RAISES {Error};
  END;

END ParseParams.
