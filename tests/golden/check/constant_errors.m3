(* golden: check *)
MODULE Main;
IMPORT Text, Word;
EXCEPTION E;
CONST
  C1 = 1 DIV 0;
  (* expect-error above: division by zero (16.1) *)
  C2 = 2 + 7 MOD 0;
  (* expect-error above: division by zero (16.1) *)
  C3 = 1.0 / 0.0;
  (* expect-error above: division by zero (16.1) *)
  C4 = ROUND(1.0E30);
  (* expect-error above: the constant is too large (16.2) *)
  C5 = 1.0E30 * 1.0E30 - 3.0;
  (* expect-error above: the constant is too large (16.2) *)
  C6 = Word.Mod(3, 0);
  (* expect-error above: division by zero (16.1) *)
  C7 = Word.Insert(0, 1, 60, 5);
  (* expect-error above: the constant is too large (16.2) *)
TYPE
  R = RECORD a: INTEGER; b: CHAR := 'b' END;
  A = ARRAY [0..2] OF INTEGER;
  S = SET OF [0..9];
VAR
  n: INTEGER; x: REAL; y: LONGREAL; c: CHAR; t: TEXT; b: BOOLEAN; l: LONGINT; s: S; a: A; r: R;
  ref: REF INTEGER; any: REFANY; null: NULL; other: REF CHAR; o: ROOT; addr: ADDRESS;
BEGIN
  n := INTEGER{1};
  (* expect-error above: INTEGER has no constructor; records, arrays and sets have constructors (18) *)
  n := 1 DIV 0;
  (* expect-warning above: division by zero: a run-time error (16.1) *)
  n := 7 MOD 0;
  (* expect-warning above: division by zero: a run-time error (16.1) *)
  n := n DIV 0;
  (* expect-warning above: division by zero: a run-time error (16.1) *)
  x := 1.0 / 0.0;
  n := 16_7FFFFFFFFFFFFFFF + 1;
  (* expect-error above: the constant is too large (16.2) *)
  n := -16_8000000000000000;
  (* expect-error above: the constant is too large (16.2) *)
  n := ABS(16_8000000000000000);
  (* expect-error above: the constant is too large (16.2) *)
  n := ROUND(1.0E30);
  (* expect-warning above: the value {1} is not in INTEGER: a run-time error (8.2) *)
  x := 1.0E30 * 1.0E30;
  n := Word.Divide(3, 0);
  (* expect-warning above: division by zero: a run-time error (16.1) *)
  n := Word.Extract(3, 60, 20);
  (* expect-warning above: the value {1} is not in [0..Word.Size]: a run-time error (8.2) *)
  c := W'\U01F600';
  (* expect-error above: this character is not in WIDECHAR (25.2) *)
  n := undeclared + undeclared;
  (* expect-error above: undeclared is not declared; declare it before BEGIN, for example VAR undeclared: INTEGER; (3.1) *)
END Main.
