(* golden: lex *)
MODULE Main;
CONST
  Quote = '\'';
  Octal = '\101';
  Hex = '\x41';
  Wide = W'\U01F600';
  A = '';
  (* expect-error above: a character literal needs a character; the quote itself is *)
  B = ''';
  (* expect-error above: a character literal needs a character *)
  C = 'abc';
  (* expect-error above: a character literal has one character; a text stands in double quotes *)
  D = 'x;
  (* expect-error above: this character literal is not closed in its line (1.10) *)
BEGIN
END Main.
