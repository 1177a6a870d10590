(* Splits lines into fields, keeps the fields of all lines. Usage: Main N, the number of lines. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Text, TextSeq;

<*FATAL ANY*>

PROCEDURE Split(line: TEXT; into: TextSeq.T) =
  VAR start := 0;  comma := Text.FindChar(line, ',');
  BEGIN
    WHILE comma >= 0 DO
      into.addhi(Text.Sub(line, start, comma - start));
      start := comma + 1;
      comma := Text.FindChar(line, ',', start);
    END;
    into.addhi(Text.Sub(line, start));
  END Split;

VAR
  lines := Scan.Int(Params.Get(1));
  fields := NEW(TextSeq.T).init();
  length := 0;
BEGIN
  FOR i := 1 TO lines DO
    Split(Fmt.Int(i) & ",some words in a field," & Fmt.Int(i * 7) & ",x,another field of the line", fields);
  END;
  FOR i := 0 TO fields.size() - 1 DO INC(length, Text.Length(fields.get(i))) END;
  IO.Put(Fmt.Int(fields.size()) & " " & Fmt.Int(length) & "\n");
END Main.
