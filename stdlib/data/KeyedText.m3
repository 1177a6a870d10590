MODULE KeyedText;

IMPORT Text, Word;

CONST
  Digits = BYTESIZE(INTEGER);  (* of the key, each a character's code *)
  LastDigit = 255;
  Sign = Word.LeftShift(1, BITSIZE(INTEGER) - 1);

(* A character that is not a digit counts as the last digit, and all characters after it count as
   zeros, like those after the end of a text. So different texts may have equal keys, but keys
   are never in the wrong order. *)
PROCEDURE Make(text: TEXT): T =
  VAR key: Word.T := 0;  n := MIN(Text.Length(text), Digits);  digit, i: INTEGER := 0;
      wide := Text.HasWideChars(text);
  BEGIN
    WHILE i < n AND digit < LastDigit DO
      IF wide THEN
        digit := MIN(ORD(Text.GetWideChar(text, i)), LastDigit);
      ELSE
        digit := ORD(Text.GetChar(text, i));
      END;
      key := Word.Or(Word.LeftShift(key, 8), digit);
      INC(i);
    END;
    IF i > 0 AND i < Digits THEN key := Word.LeftShift(key, 8 * (Digits - i)) END;
    RETURN T{Word.Xor(key, Sign), text};
  END Make;

PROCEDURE Compare(READONLY a, b: T): [-1..1] =
  BEGIN
    IF a.key < b.key THEN RETURN -1 END;
    IF a.key > b.key THEN RETURN 1 END;
    RETURN Text.Compare(a.text, b.text);
  END Compare;

BEGIN
END KeyedText.
