(* golden: check *)
MODULE Main;
EXCEPTION None; Number(INTEGER); Letter(CHAR);
TYPE R = RECORD x: INTEGER END;
CONST Origin = R{0};
VAR n: INTEGER; c: CHAR; b: BOOLEAN; t: TEXT; r: REFANY; small: [0..9]; u: UNTRACED REF INTEGER;
PROCEDURE Function(): INTEGER = BEGIN RETURN 1 END Function;
PROCEDURE Proper() = BEGIN END Proper;
PROCEDURE Record(): R = BEGIN RETURN Origin END Record;
PROCEDURE Returns(READONLY p: INTEGER; READONLY s: R) =
  BEGIN
    p := 1;
    (* expect-error above: p is readonly: p is a READONLY formal; VAR lets the procedure change the caller's variable; VALUE gives the procedure a copy (15.2) *)
    s.x := 1;
    (* expect-error above: s.x is readonly: s is a READONLY formal; VAR lets the procedure change the caller's variable; VALUE gives the procedure a copy (15.2) *)
    RETURN 1;
    (* expect-error above: Returns has no result: RETURN cannot have a value; a result needs a type behind the formals: PROCEDURE Returns(...): INTEGER (14.6) *)
  END Returns;
PROCEDURE ReturnsNot(): INTEGER =
  BEGIN
    IF b THEN RETURN END;
    (* expect-error above: RETURN needs a value: ReturnsNot has the result type INTEGER; write RETURN with a value of type INTEGER (14.6) *)
    RETURN 'x';
    (* expect-error above: CHAR is not assignable to INTEGER, the result type of ReturnsNot; write ORD('x') (8.1) *)
  END ReturnsNot;
BEGIN
  LOCK t DO n := 0 END;
  (* expect-error above: LOCK needs a MUTEX, not TEXT; a MUTEX is made by NEW(MUTEX); an object can be one: TYPE T = MUTEX OBJECT ... END (14.10) *)
  FOR i := 0 TO 'c' DO n := i END;
  (* expect-error above: the bounds are of different types, INTEGER and CHAR; write ORD('c') (5.2) *)
  FOR i := 1.0 TO 2.0 DO n := i END;
  (* expect-error above: a bound of FOR must be ordinal, not REAL; FOR counts through ordinals; WHILE can step a REAL: WHILE x <= limit DO ... x := x + step END (5.2) *)
  FOR i := 0 TO 9 BY 'c' DO n := i END;
  (* expect-error above: BY of this FOR needs an INTEGER, not CHAR; write ORD('c') (17) *)
  FOR i := 0 TO 9 DO i := n; INC(i) END;
  (* expect-error above: i is readonly: i is the variable of FOR; FOR counts by itself, also BY 2 or BY -1; WHILE lets its statements change the variable (15.2) *)
  (* expect-error above: i is readonly: i is the variable of FOR; FOR counts by itself, also BY 2 or BY -1; WHILE lets its statements change the variable (15.2) *)
  CASE t OF | 1 => n := 0 ELSE END;
  (* expect-error above: the selector of CASE must be ordinal, not TEXT; CASE has no texts; write IF Text.Equal(t, "...") THEN ... ELSIF (5.2) *)
  CASE n OF | 1, 3..5 => n := 0 | 4 => n := 1 | 'c' => n := 2 | n => n := 3 ELSE END;
  (* expect-error above: the labels of CASE overlap (14.13) *)
  (* expect-error above: a label of CASE is not a member of INTEGER; write ORD('c') (8.4) *)
  (* expect-error above: a label of CASE must be constant; IF ... THEN ... ELSIF compares with values that are computed (19.7) *)
  CASE small OF | 10 => n := 0 | 9..1 => n := 1 | 5..12 => n := 3 ELSE END;
  (* expect-error above: a label of CASE is not a member of [0..9]; the values are 0..9 (8.4) *)
  (* expect-error above: a label of CASE is not a member of [0..9]; the values are 0..9 (8.4) *)
  TYPECASE n OF | REF INTEGER => n := 0 ELSE END;
  (* expect-error above: the selector of TYPECASE must be a traced reference or an object, not INTEGER; CASE chooses by the value of an INTEGER (14.14) *)
  TYPECASE u OF | NULL => n := 0 ELSE END;
  (* expect-error above: the selector of TYPECASE must be a traced reference or an object, not UNTRACED REF INTEGER; the type of this value is always UNTRACED REF INTEGER (14.14) *)
  TYPECASE r OF | INTEGER => n := 0 | UNTRACED REF INTEGER => n := 1 | REF INTEGER, REF CHAR (x) => n := 2 ELSE END;
  (* expect-error above: INTEGER is not a subtype of REFANY; a value of type REFANY is never of this type (14.14) *)
  (* expect-error above: UNTRACED REF INTEGER is not a subtype of REFANY; a value of type REFANY is never of this type (14.14) *)
  (* expect-error above: a variable needs a single type in its arm (14.14) *)
  (* expect-warning above: x is never used *)
  INC(t);
  (* expect-error above: INC needs an ordinal variable, not TEXT; INC and DEC step integers, enumerations and CHAR (17) *)
  INC(n, 'c');
  (* expect-error above: INC needs an INTEGER, not CHAR; write ORD('c') (17) *)
  DEC(Origin.x);
  (* expect-error above: this is not a variable: Origin.x is a constant; only variables can be assigned to; VAR declares one: VAR Origin.x := ... (14.1) *)
  WITH x = n + 1 DO x := 0 END;
  (* expect-error above: x is readonly: WITH x names a value, not a variable; a copy can be changed: VAR x := ... BEGIN ... END (15.2) *)
  WITH x = n DO x := 0 END;
  WITH x = Record() DO x.x := 1 END;
  (* expect-error above: x.x is readonly: WITH x names a value, not a variable; a copy can be changed: VAR x := ... BEGIN ... END (15.2) *)
  <*ASSERT n*>
  (* expect-error above: the condition of ASSERT must be BOOLEAN, not INTEGER; write n # 0 (14.3) *)
  <*ASSERT b WITH 3*>
  (* expect-error above: INTEGER is not assignable to TEXT; write Fmt.Int(3), with IMPORT Fmt (8.1) *)
  <*DEBUG 3*>
  (* expect-error above: INTEGER is not assignable to TEXT; write Fmt.Int(3), with IMPORT Fmt (8.1) *)
END Main.
