(* Lines made of words and numbers, which are read; the last ones are kept. bench/gc/texts.cc is
   its twin. *)
MODULE Main;

IMPORT Fmt, IO, Text;

CONST
  Lines = 1000000;
  Kept = 20000;

VAR
  kept: ARRAY [0..Kept - 1] OF TEXT;
  line: TEXT;
  sum := 0;
BEGIN
  FOR i := 0 TO Lines - 1 DO
    line := "line number " & Fmt.Int(i) & " follows the one whose number is " & Fmt.Int(i * 7);
    IF i >= Kept THEN INC(sum, ORD(Text.GetChar(kept[i MOD Kept], 14))) END;
    kept[i MOD Kept] := line;
    INC(sum, Text.Length(line));
  END;
  IO.PutInt(sum); IO.Put("\n");
END Main.
