(* The own process, and child processes. *)
INTERFACE Process;

IMPORT File, OSError, Pathname, Word;

TYPE
  T <: REFANY;  (* a child *)

(* Runs the program cmd, which is looked for along PATH if it is a single arc, with these parameters
   (the command's name is not one of them). env: the environment, elements NAME=VALUE; NIL: the own.
   wd: the working directory, from which a relative cmd counts; NIL: the own. The handles are what
   the child has as its standard files; it has none for NIL. They stay open here. *)
PROCEDURE Create(cmd: Pathname.T; READONLY params: ARRAY OF TEXT; env: REF ARRAY OF TEXT := NIL;
                 wd: Pathname.T := NIL; stdin, stdout, stderr: File.T := NIL): T
  RAISES {OSError.E};

TYPE
  (* 0 is success. The system keeps the low 8 bits; Exit makes 255 of a failure that has none. *)
  ExitCode = [0..16_7FFFFFFF];

(* Waits for the end of p, which must not be asked for again (a checked run-time error): its exit
   code, or 128 and the signal's number if a signal ended it. *)
PROCEDURE Wait(p: T): ExitCode;

(* Runs the exitors and ends the program. *)
PROCEDURE Exit(n: ExitCode := 0);

(* The same after a message, as a failure. *)
PROCEDURE Crash(msg: TEXT);

(* p will be called when the program ends, however it ends, the last registered first. *)
PROCEDURE RegisterExitor(p: PROCEDURE());

TYPE
  ID = Word.T;  (* the system's number of a process *)

CONST
  NullID: ID = 0;  (* of no process *)

(* Of a child, and of this process. *)
PROCEDURE GetID(p: T): ID;
PROCEDURE GetMyID(): ID;

(* The standard files of this process; NIL for one that is closed. *)
PROCEDURE GetStandardFileHandles(VAR stdin, stdout, stderr: File.T);

(* The directory from which relative names count, as an absolute name. *)
PROCEDURE GetWorkingDirectory(): Pathname.T RAISES {OSError.E};
PROCEDURE SetWorkingDirectory(path: Pathname.T) RAISES {OSError.E};

END Process.
