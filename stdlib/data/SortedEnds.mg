GENERIC MODULE SortedEnds(Key, Value, SortedTbl);

PROCEDURE First(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    RETURN t.iterateOrdered(up := TRUE).next(key, value);
  END First;

PROCEDURE Last(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    RETURN t.iterateOrdered(up := FALSE).next(key, value);
  END Last;

PROCEDURE DeleteFirst(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    RETURN First(t, key, value) AND t.delete(key, value);
  END DeleteFirst;

PROCEDURE DeleteLast(t: SortedTbl.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    RETURN Last(t, key, value) AND t.delete(key, value);
  END DeleteLast;

PROCEDURE AtLeast(t: SortedTbl.T; READONLY bound: Key.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    RETURN From(t.iterateOrdered(up := TRUE), bound, key, value);
  END AtLeast;

PROCEDURE AtMost(t: SortedTbl.T; READONLY bound: Key.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    RETURN From(t.iterateOrdered(up := FALSE), bound, key, value);
  END AtMost;

PROCEDURE From(entries: SortedTbl.Iterator; READONLY bound: Key.T; VAR key: Key.T; VAR value: Value.T): BOOLEAN =
  BEGIN
    entries.seek(bound);
    RETURN entries.next(key, value);
  END From;

BEGIN
END SortedEnds.
