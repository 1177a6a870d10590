(* golden: lex *)
MODULE Main;
CONST
  Empty = "";
  Escapes = "\n\t\r\f\\\'\"\101\x41";
  Wide = W"\000101\x0041\U01F600";
  A = "\0";
  (* expect-error above: the escape \0 takes exactly 3 octal digits (1.10) *)
  B = "\q";
  (* expect-error above: '\q' is not an escape (1.10) *)
  C = "\x4";
  (* expect-error above: the escape \x4 takes exactly 2 hexadecimal digits (1.10) *)
  D = "\777";
  (* expect-error above: the escape \777 is larger than 8_377 (1.10) *)
  E = W"\U110000";
  (* expect-error above: the escape \U110000 is larger than 16_10FFFF (1.10) *)
  F = W"\101";
  (* expect-error above: the escape \101 takes exactly 6 octal digits (1.10) *)
  G = "not closed;
  (* expect-error above: this text literal is not closed in its line; \n stands for the end of a line, & joins texts of several lines (1.10) *)
BEGIN
END Main.
