MODULE CIText;

IMPORT Text, Word;

PROCEDURE Lower(ch: WIDECHAR): INTEGER =
  BEGIN
    IF W'A' <= ch AND ch <= W'Z' THEN RETURN ORD(ch) - ORD('A') + ORD('a') END;
    RETURN ORD(ch);
  END Lower;

PROCEDURE Equal(k1, k2: T): BOOLEAN =
  BEGIN
    RETURN Text.Length(k1) = Text.Length(k2) AND Compare(k1, k2) = 0;
  END Equal;

PROCEDURE Hash(k1: T): Word.T =
  VAR result: Word.T := 0;
  BEGIN
    FOR i := 0 TO Text.Length(k1) - 1 DO
      result := Word.Plus(Word.Times(result, 31), Lower(Text.GetWideChar(k1, i)));
    END;
    RETURN result;
  END Hash;

PROCEDURE Compare(k1, k2: T): [-1..1] =
  VAR l1 := Text.Length(k1);  l2 := Text.Length(k2);  c1, c2: INTEGER;
  BEGIN
    FOR i := 0 TO MIN(l1, l2) - 1 DO
      c1 := Lower(Text.GetWideChar(k1, i));
      c2 := Lower(Text.GetWideChar(k2, i));
      IF c1 < c2 THEN RETURN -1 ELSIF c1 > c2 THEN RETURN 1 END;
    END;
    IF l1 < l2 THEN RETURN -1 ELSIF l1 > l2 THEN RETURN 1 ELSE RETURN 0 END;
  END Compare;

BEGIN
END CIText.
