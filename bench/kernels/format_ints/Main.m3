(* Integers as texts. Usage: Main N, the number of integers. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Text;

<*FATAL ANY*>

VAR length, sum := 0;  t: TEXT;
BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    t := Fmt.Int(i * 7919);
    INC(length, Text.Length(t));
    INC(sum, ORD(Text.GetChar(t, Text.Length(t) - 1)));
  END;
  IO.Put(Fmt.Int(length) & " " & Fmt.Int(sum) & "\n");
END Main.
