(* golden: run, tenure-gc *)
(* Texts and writes of more than 2^30 characters. The text is a concatenation, and the array of zeros is never written,
   so that both take hardly any memory. *)
MODULE Main;

IMPORT FileWr, Fmt, IO, NullWr, Text, Wr;

<*FATAL ANY*>

CONST
  Many = 16_40000000 + 100;
VAR
  t := Fmt.Pad("", 1024, 'a');
  chars := NEW(REF ARRAY OF CHAR, Many);
  wr: Wr.T;
BEGIN
  FOR i := 1 TO 20 DO t := t & t END;
  t := t & "b";
  IO.Put(Fmt.Int(Text.Length(t)) & " " & Fmt.Int(Text.FindChar(t, 'b')) & " "
         & Fmt.Int(Text.FindCharR(t, 'b')) & "\n");
  IO.Put(Text.Sub(t, 16_40000000 - 2) & " " & Fmt.Char(Text.GetChar(t, 16_40000000)) & "\n");
  wr := FileWr.Open("/dev/null");
  Wr.PutString(wr, chars^);
  IO.Put(Fmt.Int(Wr.Index(wr)) & "\n");
  Wr.PutText(wr, t);
  IO.Put(Fmt.Int(Wr.Index(wr)) & "\n");
  Wr.Close(wr);
  wr := NEW(NullWr.T).init();
  Wr.PutString(wr, chars^);
  IO.Put(Fmt.Int(Wr.Index(wr)) & "\n");
END Main.
(* expect: 1073741825 1073741824 1073741824 *)
(* expect: aab b *)
(* expect: 1073741924 *)
(* expect: 2147483749 *)
(* expect: 1073741924 *)
