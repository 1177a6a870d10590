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
  (* expect-error above: + does not apply to INTEGER and REAL; write FLOAT(n) (16) *)
  n := n / n;
  (* expect-error above: / does not apply to INTEGER and INTEGER; DIV divides integers: n DIV n; FLOAT(n) / FLOAT(n) keeps the fraction (16) *)
  x := x DIV x;
  (* expect-error above: DIV does not apply to REAL and REAL; / divides floating numbers: x / x (16) *)
  x := x + 1;
  (* expect-error above: + does not apply to REAL and INTEGER; write 1.0 instead of 1 (16) *)
  x := y;
  (* expect-error above: LONGREAL is not assignable to REAL, the type of x; write FLOAT(y) (8.1) *)
  n := n + l;
  (* expect-error above: + does not apply to INTEGER and LONGINT; write VAL(n, LONGINT) (16) *)
  n := -t;
  (* expect-error above: - does not apply to TEXT; - in front of an operand needs a number (16) *)
  n := +s;
  (* expect-error above: + does not apply to Main.S; + in front of an operand needs a number (16) *)
  b := NOT n;
  (* expect-error above: the operand of NOT must be BOOLEAN, not INTEGER; write n = 0, or Word.Not(n) to turn all bits over (14.3) *)
  b := n AND b;
  (* expect-error above: the operand of AND must be BOOLEAN, not INTEGER; write n # 0 (14.3) *)
  b := b OR t;
  (* expect-error above: the operand of OR must be BOOLEAN, not TEXT; write NOT Text.Empty(t) (14.3) *)
  b := 0 <= n <= 9;
  (* expect-error above: <= does not compare BOOLEAN and INTEGER; two comparisons are joined with AND: 0 <= n AND n <= 9 (16.4) *)
  t := t & n;
  (* expect-error above: & does not apply to TEXT and INTEGER; write Fmt.Int(n), with IMPORT Fmt (16) *)
  b := n = t;
  (* expect-error above: = does not compare INTEGER and TEXT; Scan.Int(t) reads a number from a text, and raises Lex.Error if there is none (16.4) *)
  b := ref = other;
  (* expect-error above: = does not compare REF INTEGER and REF CHAR; they refer to different types: expected REF CHAR, found REF INTEGER (16.4) *)
  b := ref < ref;
  (* expect-error above: < does not compare REF INTEGER and REF INTEGER; REF INTEGER has no order: only = and # compare its values (16.4) *)
  b := r < r;
  (* expect-error above: < does not compare Main.R and Main.R; Main.R has no order: only = and # compare its values; compare fields (16.4) *)
  b := a = a;
  b := n IN n;
  (* expect-error above: INTEGER is not a set (16.6) *)
  b := c IN s;
  (* expect-error above: CHAR is not assignable to [0..9], the element type of Main.S; write ORD(c) (8.1) *)
END Main.
