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
  (* expect-error above: Main.A has 3 elements, not 2; write the other 1 too, or ', ..' at the end to repeat the last one: A{1, 2, ..} (18.2) *)
  a := A{1, 2, 3, 4};
  (* expect-error above: Main.A has 3 elements, not 4; leave 1 element out, or give the array more elements (18.2) *)
  a := A{1, ..};
  a := A{};
  (* expect-error above: Main.A has 3 elements, not 0; write the elements (18.2) *)
  a := A{1, 2, 'c'};
  (* expect-error above: CHAR is not assignable to INTEGER, the element type of Main.A; write ORD('c') (8.1) *)
  a := A{x := 1, ..};
  (* expect-error above: only record constructors have names; write only the value (18.3) *)
  a := A{1 .. 2};
  (* expect-error above: only set constructors have ranges; the elements of an array are written one by one; ', ..' repeats the last one (18.1) *)
  s := S{1 .. 'c'};
  (* expect-error above: CHAR is not assignable to [0..9], the element type of Main.S; write ORD('c') (8.1) *)
  s := S{x := 1};
  (* expect-error above: only record constructors have names; write only the value (18.3) *)
  s := S{1, ..};
  (* expect-error above: only constructors of fixed arrays end with '..'; write all elements (18.2) *)
  r := R{};
  (* expect-error above: field a of Main.R has no default and is not given; add a := ... with a value of type INTEGER (18.3) *)
  r := R{1, 'b', 3};
  (* expect-error above: Main.R has only 2 fields; leave this value out (18.3) *)
  r := R{a := 1, a := 2};
  (* expect-error above: a is given twice (11.3) *)
  r := R{a := 1, 'b'};
  (* expect-error above: positional values come before those with names (11.3) *)
  r := R{c := 1};
  (* expect-error above: Main.R has no field c; it has a and b (15.3) *)
  r := R{a := 'c'};
  (* expect-error above: CHAR is not assignable to INTEGER, the type of field a of Main.R; write ORD('c') (8.1) *)
  r := R{1 .. 2};
  (* expect-error above: only set constructors have ranges; write each value (18.1) *)
END Main.
