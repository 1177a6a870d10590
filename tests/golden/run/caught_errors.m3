(* golden: run, -w *)
(* A program can handle checked run-time errors, traps included, as exceptions. *)
MODULE Main;

IMPORT IO, RuntimeError;

EXCEPTION Mine;

TYPE
  Node = REF RECORD value: INTEGER; next: Node END;
  A = OBJECT METHODS m() END;
  B = A OBJECT END;
  Huge = REF ARRAY [0..99999] OF INTEGER;

PROCEDURE Function(n: INTEGER): INTEGER =
  BEGIN
    IF n > 0 THEN RETURN n END;
  END Function;

PROCEDURE Blocked() RAISES {} =
  BEGIN
    <*NOWARN*> RAISE Mine;
  END Blocked;

VAR global: PROCEDURE ();

PROCEDURE Local() =
  PROCEDURE Inner() = BEGIN END Inner;
  BEGIN
    global := Inner;
  END Local;

PROCEDURE Deep(VAR up: INTEGER; n: INTEGER) =
  VAR here := n;
  BEGIN
    Deep(here, n + 1);
    up := up + here;
  END Deep;

PROCEDURE Set(VAR n: INTEGER) =
  BEGIN
    n := 1;
  END Set;

PROCEDURE Do(n: INTEGER) =
  VAR
    node: Node;  small: [0..9];  v: ARRAY [1..5] OF INTEGER;  a: A := NEW(A);  b: B;  huge: Huge;
    open := NEW(REF ARRAY OF INTEGER, 3);  zero := 0;  p: PROCEDURE ();  t: TEXT;  r: REFANY;
  BEGIN
    CASE n OF
    | 0 => small := n - 1;
    | 1 => v[n + 5] := 1;
    | 2 => node.value := 1;
    | 3 => node := node.next;
           IO.PutInt(node.value);
    | 4 => b := a;
    | 5 => zero := n DIV zero;
    | 6 => zero := Function(0);
    | 7 => CASE zero OF 1 => END;
    | 8 => TYPECASE a OF B => END;
    | 9 => SUBARRAY(v, 0, 2) := open^;
    | 10 => Blocked();
    | 11 => Local();
    | 12 => p();
    | 13 => a.m();
    | 14 => a := NIL; a.m();
    | 15 => huge[n * 5000] := 1;
    | 16 => open[3] := 1;
    | 17 => open := NEW(REF ARRAY OF INTEGER, zero - 1);
    | 18 => WITH s = SUBARRAY(open^, 2, 2) DO s[0] := 1 END;
    | 19 => <*ASSERT zero = 1*>
    | 20 => t := "a" & t;
    | 21 => small := 9; INC(small);
    | 22 => Deep(zero, 0);
    | 23 => open := NIL; open[0] := 1;
    | 24 => zero := ORD(VAL(n * 20, CHAR));
    | 25 => zero := TRUNC(FLOAT(n) * 1.0E18);
    | 26 => r := node; node := r; Set(node.value);
    | 27 => zero := zero MOD zero;
    | 28 => r := a; t := r;
    ELSE
    END;
  END Do;

VAR done := 0;

BEGIN
  FOR i := 0 TO 29 DO
    TRY
      IO.PutInt(i);
      IO.Put(" ");
      Do(i);
      IO.Put("went on\n");
    EXCEPT
      RuntimeError.E(e) => IO.Put(RuntimeError.Tag(e) & "\n");
    END;
    INC(done);
  END;
  IO.PutInt(done);
  IO.Put("\n");
END Main.
(* expect: 0 value out of range *)
(* expect: 1 subscript out of range *)
(* expect: 2 dereference of NIL or of a bad address *)
(* expect: 3 dereference of NIL or of a bad address *)
(* expect: 4 object is not of the required type *)
(* expect: 5 integer division by zero *)
(* expect: 6 function procedure ended without RETURN *)
(* expect: 7 no label of CASE matches *)
(* expect: 8 no type of TYPECASE matches *)
(* expect: 9 arrays have different shapes *)
(* expect: 10 exception is not in the procedure's raises set *)
(* expect: 11 object is not of the required type *)
(* expect: 12 dereference of NIL or of a bad address *)
(* expect: 13 call of a NIL method *)
(* expect: 14 dereference of NIL or of a bad address *)
(* expect: 15 dereference of NIL or of a bad address *)
(* expect: 16 subscript out of range *)
(* expect: 17 value out of range *)
(* expect: 18 value out of range *)
(* expect: 19 assertion failed *)
(* expect: 20 dereference of NIL or of a bad address *)
(* expect: 21 value out of range *)
(* expect: 22 stack overflow *)
(* expect: 23 dereference of NIL or of a bad address *)
(* expect: 24 value out of range *)
(* expect: 25 value out of range *)
(* expect: 26 dereference of NIL or of a bad address *)
(* expect: 27 integer division by zero *)
(* expect: 28 object is not of the required type *)
(* expect: 29 went on *)
(* expect: 30 *)
