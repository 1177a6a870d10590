MODULE Witness;

IMPORT Fmt, IO, Rd, Scan, Stdio, Text, TextSeq, Wr;

<*FATAL ANY*>

PROCEDURE Run(answer: Answer) =
  VAR line, said: TEXT;
  BEGIN
    WHILE NOT Rd.EOF(Stdio.stdin) DO
      line := Rd.GetLine(Stdio.stdin);
      TRY
        said := answer(WordsOf(line)^);
      EXCEPT
      ELSE said := "error";
      END;
      IO.Put(said & "\n");
    END;
    Wr.Flush(Stdio.stdout);
  END Run;

PROCEDURE WordsOf(line: TEXT): REF Words =
  VAR words := NEW(TextSeq.T).init();  at, next: INTEGER := 0;  result: REF Words;
  BEGIN
    WHILE at < Text.Length(line) DO
      next := Text.FindChar(line, ' ', at);
      IF next < 0 THEN next := Text.Length(line) END;
      words.addhi(Text.Sub(line, at, next - at));
      at := next + 1;
    END;
    result := NEW(REF Words, words.size());
    FOR i := 0 TO LAST(result^) DO result[i] := words.get(i) END;
    RETURN result;
  END WordsOf;

PROCEDURE Bytes(hex: TEXT): TEXT =
  VAR made: REF ARRAY OF CHAR;
  BEGIN
    IF Text.Equal(hex, "-") THEN RETURN "" END;
    made := NEW(REF ARRAY OF CHAR, Text.Length(hex) DIV 2);
    FOR i := 0 TO LAST(made^) DO made[i] := VAL(Scan.Int(Text.Sub(hex, 2 * i, 2), 16), CHAR) END;
    RETURN Text.FromChars(made^);
  END Bytes;

PROCEDURE Hex(bytes: TEXT): TEXT =
  VAR made := NEW(REF ARRAY OF CHAR, 2 * Text.Length(bytes));
  BEGIN
    IF Text.Empty(bytes) THEN RETURN "-" END;
    FOR i := 0 TO Text.Length(bytes) - 1 DO
      Text.SetChars(SUBARRAY(made^, 2 * i, 2),
                    Fmt.Pad(Fmt.Int(ORD(Text.GetChar(bytes, i)), base := 16), 2, '0'));
    END;
    RETURN Text.FromChars(made^);
  END Hex;

BEGIN
END Witness.
