(* Statistics of samples that come one by one. *)
INTERFACE Stat;

IMPORT Thread, Wr;

TYPE
  T = RECORD
    num: LONGREAL;       (* of samples *)
    mean: LONGREAL;
    variance: LONGREAL;  (* the mean square of the distances from the mean *)
    maximum: REAL;
    minimum: REAL;
  END;

(* Without samples the numbers are 0, maximum is the least and minimum the greatest REAL. *)
PROCEDURE Init(VAR s: T);

(* Adds a sample. *)
PROCEDURE Accum(VAR s: T; x: REAL);

(* The statistics of the samples of both. *)
PROCEDURE Combine(READONLY r, s: T): T;

PROCEDURE Num(READONLY s: T): REAL;
PROCEDURE Max(READONLY s: T): REAL;
PROCEDURE Min(READONLY s: T): REAL;
PROCEDURE Mean(READONLY s: T): REAL;
PROCEDURE Var(READONLY s: T): REAL;
PROCEDURE SDev(READONLY s: T): REAL;  (* the root of the variance *)
PROCEDURE RMS(READONLY s: T): REAL;   (* the root of the mean square *)

(* Prints all of these figures in one line. *)
PROCEDURE Print(wr: Wr.T; READONLY s: T) RAISES {Wr.Failure, Thread.Alerted};

END Stat.
