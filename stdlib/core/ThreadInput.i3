(* Waiting for input in a way that can be alerted. For the modules that read from descriptors. *)
INTERFACE ThreadInput;

FROM Thread IMPORT Alerted;

(* Waits until a read of fd, or an accept, would not wait. An alert is noticed only if there is
   nothing yet. Nothing for a negative fd. *)
PROCEDURE Await(fd: INTEGER) RAISES {Alerted};

(* The same for at most so many seconds, or without limit if seconds < 0. FALSE: there is nothing
   yet. *)
PROCEDURE AwaitFor(fd: INTEGER; seconds: LONGREAL): BOOLEAN RAISES {Alerted};

END ThreadInput.
