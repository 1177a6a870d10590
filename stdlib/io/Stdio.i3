(* The standard streams. What is in their buffers is written when the program ends, however it ends,
   and stdout also before a reader waits for input. If stdout cannot be written at the end, the
   program says so on the standard error, unless nobody reads a pipe any more, and its status is 1
   where it would be 0. *)
INTERFACE Stdio;

IMPORT Rd, Wr;

VAR (*CONST*)
  stdin: Rd.T;
  stdout: Wr.T;
  stderr: Wr.T;          (* not buffered *)
  bufferedStderr: Wr.T;  (* use this one or stderr, not both *)

END Stdio.
