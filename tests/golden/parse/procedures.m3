(* golden: parse *)
MODULE Main;
VAR x: INTEGER;
PROCEDURE Pascal(i: INTEGER);
(* expect-error above: '=' joins a procedure's heading to its body, not ';' (2.2) *)
  VAR y: INTEGER;
  BEGIN
    y := i;
  END Pascal;
PROCEDURE Commas(i: INTEGER, c: CHAR) =
(* expect-error above: formals with types are separated by ';', not ',' (2.2) *)
  BEGIN x := i + ORD(c) END Commas;
PROCEDURE NoType(i) =
(* expect-error above: a formal needs a type or a default (2.2) *)
  BEGIN END NoType;
PROCEDURE NoParentheses =
(* expect-error above: 'NoParentheses' is not Modula-3: a procedure without formals has empty parentheses: NoParentheses() (2.2) *)
  BEGIN END NoParentheses;
VAR z;
(* expect-error above: a variable needs a type or an initial value (2.2) *)
IMPORT Text;
(* expect-error above: imports stand before all declarations; move it behind the unit's heading (2.1) *)
;
(* expect-error above: superfluous ';' (2.2) *)
BEGIN
END Main.
