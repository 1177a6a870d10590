(* golden: check *)
MODULE Main;
IMPORT Thread;
TYPE A = INTEGER; A = CHAR;
(* expect-error above: A is declared twice (3.2) *)
CONST NEW = 3;
(* expect-error above: NEW is predeclared and cannot be declared again (1.2) *)
VAR a: Undeclared;
(* expect-error above: Undeclared is not declared; declare it: TYPE Undeclared = ...; or import the interface that has it (3.1) *)
VAR b: Thread;
(* expect-error above: Thread is not a type; Thread is an interface; its type is Thread.T (3.8) *)
VAR c: Thread.Alert;
(* expect-error above: Thread.Alert is not a type; Thread.Alert is a procedure; a type of procedures is written PROCEDURE (...) (3.8) *)
VAR d: Wr.T;
(* expect-error above: Wr is not declared; add IMPORT Wr (3.1) *)
VAR e := NIL;
(* expect-error above: the type of e does not follow from NIL; write the type too: VAR e: T := NIL (10.2) *)
VAR f: [1..0];
(* expect-error above: a variable cannot be of type [1..0], which is empty (5.1) *)
VAR g: ARRAY OF CHAR;
(* expect-error above: a variable cannot be an open array; write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY [0..9] OF T (5.4) *)
VAR h: A.T;
(* expect-error above: A is not an imported interface (3.8) *)
EXCEPTION Wrong(ARRAY OF INTEGER);
(* expect-error above: the argument of an exception cannot be an open array; write REF ARRAY OF T, whose length NEW(type, n) gives, or a fixed one: ARRAY [0..9] OF T (5.4) *)
PROCEDURE P(x: INTEGER; x: CHAR; VAR y: INTEGER := 3; z: {}; READONLY w: [0..9] := 10) RAISES {A} =
(* expect-error above: x is declared twice (3.2) *)
(* expect-error above: a VAR formal has no default (5.9) *)
(* expect-error above: a formal cannot be of type {}, which is empty (5.1) *)
(* expect-error above: the default of a formal is not a member of [0..9]; the values are 0..9 (8.4) *)
(* expect-error above: A is not an exception (13.1) *)
  VAR x: INTEGER;
  (* expect-error above: x is already a formal of this procedure (3.3) *)
  EXCEPTION Inner;
  (* expect-error above: an exception cannot be declared in a nested block (3.6) *)
  TYPE O <: REFANY;
  (* expect-error above: an opaque type cannot be declared in a nested block (3.6) *)
  REVEAL Thread.T <: REFANY;
  (* expect-error above: a revelation cannot be declared in a nested block (3.6) *)
  BEGIN
    a := y; c := z; d := w; e := h; b := f; g := e;
  END P;
PROCEDURE NoBody();
(* expect-error above: NoBody needs a body (3.6) *)
<*EXTERNAL*> PROCEDURE Outside();
(* expect-error above: EXTERNAL stands only in interfaces (26) *)
CONST N: [0..9] = 10;
(* expect-error above: N is not a member of [0..9]; the values are 0..9 (8.4) *)
CONST M = a;
CONST L: CARDINAL = -1;
(* expect-error above: L is not a member of CARDINAL; the values are 0..LAST(INTEGER) (8.4) *)
BEGIN
  P(1, 'a', a, b);
END Main.
