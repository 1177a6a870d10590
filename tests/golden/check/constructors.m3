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
  a := A{1, 2};
  (* expect-error above: Main.A has 3 elements, not 2 (18.2) *)
  a := A{1, 2, 3, 4};
  (* expect-error above: Main.A has 3 elements, not 4 (18.2) *)
  a := A{1, ..};
  a := A{};
  (* expect-error above: Main.A has 3 elements, not 0 (18.2) *)
  a := A{1, 2, 'c'};
  (* expect-error above: CHAR is not assignable to INTEGER, the element type of Main.A (8.1) *)
  a := A{x := 1, ..};
  (* expect-error above: only record constructors have names (18.3) *)
  a := A{1 .. 2};
  (* expect-error above: only set constructors have ranges (18.1) *)
  s := S{1 .. 'c'};
  (* expect-error above: CHAR is not assignable to [0..9], the element type of Main.S (8.1) *)
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
  (* expect-error above: CHAR is not assignable to INTEGER, the type of field a of Main.R (8.1) *)
  r := R{1 .. 2};
  (* expect-error above: only set constructors have ranges (18.1) *)
END Main.
