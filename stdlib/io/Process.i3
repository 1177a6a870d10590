(* The own process. Child processes are not there yet. *)
INTERFACE Process;

IMPORT File, OSError, Pathname, Word;

TYPE
  ExitCode = [0..16_7FFFFFFF];  (* 0 is success; the system keeps the low 8 bits *)

(* Runs the exitors and ends the program. *)
PROCEDURE Exit(n: ExitCode := 0);

(* The same after a message, as a failure. *)
PROCEDURE Crash(msg: TEXT);

TYPE
  Exitor = PROCEDURE();

(* p will be called when the program ends, however it ends, the last registered first. *)
PROCEDURE RegisterExitor(p: Exitor);

TYPE
  ID = Word.T;

CONST
  NullID: ID = 0;  (* of no process *)

PROCEDURE GetMyID(): ID;

PROCEDURE GetStandardFileHandles(VAR stdin, stdout, stderr: File.T);

PROCEDURE GetWorkingDirectory(): Pathname.T RAISES {OSError.E};
PROCEDURE SetWorkingDirectory(path: Pathname.T) RAISES {OSError.E};

END Process.
