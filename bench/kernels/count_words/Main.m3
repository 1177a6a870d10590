(* Counts words made of numbers in a table. Usage: Main N, the number of words. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Text, TextIntTbl, Word;

<*FATAL ANY*>

CONST Distinct = 50000;

VAR
  table := NEW(TextIntTbl.Default).init();
  words: ARRAY [0..Distinct - 1] OF TEXT;
  state: Word.T := 1;
  count, sum: INTEGER := 0;
  word: TEXT;

PROCEDURE Next(): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33);
  END Next;

BEGIN
  FOR i := 0 TO Distinct - 1 DO words[i] := "word" & Fmt.Int(i * 7919 MOD 100003) END;
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    word := words[MIN(Next() MOD Distinct, Next() MOD Distinct)];
    IF table.get(word, count) THEN
      EVAL table.put(word, count + 1);
    ELSE
      EVAL table.put(word, 1);
    END;
  END;
  FOR i := 0 TO Distinct - 1 DO
    IF table.get(words[i], count) THEN INC(sum, count * Text.Length(words[i])) END;
  END;
  IO.Put(Fmt.Int(table.size()) & " " & Fmt.Int(sum) & "\n");
END Main.
