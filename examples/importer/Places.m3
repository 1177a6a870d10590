MODULE Places;

IMPORT FloatMode, IntRefBPlusTree, IntSeq, Lex, Rd, Scan, Text, TextRefTbl, Thread;

PROCEDURE New(): T =
  BEGIN
    RETURN NEW(T, byNumber := NEW(IntRefBPlusTree.T).init(),
                  countries := NEW(TextRefTbl.Default).init());
  END New;

PROCEDURE AddLine(places: T; line: TEXT) RAISES {Malformed} =
  VAR first := Text.FindChar(line, ',');  second := Text.FindChar(line, ',', first + 1);  n := -1;
  BEGIN
    IF first > 0 AND second > first + 1 THEN
      TRY n := Scan.Int(Text.Sub(line, 0, first)) EXCEPT Lex.Error, FloatMode.Trap => END;
    END;
    IF n < 0 THEN RAISE Malformed(line) END;
    WITH country = CountryOf(places, Text.Sub(line, second + 1)),
         place = NEW(Place, number := n, country := country,
                     name := Text.Sub(line, first + 1, second - first - 1)) DO
      IF places.byNumber.put(n, place) THEN RAISE Malformed(line) END;
      country.places.addhi(n);
    END;
    INC(places.lines);
  END AddLine;

PROCEDURE CountryOf(places: T; name: TEXT): Country =
  VAR country := FindCountry(places, name);
  BEGIN
    IF country = NIL THEN
      country := NEW(Country, name := name, places := NEW(IntSeq.T).init());
      EVAL places.countries.put(name, country);
    END;
    RETURN country;
  END CountryOf;

PROCEDURE Skip(places: T; rd: Rd.T) RAISES {Rd.Failure, Thread.Alerted} =
  BEGIN
    TRY
      FOR i := 1 TO places.lines DO EVAL Rd.GetLine(rd) END;
    EXCEPT
    | Rd.EndOfFile =>
    END;
  END Skip;

PROCEDURE AddLines(places: T; rd: Rd.T; count: CARDINAL): BOOLEAN
  RAISES {Malformed, Rd.Failure, Thread.Alerted} =
  BEGIN
    TRY
      FOR i := 1 TO count DO AddLine(places, Rd.GetLine(rd)) END;
      RETURN TRUE;
    EXCEPT
    | Rd.EndOfFile => RETURN FALSE;
    END;
  END AddLines;

PROCEDURE Find(places: T; number: CARDINAL): Place =
  VAR found: REFANY := NIL;
  BEGIN
    EVAL places.byNumber.get(number, found);
    RETURN found;
  END Find;

PROCEDURE FindCountry(places: T; name: TEXT): Country =
  VAR found: REFANY := NIL;
  BEGIN
    EVAL places.countries.get(name, found);
    RETURN found;
  END FindCountry;

BEGIN
END Places.
