(* As ArraySort(Text), but long arrays in the order of Text.Compare are sorted by keys that hold
   the first characters of the texts. *)
MODULE TextArraySort;

IMPORT KeyedText, KeyedTextArraySort, PlainTextArraySort, Text;

CONST
  Long = 100;

PROCEDURE Sort(VAR a: ARRAY OF Text.T; cmp := Text.Compare) =
  BEGIN
    IF cmp = Text.Compare AND NUMBER(a) >= Long AND NOT IsSorted(a) THEN
      SortByKeys(a);
    ELSE
      PlainTextArraySort.Sort(a, cmp);
    END;
  END Sort;

PROCEDURE IsSorted(READONLY a: ARRAY OF Text.T): BOOLEAN =
  BEGIN
    FOR i := 1 TO LAST(a) DO
      IF Text.Compare(a[i - 1], a[i]) > 0 THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END IsSorted;

PROCEDURE SortByKeys(VAR a: ARRAY OF Text.T) =
  VAR keyed := NEW(REF ARRAY OF KeyedText.T, NUMBER(a));
  BEGIN
    FOR i := 0 TO LAST(a) DO keyed[i] := KeyedText.Make(a[i]) END;
    KeyedTextArraySort.Sort(keyed^);
    FOR i := 0 TO LAST(a) DO a[i] := keyed[i].text END;
  END SortByKeys;

BEGIN
END TextArraySort.
