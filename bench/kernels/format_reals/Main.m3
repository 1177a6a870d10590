(* Reals as texts with a fixed number of digits. Usage: Main N, the number of reals. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Text;

<*FATAL ANY*>

VAR length, sum := 0;  t: TEXT;  x := 0.001d0;
BEGIN
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    t := Fmt.LongReal(x, Fmt.Style.Fix, 6);
    INC(length, Text.Length(t));
    INC(sum, ORD(Text.GetChar(t, Text.Length(t) - 1)));
    x := x + 1.2345678d0;
  END;
  IO.Put(Fmt.Int(length) & " " & Fmt.Int(sum) & "\n");
END Main.
