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
    (* expect-error above: p is readonly (15.2) *)
    s.x := 1;
    (* expect-error above: s.x is readonly (15.2) *)
    RETURN 1;
    (* expect-error above: Returns has no result: RETURN cannot have a value (14.6) *)
  END Returns;
PROCEDURE ReturnsNot(): INTEGER =
  BEGIN
    IF b THEN RETURN END;
    (* expect-error above: RETURN needs a value: ReturnsNot has a result (14.6) *)
    RETURN 'x';
    (* expect-error above: CHAR is not assignable to INTEGER, the result type of ReturnsNot (8.1) *)
  END ReturnsNot;
BEGIN
  LOCK t DO n := 0 END;
  (* expect-error above: LOCK needs a MUTEX, not TEXT (14.10) *)
  FOR i := 0 TO 'c' DO n := i END;
  (* expect-error above: the bounds are of different types, INTEGER and CHAR (5.2) *)
  FOR i := 1.0 TO 2.0 DO n := i END;
  (* expect-error above: a bound of FOR must be ordinal, not REAL (5.2) *)
  (* expect-error above: a bound of FOR must be ordinal, not REAL (5.2) *)
  FOR i := 0 TO 9 BY 'c' DO n := i END;
  (* expect-error above: BY of this FOR needs an INTEGER, not CHAR (17) *)
  FOR i := 0 TO 9 DO i := n; INC(i) END;
  (* expect-error above: i is readonly (15.2) *)
  (* expect-error above: i is readonly (15.2) *)
  CASE t OF | 1 => n := 0 ELSE END;
  (* expect-error above: the selector of CASE must be ordinal, not TEXT (5.2) *)
  CASE n OF | 1, 3..5 => n := 0 | 4 => n := 1 | 'c' => n := 2 | n => n := 3 ELSE END;
  (* expect-error above: the labels of CASE overlap (14.13) *)
  (* expect-error above: a label of CASE is not a member of INTEGER (8.4) *)
  (* expect-error above: a label of CASE must be constant (19.7) *)
  CASE small OF | 10 => n := 0 | 9..1 => n := 1 | 5..12 => n := 3 ELSE END;
  (* expect-error above: a label of CASE is not a member of [0..9] (8.4) *)
  (* expect-error above: a label of CASE is not a member of [0..9] (8.4) *)
  TYPECASE n OF | REF INTEGER => n := 0 ELSE END;
  (* expect-error above: the selector of TYPECASE must be a traced reference or an object, not INTEGER (14.14) *)
  TYPECASE u OF | NULL => n := 0 ELSE END;
  (* expect-error above: the selector of TYPECASE must be a traced reference or an object, not UNTRACED REF INTEGER (14.14) *)
  TYPECASE r OF | INTEGER => n := 0 | UNTRACED REF INTEGER => n := 1 | REF INTEGER, REF CHAR (x) => n := 2 ELSE END;
  (* expect-error above: INTEGER is not a subtype of REFANY (14.14) *)
  (* expect-error above: UNTRACED REF INTEGER is not a subtype of REFANY (14.14) *)
  (* expect-error above: a variable needs a single type in its arm (14.14) *)
  (* expect-warning above: x is never used *)
  INC(t);
  (* expect-error above: INC needs an ordinal variable, not TEXT (17) *)
  INC(n, 'c');
  (* expect-error above: INC needs an INTEGER, not CHAR (17) *)
  DEC(Origin.x);
  (* expect-error above: this is not a variable (14.1) *)
  WITH x = n + 1 DO x := 0 END;
  (* expect-error above: x is readonly (15.2) *)
  WITH x = n DO x := 0 END;
  WITH x = Record() DO x.x := 1 END;
  (* expect-error above: x.x is readonly (15.2) *)
  <*ASSERT n*>
  (* expect-error above: the condition of ASSERT must be BOOLEAN, not INTEGER (14.3) *)
  <*ASSERT b WITH 3*>
  (* expect-error above: INTEGER is not assignable to TEXT (8.1) *)
  <*DEBUG 3*>
  (* expect-error above: INTEGER is not assignable to TEXT (8.1) *)
END Main.
