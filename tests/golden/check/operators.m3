(* golden: check *)
MODULE Main;
IMPORT Text;
EXCEPTION E;
TYPE
  R = RECORD a: INTEGER; b: CHAR := 'b' END;
  A = ARRAY [0..2] OF INTEGER;
  S = SET OF [0..9];
VAR
  n: INTEGER; x: REAL; y: LONGREAL; c: CHAR; t: TEXT; b: BOOLEAN; l: LONGINT; s: S; a: A; r: R;
  ref: REF INTEGER; any: REFANY; null: NULL; other: REF CHAR; o: ROOT; addr: ADDRESS;
BEGIN
  n := n + x;
  (* expect-error above: + does not apply to INTEGER and REAL (16) *)
  n := n / n;
  (* expect-error above: / does not apply to INTEGER and INTEGER (16) *)
  x := x DIV x;
  (* expect-error above: DIV does not apply to REAL and REAL (16) *)
  x := x + 1;
  (* expect-error above: + does not apply to REAL and INTEGER (16) *)
  x := y;
  (* expect-error above: LONGREAL is not assignable to REAL, the type of x (8.1) *)
  n := n + l;
  (* expect-error above: + does not apply to INTEGER and LONGINT (16) *)
  n := -t;
  (* expect-error above: - does not apply to TEXT (16) *)
  n := +s;
  (* expect-error above: + does not apply to Main.S (16) *)
  b := NOT n;
  (* expect-error above: the operand of NOT must be BOOLEAN, not INTEGER (14.3) *)
  b := n AND b;
  (* expect-error above: the operand of AND must be BOOLEAN, not INTEGER (14.3) *)
  b := b OR t;
  (* expect-error above: the operand of OR must be BOOLEAN, not TEXT (14.3) *)
  b := 0 <= n <= 9;
  (* expect-error above: <= does not compare BOOLEAN and INTEGER (16.4) *)
  t := t & n;
  (* expect-error above: & does not apply to TEXT and INTEGER (16) *)
  b := n = t;
  (* expect-error above: = does not compare INTEGER and TEXT (16.4) *)
  b := ref = other;
  (* expect-error above: = does not compare REF INTEGER and REF CHAR (16.4) *)
  b := ref < ref;
  (* expect-error above: < does not compare REF INTEGER and REF INTEGER (16.4) *)
  b := r < r;
  (* expect-error above: < does not compare Main.R and Main.R (16.4) *)
  b := a = a;
  b := n IN n;
  (* expect-error above: INTEGER is not a set (16.6) *)
  b := c IN s;
  (* expect-error above: CHAR is not assignable to [0..9], the element type of Main.S (8.1) *)
END Main.
