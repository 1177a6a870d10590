(* golden: check, -w *)
(* INTEGER and LONGINT never mix; characters that are not in WIDECHAR (language.md 25.1, 25.2). *)
MODULE Main;
TYPE L = [0L..9L]; Mixed = [0..9L]; A = ARRAY L OF INTEGER;
(* expect-error above: the bounds are of different types, INTEGER and LONGINT (5.2) *)
VAR i: INTEGER; l: LONGINT; a: A; o: REF ARRAY OF INTEGER; s: SET OF L; w: WIDECHAR; c: CHAR; card: CARDINAL; lc: LONGCARD;
BEGIN
  l := i + 1L; i := l DIV 2; IF i = l THEN END; IF i < l THEN END; INC(i, 1L); INC(l, 1); i := MAX(i, l);
  (* expect-error above: + does not apply to INTEGER and LONGINT (16) *)
  (* expect-error above: DIV does not apply to LONGINT and INTEGER (16) *)
  (* expect-error above: = does not compare INTEGER and LONGINT (16.4) *)
  (* expect-error above: < does not compare INTEGER and LONGINT (16.4) *)
  (* expect-error above: INC needs an INTEGER, not LONGINT (17) *)
  (* expect-error above: INC needs a LONGINT, not INTEGER (17) *)
  (* expect-error above: MAX does not apply to INTEGER and LONGINT (16) *)
  a[i] := 1; o[l] := 1; IF i IN s THEN END; o := NEW(REF ARRAY OF INTEGER, l); WITH x = SUBARRAY(o^, l, 1) DO EVAL x END;
  (* expect-error above: INTEGER is not assignable to Main.L, the index type of a (8.1) *)
  (* expect-error above: LONGINT is not assignable to CARDINAL, the index type of o (8.1) *)
  (* expect-error above: INTEGER is not assignable to Main.L, the element type of SET OF Main.L (8.1) *)
  (* expect-error above: a length must be an integer, not LONGINT (5.6) *)
  (* expect-error above: LONGINT is not assignable to CARDINAL (8.1) *)
  FOR k := 0L TO 9 DO END; FOR k := 0L TO 9L BY 1 DO END; FOR k := 0 TO 9 BY 1L DO END;
  (* expect-error above: the bounds are of different types, LONGINT and INTEGER (5.2) *)
  (* expect-error above: BY of this FOR needs a LONGINT, not INTEGER (17) *)
  (* expect-error above: BY of this FOR needs an INTEGER, not LONGINT (17) *)
  CASE l OF 1 => ELSE END; card := lc; i := TRUNC(1.5, LONGINT); l := ROUND(1.5); l := ORD(i); l := NUMBER(A);
  (* expect-error above: a label of CASE is not a member of LONGINT (8.4) *)
  (* expect-error above: LONGCARD is not assignable to CARDINAL, the type of card (8.1) *)
  (* expect-error above: LONGINT is not assignable to INTEGER, the type of i (8.1) *)
  (* expect-error above: INTEGER is not assignable to LONGINT, the type of l (8.1) *)
  (* expect-error above: INTEGER is not assignable to LONGINT, the type of l (8.1) *)
  (* expect-error above: CARDINAL is not assignable to LONGINT, the type of l (8.1) *)
  l := VAL(i, LONGINT); i := VAL(l, INTEGER); i := ORD(c);
  IF c < w THEN END;
  (* expect-error above: < does not compare CHAR and WIDECHAR (16.4) *)
END Main.
