(* golden: lex *)
MODULE Main;
CONST
  Half = 0.5;
  Small = 1.0E-2;
  Big = 1.0d300;
  Bigger = 2.5X+10;
  A = 1.;
  (* expect-error above: a digit must follow the point of a real number (1.9) *)
  B = .5;
  (* expect-error above: a digit must stand before the point of a real number (1.9) *)
  C = 1.0E;
  (* expect-error above: digits must follow the exponent letter 'E' (1.9) *)
  D = 1.0E39;
  (* expect-error above: 1.0E39 is too large for REAL (1.9) *)
  E = 1.0d309;
  (* expect-error above: 1.0d309 is too large for LONGREAL (1.9) *)
BEGIN
END Main.
