GENERIC MODULE SortedPrefix(Value, SortedTbl);

IMPORT Texts;

REVEAL
  Iterator = Public BRANDED "SortedPrefix.Iterator " & SortedTbl.Brand OBJECT
    entries: SortedTbl.Iterator;
    prefix: TEXT;
    done := FALSE;
  OVERRIDES
    next := Next;
  END;

PROCEDURE Iterate(t: SortedTbl.T; prefix: TEXT): Iterator =
  VAR entries := t.iterateOrdered(up := TRUE);
  BEGIN
    entries.seek(prefix);
    RETURN NEW(Iterator, entries := entries, prefix := prefix);
  END Iterate;

PROCEDURE Next(self: Iterator; VAR key: TEXT; VAR value: Value.T): BOOLEAN =
  VAR k: TEXT;  v: Value.T;
  BEGIN
    IF self.done OR NOT self.entries.next(k, v) OR NOT Texts.StartsWith(k, self.prefix) THEN
      self.done := TRUE;
      RETURN FALSE;
    END;
    key := k;
    value := v;
    RETURN TRUE;
  END Next;

BEGIN
END SortedPrefix.
