(* golden: run *)
MODULE Main;

IMPORT IO, Text;

VAR t := "abc";

BEGIN
  IO.PutChar(Text.GetChar(t, 2));
  IO.Put("\n");
  IO.PutChar(Text.GetChar(t, 3));
END Main.
(* expect: c *)
(* expect-status: 4 *)
(* expect-stderr: *** run-time error: SubscriptOutOfRange *)
