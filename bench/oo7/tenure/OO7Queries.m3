MODULE OO7Queries;

IMPORT Fmt, IntRefTbl, OO7;
FROM OO7Random IMPORT Draw;

CONST Lookups = 10;

VAR seen := 0;

PROCEDURE Look(part: OO7.AtomicPart) =
  BEGIN
    INC(seen, part.x + part.y);
  END Look;

PROCEDURE Seen(): INTEGER =
  BEGIN
    RETURN seen;
  END Seen;

PROCEDURE RandomParts(library: OO7.Library): INTEGER =
  VAR
    n := library.nextComposite * library.configuration.atomicParts;
    part: REFANY;
    count := 0;
  BEGIN
    FOR i := 1 TO Lookups DO
      IF library.byId.get(Draw(n), part) THEN
        Look(part);
        INC(count);
      END;
    END;
    RETURN count;
  END RandomParts;

PROCEDURE RecentParts(library: OO7.Library; percent: CARDINAL): INTEGER =
  VAR
    first := OO7.LastDate + 1 - (OO7.LastDate + 1 - OO7.FirstDate) * percent DIV 100;
    iterator := library.byDate.iterateOrdered();
    key: INTEGER;
    part: REFANY;
    count := 0;
  BEGIN
    iterator.seek(OO7.DateKey(first, 0));
    WHILE iterator.next(key, part) DO
      Look(part);
      INC(count);
    END;
    RETURN count;
  END RecentParts;

PROCEDURE UsersOfDocuments(library: OO7.Library): INTEGER =
  VAR found: REFANY;  document: OO7.Document;  use: OO7.Use;  count := 0;
  BEGIN
    FOR i := 1 TO Lookups DO
      IF library.byTitle.get("Composite part " & Fmt.Int(Draw(library.nextComposite)), found) THEN
        document := found;
        use := document.part.users;
        WHILE use # NIL DO
          INC(seen, use.assembly.buildDate);
          INC(count);
          use := use.next;
        END;
      END;
    END;
    RETURN count;
  END UsersOfDocuments;

PROCEDURE OutOfDate(m: OO7.Module): INTEGER =
  VAR count := 0;
  BEGIN
    FOR i := 0 TO LAST(m.bases^) DO
      WITH assembly = m.bases[i] DO
        FOR j := 0 TO OO7.AssemblyParts - 1 DO
          IF assembly.parts[j].buildDate > assembly.buildDate THEN
            INC(count);
            EXIT;
          END;
        END;
      END;
    END;
    RETURN count;
  END OutOfDate;

PROCEDURE AllParts(library: OO7.Library): INTEGER =
  VAR iterator := library.byId.iterate();  id: INTEGER;  part: REFANY;  count := 0;
  BEGIN
    WHILE iterator.next(id, part) DO
      Look(part);
      INC(count);
    END;
    RETURN count;
  END AllParts;

PROCEDURE Join(library: OO7.Library): INTEGER =
  VAR
    documents := NEW(IntRefTbl.Default).init(library.nextComposite);
    titles := library.byTitle.iterate();
    parts := library.byId.iterate();
    title: TEXT;
    id: INTEGER;
    found: REFANY;
    part: OO7.AtomicPart;
    count := 0;
  BEGIN
    WHILE titles.next(title, found) DO
      EVAL documents.put(NARROW(found, OO7.Document).id, found);
    END;
    WHILE parts.next(id, found) DO
      part := found;
      IF documents.get(part.docId, found) THEN INC(count) END;
    END;
    RETURN count;
  END Join;

BEGIN
END OO7Queries.
