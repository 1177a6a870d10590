(* golden: parse *)
MODULE Main;
TYPE A = ARRAY [0..3] OF INTEGER;
VAR x: INTEGER; b: BOOLEAN; a: A; s: SET OF [0..9];
BEGIN
  x := ;
  (* expect-error above: expected an expression, found ';' (2.5) *)
  x := x + * 2;
  (* expect-error above: expected an expression, found '*' (2.5) *)
  x + 1;
  (* expect-error above: a value alone is not a statement; EVAL discards a value (2.3) *)
  x x := 1;
  (* expect-error above: expected ':=' or '(', found identifier x (2.3) *)
  s := {1, 2};
  (* expect-error above: a constructor begins with its type: T{...} (2.5) *)
  x := REF INTEGER;
  (* expect-error above: a type is not a value (2.5) *)
  a := A(x){1, 2};
  (* expect-error above: only a type can stand before the braces of a constructor (2.5) *)
  a := A{..};
  (* expect-error above: '..' follows the last element of an array constructor and a comma (2.5) *)
  a := A{1, 2 ..};
  (* expect-error above: '..' follows the last element of an array constructor and a comma (2.5) *)
  b := b = NOT b;
  (* expect-error above: NOT binds weaker than this operator: write (NOT ...) (2.5) *)
  x := a.[1];
  (* expect-error above: expected a name after '.', found '[' (2.5) *)
END Main.
