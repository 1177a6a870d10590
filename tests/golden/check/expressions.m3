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
  (* expect-error above: LONGREAL is not assignable to REAL (8.1) *)
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
  (* expect-error above: CHAR is not assignable to [0..9] (8.1) *)
  n := Text;
  (* expect-error above: an interface is not a value (15.5) *)
  n := INTEGER;
  (* expect-error above: a type is not a value (15.5) *)
  n := ABS;
  (* expect-error above: the built-in operation ABS is not a value (15.5) *)
  n := E;
  (* expect-error above: an exception is not a value (15.5) *)
  n := n.x;
  (* expect-error above: a value of type INTEGER has no members (15.3) *)
  n := r.x;
  (* expect-error above: Main.R has no field x (15.3) *)
  n := o.x;
  (* expect-error above: ROOT has no field or method x that is known here (15.3) *)
  n := R.a;
  (* expect-error above: type Main.R has no members (15.3) *)
  n := n^;
  (* expect-error above: INTEGER is not a reference (15.4) *)
  any := any^;
  (* expect-error above: REFANY cannot be dereferenced (15.4) *)
  null := null^;
  (* expect-error above: NULL cannot be dereferenced (15.4) *)
  o := o^;
  (* expect-error above: ROOT cannot be dereferenced (15.4) *)
  addr := addr^;
  (* expect-error above: ADDRESS cannot be dereferenced (15.4) *)
  n := n[0];
  (* expect-error above: INTEGER is not an array (15.4) *)
  n := a['c'];
  (* expect-error above: CHAR is not assignable to [0..2] (8.1) *)
  n := a[0, 1];
  (* expect-error above: INTEGER is not an array (15.4) *)
  n := a[0][1];
  (* expect-error above: INTEGER is not an array (15.4) *)
  a := A{1, 2};
  (* expect-error above: Main.A has 3 elements, not 2 (18.2) *)
  a := A{1, 2, 3, 4};
  (* expect-error above: Main.A has 3 elements, not 4 (18.2) *)
  a := A{1, ..};
  a := A{};
  (* expect-error above: Main.A has 3 elements, not 0 (18.2) *)
  a := A{1, 2, 'c'};
  (* expect-error above: CHAR is not assignable to INTEGER (8.1) *)
  a := A{x := 1, ..};
  (* expect-error above: only record constructors have names (18.3) *)
  a := A{1 .. 2};
  (* expect-error above: only set constructors have ranges (18.1) *)
  s := S{1 .. 'c'};
  (* expect-error above: CHAR is not assignable to [0..9] (8.1) *)
  s := S{x := 1};
  (* expect-error above: only record constructors have names (18.3) *)
  s := S{1, ..};
  (* expect-error above: only constructors of fixed arrays end with '..' (18.2) *)
  r := R{};
  (* expect-error above: field a has no default and is not given (18.3) *)
  r := R{1, 'b', 3};
  (* expect-error above: Main.R has only 2 fields (18.3) *)
  r := R{a := 1, a := 2};
  (* expect-error above: a is given twice (11.3) *)
  r := R{a := 1, 'b'};
  (* expect-error above: positional values come before those with names (11.3) *)
  r := R{c := 1};
  (* expect-error above: Main.R has no field c (15.3) *)
  r := R{a := 'c'};
  (* expect-error above: CHAR is not assignable to INTEGER (8.1) *)
  r := R{1 .. 2};
  (* expect-error above: only set constructors have ranges (18.1) *)
  n := INTEGER{1};
  (* expect-error above: INTEGER has no constructor (18) *)
  n := 1 DIV 0;
  (* expect-error above: division by zero (16.1) *)
  n := 7 MOD 0;
  (* expect-error above: division by zero (16.1) *)
  n := n DIV 0;
  (* expect-warning above: division by zero: a run-time error (16.1) *)
  x := 1.0 / 0.0;
  (* expect-error above: division by zero (16.1) *)
  n := 16_7FFFFFFFFFFFFFFF + 1;
  (* expect-error above: the constant is too large (16.2) *)
  n := -16_8000000000000000;
  (* expect-error above: the constant is too large (16.2) *)
  n := ABS(16_8000000000000000);
  (* expect-error above: the constant is too large (16.2) *)
  n := ROUND(1.0E30);
  (* expect-error above: the constant is too large (16.2) *)
  x := 1.0E30 * 1.0E30;
  (* expect-error above: the constant is too large (16.2) *)
  c := W'\U01F600';
  (* expect-error above: this character is not in WIDECHAR (25.2) *)
  n := undeclared + undeclared;
  (* expect-error above: undeclared is not declared (3.1) *)
END Main.
