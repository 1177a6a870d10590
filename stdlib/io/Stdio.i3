(* The standard streams. Their buffers are written when the program ends, in whatever way; stdout
   is also flushed before a reader waits for input. If stdout cannot be written at the end, the
   program prints a message on the standard error (unless stdout is a pipe without a reader), and
   its exit status is 1 instead of 0. *)
INTERFACE Stdio;

IMPORT Rd, Wr;

VAR (*CONST*)
  stdin: Rd.T;
  stdout: Wr.T;
  stderr: Wr.T;          (* not buffered *)
  bufferedStderr: Wr.T;  (* use either this writer or stderr, not both *)

END Stdio.
