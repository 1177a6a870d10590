(* golden: lex *)
MODULE Main;
<*PRAGMA HINT, LOOK*>
<*PRAGMA 3*>
(* expect-error above: malformed PRAGMA pragma: expected words separated by commas (26) *)
<*LINE "Other.m3"*>
(* expect-error above: malformed LINE pragma: expected a line number *)
<* *>
(* expect-error above: a pragma begins with a word (26) *)
<*HINT not a 'token in here*>
<*FROB whatever*>
(* expect-warning above: unknown pragma FROB is ignored (1.7) *)
<*LAZYALIGN*>
(* expect-warning above: pragma LAZYALIGN is not supported and has no effect (26) *)
<*NOWARN*> <*FROB*>
BEGIN
END Main.
