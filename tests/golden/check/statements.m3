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
  3 := n;
  (* expect-error above: this is not a variable: 3 is a value; only variables can be assigned to; VAR declares one: VAR 3 := ... (14.1) *)
  Origin.x := 1;
  (* expect-error above: this is not a variable: Origin.x is a constant; only variables can be assigned to; VAR declares one: VAR Origin.x := ... (14.1) *)
  Record().x := 1;
  (* expect-error above: this is not a variable: Record().x is a value; only variables can be assigned to (14.1) *)
  Function() := 1;
  (* expect-error above: this is not a variable: a call's result is a value; only variables can be assigned to (14.1) *)
  n := c;
  (* expect-error above: CHAR is not assignable to INTEGER, the type of n; write ORD(c) (8.1) *)
  n := "text";
  (* expect-error above: TEXT is not assignable to INTEGER, the type of n; Scan.Int("text") reads a number from a text, and raises Lex.Error if there is none (8.1) *)
  small := 'a';
  (* expect-error above: CHAR is not assignable to [0..9], the type of small; write ORD('a') (8.1) *)
  Function();
  (* expect-error above: the call's value is not used; EVAL discards a value (11.5) *)
  n := Proper();
  (* expect-error above: this call has no value; a procedure gives a value only if a type stands behind its formals: PROCEDURE P(...): T (11.5) *)
  EVAL Proper();
  (* expect-error above: this call has no value; a procedure gives a value only if a type stands behind its formals: PROCEDURE P(...): T (11.5) *)
  EVAL Function();
  IF n THEN n := 0 ELSIF c THEN n := 1 END;
  (* expect-error above: the condition of IF must be BOOLEAN, not INTEGER; write n # 0 (14.3) *)
  (* expect-error above: the condition of IF must be BOOLEAN, not CHAR (14.3) *)
  WHILE t DO n := 0 END;
  (* expect-error above: the condition of WHILE must be BOOLEAN, not TEXT; write NOT Text.Empty(t), with IMPORT Text (14.3) *)
  REPEAT n := 0 UNTIL n;
  (* expect-error above: the condition of UNTIL must be BOOLEAN, not INTEGER; write n # 0 (14.3) *)
  EXIT;
  (* expect-error above: EXIT is not inside a loop of this procedure (14.4) *)
  RETURN;
  (* expect-error above: RETURN is not in a procedure; the program ends at the END of the module; Process.Exit ends it earlier (14.6) *)
  LOOP
    EXIT;
  END;
END Main.
