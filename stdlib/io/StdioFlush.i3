(* Lets a reader that will wait for input flush pending output first, without importing Stdio,
   which imports readers. *)
INTERFACE StdioFlush;

TYPE
  Proc = PROCEDURE ();

VAR
  (* Flushes the standard output; set by Stdio. *)
  flush: Proc := NIL;

PROCEDURE FlushOutput();

END StdioFlush.
