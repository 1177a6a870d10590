(* Places with a number, a name and a country, found by number and by country. *)
INTERFACE Places;

IMPORT IntRefBPlusTree, IntSeq, Rd, TextRefTbl, Thread;

EXCEPTION
  (* The line is not of the form NUMBER,NAME,COUNTRY, or an earlier line has the number. *)
  Malformed(TEXT);

TYPE
  Place = REF RECORD
    number: CARDINAL;
    name: TEXT;
    country: Country;
  END;

  (* All places of a country share this object, so its name is stored once. *)
  Country = REF RECORD
    name: TEXT;
    places: IntSeq.T;  (* their numbers, in the order of the file *)
  END;

  (* The root of the database. *)
  T = REF RECORD
    byNumber: IntRefBPlusTree.T;  (* to Place *)
    countries: TextRefTbl.T;      (* from name to Country *)
    lines: CARDINAL := 0;         (* how many lines of the file have been imported *)
  END;

PROCEDURE New(): T;

(* Adds the place that a line describes. *)
PROCEDURE AddLine(places: T; line: TEXT) RAISES {Malformed};

(* Skips the lines that were imported before. *)
PROCEDURE Skip(places: T; rd: Rd.T) RAISES {Rd.Failure, Thread.Alerted};

(* Adds the places of the next `count` lines. FALSE: the end has come. *)
PROCEDURE AddLines(places: T; rd: Rd.T; count: CARDINAL): BOOLEAN
  RAISES {Malformed, Rd.Failure, Thread.Alerted};

(* The place with this number; the country with this name. NIL if there is none. *)
PROCEDURE Find(places: T; number: CARDINAL): Place;
PROCEDURE FindCountry(places: T; name: TEXT): Country;

END Places.
