(* For those who make a kind of writer.

   Characters lo .. cur - 1 that have not been sent on are at buff[st + i - lo]; lo <= cur <= hi,
   and while cur < hi there is room. Procedures of Wr put characters into the buffer, moving cur,
   call seek(cur) when they find cur = hi, and flush after each operation if the writer is not
   buffered. Methods are called with the writer locked.

   A subtype's init sets all fields, closed := FALSE among them. *)
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
    (* Makes cur = MIN(n, length) and room for a character there, sending on what must go first.
       n = cur = hi asks for more room; any other n only if the writer is seekable. *)
    seek(n: CARDINAL) RAISES {Failure, Alerted};

    (* Puts all of a. The default does it by way of the buffer. *)
    putString(READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted} := PutStringDefault;

    (* The default answers cur. *)
    length(): CARDINAL RAISES {Failure, Alerted} := LengthDefault;

    (* Sends on what is in the buffer. The default does nothing. *)
    flush() RAISES {Failure, Alerted} := FlushDefault;

    (* Called after flush. The default does nothing. *)
    close() RAISES {Failure, Alerted} := CloseDefault;
  END;

(* Acquire and release the writer's lock, as every operation of Wr does. *)
PROCEDURE Lock(wr: Wr.T);
PROCEDURE Unlock(wr: Wr.T);

(* The methods of a class that does not override them. *)
PROCEDURE PutStringDefault(wr: Wr.T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted};
PROCEDURE LengthDefault(wr: Wr.T): CARDINAL;
PROCEDURE FlushDefault(wr: Wr.T);
PROCEDURE CloseDefault(wr: Wr.T);

END WrClass.
