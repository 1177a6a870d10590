(* golden: run, @M3paranoidgc, @M3nursery=1M *)
(* Arrays and records on both sides of the size from which an object has pages of its own: none of
   them may come from the thread's buffer, whichever way it is allocated. *)
MODULE Main;

IMPORT IO, Text, RTCollector;

TYPE
  Chars = REF ARRAY OF CHAR;
  Block = REF RECORD a: ARRAY [0..529] OF INTEGER END;

VAR
  kept: ARRAY [0..199] OF Chars;
  blocks: ARRAY [0..9] OF Block;
  texts: ARRAY [0..99] OF TEXT;
  sum := 0;
BEGIN
  FOR round := 1 TO 20 DO
    FOR i := FIRST(kept) TO LAST(kept) DO
      kept[i] := NEW(Chars, 3900 + 20 * i);
      kept[i][LAST(kept[i]^)] := 'x';
    END;
    FOR i := FIRST(blocks) TO LAST(blocks) DO blocks[i] := NEW(Block) END;
    FOR i := FIRST(texts) TO LAST(texts) DO
      texts[i] := Text.FromChars(SUBARRAY(kept[i]^, 0, 3900 + 4 * i));
    END;
    RTCollector.Collect();
  END;
  FOR i := FIRST(kept) TO LAST(kept) DO INC(sum, NUMBER(kept[i]^)) END;
  FOR i := FIRST(texts) TO LAST(texts) DO INC(sum, Text.Length(texts[i])) END;
  IF kept[0][3899] = 'x' THEN IO.PutInt(sum); IO.Put("\n") END;
END Main.
(* expect: 1587800 *)
