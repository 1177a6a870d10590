MODULE RdUtils;

IMPORT Atom, AtomList, Text;

PROCEDURE FailureText(f: AtomList.T): TEXT =
  VAR result: TEXT := "";  t: TEXT;
  BEGIN
    WHILE f # NIL DO
      t := Atom.ToText(f.head);
      IF f.tail = NIL OR NOT Text.Equal(Text.Sub(t, 0, 6), "errno=") THEN
        IF NOT Text.Empty(result) THEN result := result & ": " END;
        result := result & t;
      END;
      f := f.tail;
    END;
    RETURN result;
  END FailureText;

BEGIN
END RdUtils.
