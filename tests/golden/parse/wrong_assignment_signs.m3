(* golden: parse *)
MODULE Main;
CONST One := 1;
(* expect-error above: the value of a constant is written with '=', not ':=' (2) *)
VAR x: INTEGER = 3;
(* expect-error above: an initial value is written with ':=', not '=' (2) *)
PROCEDURE P(a: INTEGER = 1) =
(* expect-error above: a default is written with ':=', not '=' (2) *)
  BEGIN
    x = a;
    (* expect-error above: assignment is written ':='; '=' compares (2.3) *)
    x += a;
    (* expect-error above: '+=' is not Modula-3: write x := x + a, or INC(x, ...) (14.1) *)
    IF x := a THEN x := One END;
    (* expect-error above: a comparison is written with '=', not ':=' (2) *)
    FOR i = 1 TO 3 DO x := i END;
    (* expect-error above: the first value of a FOR loop is written with ':=', not '=' (2) *)
    WITH y := x DO y := 1 END;
    (* expect-error above: a WITH binding is written with '=', not ':=' (2) *)
  END P;
BEGIN
  P();
END Main.
