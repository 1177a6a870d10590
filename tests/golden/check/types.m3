(* golden: check *)
MODULE Main;
CONST Count = 3.0;
VAR n := 3;
TYPE
  A = ARRAY REAL OF INTEGER;
  (* expect-error above: the index of an array must be ordinal, not REAL; the index is a range or an enumeration: ARRAY [0..9] OF T (5.2) *)
  B = ARRAY [0..3] OF ARRAY OF INTEGER;
  (* expect-error above: an element of a fixed array cannot be an open array (5.4) *)
  C = SET OF TEXT;
  (* expect-error above: the element of a set must be ordinal, not TEXT; sets hold integers of a range, enumerations or characters; the library's generic Set keeps values of other types (5.2) *)
  D = SET OF INTEGER;
  (* expect-error above: this set is too large; give the elements a range: SET OF [0..255] (5.7) *)
  E = [1..n];
  (* expect-error above: the bound of a subrange must be constant; the length of an array can be computed only for NEW: NEW(REF ARRAY OF T, n) (19.7) *)
  F = ['a'..10];
  (* expect-error above: the bounds are of different types, CHAR and INTEGER (5.2) *)
  G = [1.0..2.0];
  (* expect-error above: the bound of a subrange must be ordinal, not REAL; only integers, enumerations and characters have subranges (5.2) *)
  H = BITS 3 FOR [0..9];
  (* expect-error above: 3 bits do not fit [0..9], which needs 4 (5.6) *)
  I = BITS 70 FOR [0..9];
  (* expect-error above: 70 bits do not fit [0..9], which needs 4 (5.6) *)
  J = BITS n FOR INTEGER;
  (* expect-error above: the number of bits must be constant (19.7) *)
  K = BITS Count FOR BOOLEAN;
  (* expect-error above: the number of bits must be an integer, not REAL (5.6) *)
  L = BITS 8 FOR ARRAY OF CHAR;
  (* expect-error above: the base of a packed type cannot be an open array (5.4) *)
  M = ARRAY INTEGER OF CHAR;
  (* expect-error above: this array is too large (5.7) *)
  N = RECORD a: INTEGER; a: CHAR; b: ARRAY OF CHAR; c: [2..1]; d: [0..3] := 4; e := NIL END;
  (* expect-error above: a occurs twice in this type (5.10) *)
  (* expect-error above: a field cannot be an open array; write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY [0..9] OF T (5.4) *)
  (* expect-error above: a field cannot be of type [2..1], which is empty (5.1) *)
  (* expect-error above: the default of a field is not a member of [0..3]; the values are 0..3 (8.4) *)
  (* expect-error above: the type of the default of a field does not follow from NIL (10.2) *)
  O = {one, two, one};
  (* expect-error above: one is declared twice (3.2) *)
  P = BRANDED 3 REF INTEGER;
  (* expect-error above: a brand is a TEXT constant, not INTEGER (5.8) *)
  Q = UNTRACED REF TEXT;
  (* expect-error above: in a safe unit an untraced reference cannot refer to TEXT, which is traced (5.8) *)
  R = UNTRACED ROOT OBJECT name: TEXT END;
  (* expect-error above: in a safe unit an untraced object cannot have the traced field name (5.10) *)
  S = PROCEDURE (): ARRAY OF CHAR;
  (* expect-error above: a result cannot be an open array; write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY [0..9] OF T (5.4) *)
  T = BITS 4 FOR [0..9];
VAR x: RECORD a, b: T END;
PROCEDURE Set(VAR t: T) = BEGIN t := 1 END Set;
BEGIN
  Set(x.a);
  (* expect-error above: formal t of Set is VAR, and this variable is packed; copy it to a variable, call, and copy it back (11.4) *)
END Main.
