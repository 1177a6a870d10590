(* Alertable waits for input, for the modules that read from descriptors. *)
INTERFACE ThreadInput;

FROM Thread IMPORT Alerted;

(* Waits until a read of fd, or an accept, would not block. An alert is noticed only if no input
   has arrived. Does nothing for a negative fd. *)
PROCEDURE Await(fd: INTEGER) RAISES {Alerted};

(* The same for at most `seconds` seconds, without limit if seconds < 0. FALSE: no input has
   arrived. *)
PROCEDURE AwaitFor(fd: INTEGER; seconds: LONGREAL): BOOLEAN RAISES {Alerted};

TYPE
  State = {
    Waits,    (* an operation would block *)
    Ready,    (* an operation would not block: input is there, or it fails at once *)
    Unknown,  (* the system cannot tell *)
    NoFile};  (* fd is not open *)

(* The same for input or, with output, for a write. An alert ends the wait only if alertable; else it
   stays for later. *)
PROCEDURE AwaitFile(fd: INTEGER; output: BOOLEAN; seconds: LONGREAL; alertable: BOOLEAN): State
  RAISES {Alerted};

END ThreadInput.
