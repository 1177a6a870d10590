(* This process and child processes. *)
INTERFACE Process;

IMPORT File, OSError, Pathname, Word;

TYPE
  T <: REFANY;  (* a child *)

(* Runs the program cmd with these parameters (without the command's name). If cmd is a single
   arc, it is searched along PATH. env: the child's environment, elements NAME=VALUE; NIL: that
   of this process. wd: the child's working directory, to which a relative cmd refers; NIL: that
   of this process. The handles become the child's standard files; NIL: the child has no such
   file. They stay open in this process. *)
PROCEDURE Create(cmd: Pathname.T; READONLY params: ARRAY OF TEXT; env: REF ARRAY OF TEXT := NIL;
                 wd: Pathname.T := NIL; stdin, stdout, stderr: File.T := NIL): T
  RAISES {OSError.E};

TYPE
  (* 0 is success. The system keeps only the low 8 bits; Exit replaces a failure code whose low 8
     bits are 0 by 255. *)
  ExitCode = [0..16_7FFFFFFF];

(* Waits for the end of p and returns its exit code, or 128 plus the signal's number if a signal
   ended it. A second Wait for p is a checked run-time error. *)
PROCEDURE Wait(p: T): ExitCode;

(* Runs the exitors and ends the program. *)
PROCEDURE Exit(n: ExitCode := 0);

(* Prints the message and ends the program as a failure. *)
PROCEDURE Crash(msg: TEXT);

(* p will be called when the program ends, in whatever way; the last registered procedure is
   called first. *)
PROCEDURE RegisterExitor(p: PROCEDURE ());

TYPE
  ID = Word.T;  (* the system's number of a process *)

CONST
  NullID: ID = 0;  (* of no process *)

(* The number of a child; the number of this process. *)
PROCEDURE GetID(p: T): ID;
PROCEDURE GetMyID(): ID;

(* The standard files of this process; NIL for one that is closed. *)
PROCEDURE GetStandardFileHandles(VAR stdin, stdout, stderr: File.T);

(* The directory to which relative names refer, as an absolute name. *)
PROCEDURE GetWorkingDirectory(): Pathname.T RAISES {OSError.E};
PROCEDURE SetWorkingDirectory(path: Pathname.T) RAISES {OSError.E};

END Process.
