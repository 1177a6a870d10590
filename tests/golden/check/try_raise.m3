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
  RAISE n;
  (* expect-error above: n is not an exception (13.1) *)
  RAISE None(1);
  (* expect-warning above: Main.None may be raised here and is neither handled nor in the raises set; handle it with TRY ... EXCEPT (13.3) *)
  (* expect-error above: Main.None has no argument; an argument needs a type: EXCEPTION None(INTEGER); without it: RAISE None (13.2) *)
  RAISE Number;
  (* expect-warning above: Main.Number may be raised here and is neither handled nor in the raises set; handle it with TRY ... EXCEPT (13.3) *)
  (* expect-error above: Main.Number needs an argument of type INTEGER; write RAISE Number(...) with a value of type INTEGER (13.2) *)
  RAISE Number('x');
  (* expect-warning above: Main.Number may be raised here and is neither handled nor in the raises set; handle it with TRY ... EXCEPT (13.3) *)
  (* expect-error above: CHAR is not assignable to INTEGER, the argument type of Main.Number; write ORD('x') (8.1) *)
  TRY
  (* expect-warning above: this statement is never reached *)
    Proper();
  EXCEPT
  | None => n := 1;
  | None => n := 2;
  (* expect-error above: Main.None has a handler already (14.8) *)
  | Number, Letter (x) => n := x;
  (* expect-error above: the exceptions of this handler have different argument types; give each of these exceptions a handler of its own, separated by | (14.8) *)
  | Undeclared => n := 3;
  (* expect-error above: Undeclared is not declared; declare it: EXCEPTION Undeclared; or import the interface that has it (3.1) *)
  END;
  TRY
    Proper();
  EXCEPT
  | None (x) => n := x;
  (* expect-error above: Main.None has no argument; write the handler without (x) (14.8) *)
  END;
END Main.
