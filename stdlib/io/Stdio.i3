(* The standard streams. What is in their buffers is written when the program ends, however it ends,
   and stdout also before a reader waits for input. *)
INTERFACE Stdio;

IMPORT Rd, Wr;

VAR (*CONST*)
  stdin: Rd.T;
  stdout: Wr.T;
  stderr: Wr.T;          (* not buffered *)
  bufferedStderr: Wr.T;  (* use this one or stderr, not both *)

END Stdio.
