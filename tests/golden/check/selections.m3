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
  n := Text;
  (* expect-error above: an interface is not a value; name something of it: Text.Name (15.5) *)
  n := INTEGER;
  (* expect-error above: a type is not a value; a value of type INTEGER is needed here (15.5) *)
  n := ABS;
  (* expect-error above: the built-in operation ABS is not a value; call it: ABS(number) (15.5) *)
  n := E;
  (* expect-error above: an exception is not a value; RAISE raises it, and TRY ... EXCEPT handles it (15.5) *)
  n := n.x;
  (* expect-error above: a value of type INTEGER has no members; operations on it are procedures: write P(n) (15.3) *)
  n := r.x;
  (* expect-error above: Main.R has no field x; it has a and b (15.3) *)
  n := o.x;
  (* expect-error above: ROOT has no field or method x that is known here; it has no members at all (15.3) *)
  n := R.a;
  (* expect-error above: type Main.R has no members (15.3) *)
  n := n^;
  (* expect-error above: INTEGER is not a reference; write it without ^ (15.4) *)
  any := any^;
  (* expect-error above: REFANY cannot be dereferenced; NARROW(any, T)^ looks at it as a T (15.4) *)
  null := null^;
  (* expect-error above: NULL cannot be dereferenced; NARROW(null, T)^ looks at it as a T (15.4) *)
  o := o^;
  (* expect-error above: ROOT cannot be dereferenced; an object needs no ^: its fields are selected with . (15.4) *)
  addr := addr^;
  (* expect-error above: ADDRESS cannot be dereferenced; NARROW(addr, T)^ looks at it as a T (15.4) *)
  n := n[0];
  (* expect-error above: INTEGER is not an array (15.4) *)
  n := a['c'];
  (* expect-error above: CHAR is not assignable to [0..2], the index type of a; write ORD('c') (8.1) *)
  n := a[0, 1];
  (* expect-error above: INTEGER is not an array; the array has fewer dimensions than subscripts are written here (15.4) *)
  n := a[0][1];
  (* expect-error above: INTEGER is not an array; the array has fewer dimensions than subscripts are written here (15.4) *)
END Main.
