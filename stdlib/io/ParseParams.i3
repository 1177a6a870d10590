(* The parameters of the command line, taken one by one: after a keyword, or the next one. Taken
   parameters are marked, and `finish` reports the rest as an error. *)
INTERFACE ParseParams;

IMPORT Wr;

EXCEPTION
  Error;

TYPE
  T <: Public;

  Public = OBJECT
    arg: REF ARRAY OF TEXT := NIL;        (* all parameters, that is Params.Get(0), ... *)
    next: CARDINAL := 0;                  (* the parameter that getNext gives, arg[next] *)
    parsed: REF ARRAY OF BOOLEAN := NIL;  (* whether each parameter has been taken *)
  METHODS
    (* Starts with the parameters of the command line in arg, unless arg has been set before;
       next is 1, and parameter 0, the program's name, is marked as taken. Error messages will go
       to s, or nowhere if s is NIL. *)
    init(s: Wr.T): T;

    (* Looks for a parameter `keyword` that has not been taken. If there is one, takes it and
       sets next to the parameter after it. *)
    keywordPresent(keyword: TEXT): BOOLEAN;

    (* The same; an error if there is no such parameter. *)
    getKeyword(keyword: TEXT) RAISES {Error};

    (* Takes parameter `next`; an error if it does not exist or has been taken. *)
    getNext(): TEXT RAISES {Error};

    (* Takes parameter `next` if it is `test`, and returns whether it was. *)
    testNext(test: TEXT): BOOLEAN RAISES {Error};

    (* getNext as a number; an error if it is not a number or not between min and max. *)
    getNextInt(min := FIRST(INTEGER); max := LAST(INTEGER)): INTEGER RAISES {Error};
    getNextReal(min := FIRST(REAL); max := LAST(REAL)): REAL RAISES {Error};
    getNextLongReal(min := FIRST(LONGREAL); max := LAST(LONGREAL)): LONGREAL RAISES {Error};

    (* Prints the message, with the parameter taken last, and raises Error. *)
    error(message: TEXT) RAISES {Error};

    (* Sets next to the first parameter after all taken parameters; an error if a parameter
       before it has not been taken. *)
    skipParsed() RAISES {Error};

    (* An error if there is a parameter that has not been taken. *)
    finish() RAISES {Error};
  END;

END ParseParams.
