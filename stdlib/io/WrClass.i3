(* For modules that define a class of writers.

   The characters lo .. cur - 1 have not been sent to the target; character i is buff[st + i -
   lo]; lo <= cur <= hi, and there is room while cur < hi. Procedures of Wr put characters into
   the buffer, moving cur, call seek(cur) when they find cur = hi, and flush after each operation
   if the writer is not buffered. Methods are called with the writer locked.

   A subtype's init must set all fields, including closed := FALSE. *)
INTERFACE WrClass;

IMPORT Wr;
FROM Thread IMPORT Alerted;
FROM Wr IMPORT Failure;

TYPE
  Private <: ROOT;  (* holds the lock *)

REVEAL
  Wr.T = Private BRANDED "Wr.T" OBJECT
    buff: REF ARRAY OF CHAR := NIL;
    st: CARDINAL := 0;
    lo, hi, cur: CARDINAL := 0;
    closed: BOOLEAN := TRUE;
    seekable, buffered: BOOLEAN := FALSE;
  METHODS
    (* Sets cur = MIN(n, length) and makes room for a character there; sends characters to the
       target as needed. n = cur = hi asks for more room; any other n is used only if the writer
       is seekable. *)
    seek(n: CARDINAL) RAISES {Failure, Alerted};

    (* Puts all of a. The default method copies through the buffer. *)
    putString(READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} := PutStringDefault;

    (* The default method returns cur. *)
    length(): CARDINAL RAISES {Failure, Alerted} := LengthDefault;

    (* Sends the buffer's characters to the target. The default does nothing. *)
    flush() RAISES {Failure, Alerted} := FlushDefault;

    (* Called after flush. The default does nothing. *)
    close() RAISES {Failure, Alerted} := CloseDefault;
  END;

(* Acquire and release the writer's lock. Every operation of Wr does so. *)
PROCEDURE Lock(wr: Wr.T);
PROCEDURE Unlock(wr: Wr.T);

(* The methods of a class that does not override them. *)
PROCEDURE PutStringDefault(wr: Wr.T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted};
PROCEDURE LengthDefault(wr: Wr.T): CARDINAL;
PROCEDURE FlushDefault(wr: Wr.T);
PROCEDURE CloseDefault(wr: Wr.T);

END WrClass.
