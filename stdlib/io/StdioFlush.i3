(* How a reader that is about to wait for input gets pending output out first, without importing
   Stdio, which imports readers. *)
INTERFACE StdioFlush;

TYPE
  Proc = PROCEDURE();

VAR
  (* Flushes the standard output; set by Stdio. *)
  flush: Proc := NIL;

PROCEDURE FlushOutput();

END StdioFlush.
