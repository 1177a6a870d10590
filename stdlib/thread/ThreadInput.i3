(* Waiting for input in a way that can be alerted. For the modules that read from descriptors. *)
INTERFACE ThreadInput;

FROM Thread IMPORT Alerted;

(* Waits until a read of fd, or an accept, would not wait. An alert is noticed only if there is
   nothing yet. Nothing for a negative fd. *)
PROCEDURE Await(fd: INTEGER) RAISES {Alerted};

(* The same for at most so many seconds, or without limit if seconds < 0. FALSE: there is nothing
   yet. *)
PROCEDURE AwaitFor(fd: INTEGER; seconds: LONGREAL): BOOLEAN RAISES {Alerted};

TYPE
  State = {
    Waits,    (* an operation would wait *)
    Ready,    (* it would not: something is there, or it fails at once *)
    Unknown,  (* the system cannot tell *)
    NoFile};  (* fd is no open file *)

(* The same for input or, with output, for a write. An alert ends the wait only if alertable; else it
   stays for later. *)
PROCEDURE AwaitFile(fd: INTEGER; output: BOOLEAN; seconds: LONGREAL; alertable: BOOLEAN): State
  RAISES {Alerted};

END ThreadInput.
