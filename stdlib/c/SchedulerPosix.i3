(* Waiting for files by descriptor and for processes, while other threads go on. *)
INTERFACE SchedulerPosix;

FROM Ctypes IMPORT int;
FROM Thread IMPORT Alerted;

TYPE
  WaitResult = {
    Ready,    (* an operation on the file would not wait *)
    Error,    (* the system cannot tell *)
    FDError,  (* the descriptor is not open *)
    Timeout}; (* the time limit was reached *)

(* Waits until a read of fd (or a write if NOT read) would not block. Waits at most
   timeoutInterval seconds if timeoutInterval is not negative. *)
PROCEDURE IOWait(fd: INTEGER; read: BOOLEAN; timeoutInterval: LONGREAL := -1.0D0): WaitResult;
PROCEDURE IOAlertWait(fd: INTEGER; read: BOOLEAN; timeoutInterval: LONGREAL := -1.0D0): WaitResult
  RAISES {Alerted};

(* Like C's waitpid without options. *)
PROCEDURE WaitProcess(pid: int; VAR status: int): int;

(* As in Scheduler. *)
PROCEDURE DisableSwitching();
PROCEDURE EnableSwitching();

END SchedulerPosix.
