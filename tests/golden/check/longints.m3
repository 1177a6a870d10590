(* golden: check, -w *)
(* INTEGER and LONGINT never mix; characters that are not in WIDECHAR (language.md 25.1, 25.2). *)
MODULE Main;
TYPE L = [0L..9L]; Mixed = [0..9L]; A = ARRAY L OF INTEGER;
(* expect-error above: the bounds are of different types, INTEGER and LONGINT (5.2) *)
VAR i: INTEGER; l: LONGINT; a: A; o: REF ARRAY OF INTEGER; s: SET OF L; w: WIDECHAR; c: CHAR; card: CARDINAL; lc: LONGCARD;
BEGIN
  l := i + 1L; i := l DIV 2; IF i = l THEN END; IF i < l THEN END; INC(i, 1L); INC(l, 1); i := MAX(i, l);
  (* expect-error above: + does not apply to INTEGER and LONGINT; write 1 instead of 1L (16) *)
  (* expect-error above: DIV does not apply to LONGINT and INTEGER; write 2L instead of 2 (16) *)
  (* expect-error above: = does not compare INTEGER and LONGINT; write VAL(i, LONGINT) (16.4) *)
  (* expect-error above: < does not compare INTEGER and LONGINT; write VAL(i, LONGINT) (16.4) *)
  (* expect-error above: INC needs an INTEGER, not LONGINT; write 1 instead of 1L (17) *)
  (* expect-error above: INC needs a LONGINT, not INTEGER; write 1L instead of 1 (17) *)
  (* expect-error above: MAX does not apply to INTEGER and LONGINT; write VAL(i, LONGINT) (16) *)
  a[i] := 1; o[l] := 1; IF i IN s THEN END; o := NEW(REF ARRAY OF INTEGER, l); WITH x = SUBARRAY(o^, l, 1) DO EVAL x END;
  (* expect-error above: INTEGER is not assignable to Main.L, the index type of a; write VAL(i, LONGINT) (8.1) *)
  (* expect-error above: LONGINT is not assignable to CARDINAL, the index type of o; write VAL(l, INTEGER) (8.1) *)
  (* expect-error above: INTEGER is not assignable to Main.L, the element type of SET OF Main.L; write VAL(i, LONGINT) (8.1) *)
  (* expect-error above: a length must be an integer, not LONGINT; write VAL(l, INTEGER) (5.6) *)
  (* expect-error above: LONGINT is not assignable to CARDINAL; write VAL(l, INTEGER) (8.1) *)
  FOR k := 0L TO 9 DO END; FOR k := 0L TO 9L BY 1 DO END; FOR k := 0 TO 9 BY 1L DO END;
  (* expect-error above: the bounds are of different types, LONGINT and INTEGER; write 9L instead of 9 (5.2) *)
  (* expect-error above: BY of this FOR needs a LONGINT, not INTEGER; write 1L instead of 1 (17) *)
  (* expect-error above: BY of this FOR needs an INTEGER, not LONGINT; write 1 instead of 1L (17) *)
  CASE l OF 1 => ELSE END; card := lc; i := TRUNC(1.5, LONGINT); l := ROUND(1.5); l := ORD(i); l := NUMBER(A);
  (* expect-error above: a label of CASE is not a member of LONGINT; write 1L instead of 1 (8.4) *)
  (* expect-error above: LONGCARD is not assignable to CARDINAL, the type of card; write VAL(lc, INTEGER) (8.1) *)
  (* expect-error above: LONGINT is not assignable to INTEGER, the type of i; write VAL(TRUNC(1.5, LONGINT), INTEGER) (8.1) *)
  (* expect-error above: INTEGER is not assignable to LONGINT, the type of l; write VAL(ROUND(1.5), LONGINT) (8.1) *)
  (* expect-error above: INTEGER is not assignable to LONGINT, the type of l; write VAL(ORD(i), LONGINT) (8.1) *)
  (* expect-error above: CARDINAL is not assignable to LONGINT, the type of l; write VAL(NUMBER(A), LONGINT) (8.1) *)
  l := VAL(i, LONGINT); i := VAL(l, INTEGER); i := ORD(c);
  IF c < w THEN END;
  (* expect-error above: < does not compare CHAR and WIDECHAR (16.4) *)
END Main.
