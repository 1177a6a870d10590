(* golden: run, -w *)
(* EXTERNAL procedures take C's types. *)
(* unit: C.i3 *)
UNSAFE INTERFACE C;
<*EXTERNAL*> PROCEDURE abs(n: Int): Int;
<*EXTERNAL*> PROCEDURE labs(n: INTEGER): INTEGER;
<*EXTERNAL "toupper"*> PROCEDURE ToUpper(c: Int): Int;
<*EXTERNAL*> PROCEDURE sqrt(x: LONGREAL): LONGREAL;
<*EXTERNAL*> PROCEDURE fabsf(x: REAL): REAL;
<*EXTERNAL*> PROCEDURE strlen(s: ADDRESS): INTEGER;
TYPE Int = [-16_7FFFFFFF - 1 .. 16_7FFFFFFF];
END C.
(* unit: Main.m3 *)
UNSAFE MODULE Main;
IMPORT C, IO, Fmt;
TYPE F = PROCEDURE (n: C.Int): C.Int;
VAR f: F := C.abs;  s := ARRAY [0..4] OF CHAR{'a', 'b', 'c', '\000', 'd'};  n := -40;

PROCEDURE Apply(f: F; n: INTEGER): INTEGER = BEGIN RETURN f(n) END Apply;

BEGIN
  IO.PutInt(C.abs(n)); IO.Put(" ");
  IO.PutInt(C.labs(FIRST(INTEGER) + 1)); IO.Put(" ");
  IO.PutInt(f(-7)); IO.Put(" ");
  IO.PutInt(Apply(C.ToUpper, ORD('q'))); IO.Put(" ");
  IO.Put(Fmt.LongReal(C.sqrt(2.25d0)) & " " & Fmt.Real(C.fabsf(-0.5)) & " ");
  IO.PutInt(C.strlen(ADR(s))); IO.Put("\n");
END Main.
(* expect: 40 9223372036854775807 7 81 1.5 0.5 3 *)
