(* golden: run, @M3paranoidgc *)
(* An array is empty if one of its dimensions is, however long the others are. *)
MODULE Main;

IMPORT Fmt, IO, RTCollector;

TYPE
  A2 = REF ARRAY OF ARRAY OF INTEGER;
  A3 = REF ARRAY OF ARRAY OF ARRAY OF CHAR;

VAR
  a := NEW(A2, 100000, 0);
  b := NEW(A3, LAST(INTEGER), 0, LAST(INTEGER));
  c := NEW(A3, LAST(INTEGER), LAST(INTEGER), 0);
BEGIN
  RTCollector.Collect();
  IO.Put(Fmt.Int(NUMBER(a^)) & " " & Fmt.Int(NUMBER(a[99999])) & " " & Fmt.Int(NUMBER(b[7])) & " "
         & Fmt.Bool(NUMBER(c^) = LAST(INTEGER)) & "\n");
  (* expect: 100000 0 0 TRUE *)
END Main.
