(* golden: run, -w *)
(* VAL of a constant that is not in the type is a run-time error like any other (language.md 8.2). *)
MODULE Main;
IMPORT IO, RuntimeError, Fmt;
TYPE D = {a, b, c}; S = [D.b..D.c];
VAR d: D; n := 0; ch: CHAR;
PROCEDURE T(k: INTEGER) =
  BEGIN
    TRY CASE k OF 0 => d := VAL(7, D) | 1 => d := VAL(0, S) | 2 => ch := VAL(256, CHAR) | 3 => n := VAL(-1, CARDINAL) | 4 => ch := VAL(65, CHAR) ELSE n := VAL(3L, [0..2]) END; IO.Put("no error " & Fmt.Int(k) & "\n")
    EXCEPT RuntimeError.E(e) => IO.Put(RuntimeError.Tag(e) & "\n") END
  END T;
BEGIN FOR i := 0 TO 5 DO T(i) END END Main.
(* expect: value out of range *)
(* expect: value out of range *)
(* expect: value out of range *)
(* expect: value out of range *)
(* expect: no error 4 *)
(* expect: value out of range *)
