(* For modules that define a class of readers.

   buff[st + i - lo] is character i of the source for lo <= i < hi, and lo <= cur <= hi. Procedures
   of Rd take characters from the buffer, moving cur, and call seek when they find cur = hi. Methods
   are called with the reader locked. Characters that are no longer in the buffer may be pushed
   back, by UnGetCharMulti or by an operation that fails after it has taken them; Rd then replaces
   the buffer by another one that is not shorter.

   A subtype's init must set all fields, including closed := FALSE. *)
INTERFACE RdClass;

IMPORT Rd;
FROM Thread IMPORT Alerted;
FROM Rd IMPORT Failure;

TYPE
  Private <: ROOT;  (* holds the lock *)

  SeekResult = {Ready, WouldBlock, Eof};  (* see `seek` *)

REVEAL
  Rd.T = Private BRANDED "Rd.T" OBJECT
    buff: REF ARRAY OF CHAR := NIL;
    st: CARDINAL := 0;
    cur: CARDINAL := 0;
    lo, hi: CARDINAL := 0;
    closed: BOOLEAN := TRUE;
    seekable, intermittent: BOOLEAN := FALSE;
  METHODS
    (* Brings the character at position n into the buffer and sets cur = n. n = hi asks for
       the characters after the buffer; any other n is used only if the reader is seekable.
       Eof: there is no such character, and cur is the length. WouldBlock (only with
       dontBlock): no character has arrived yet. If seek raises an exception for n = hi, it
       also sets cur = n. *)
    seek(n: CARDINAL; dontBlock: BOOLEAN): SeekResult RAISES {Failure, Alerted};

    (* Reads until a is full or the source ends. *)
    getSub(VAR a: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} := GetSubDefault;

    (* The length of the source, or -1. The default method is a checked run-time error. *)
    length(): INTEGER RAISES {Failure, Alerted} := LengthDefault;

    (* Releases the reader's resources. The default does nothing. *)
    close() RAISES {Failure, Alerted} := CloseDefault;
  END;

(* Sets the fields as a new reader has them. *)
PROCEDURE Init(rd: Rd.T);

(* Acquire and release the reader's lock. Every operation of Rd does so. *)
PROCEDURE Lock(rd: Rd.T);
PROCEDURE Unlock(rd: Rd.T);

(* The methods of a class that does not override them. *)
PROCEDURE GetSubDefault(rd: Rd.T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE LengthDefault(rd: Rd.T): INTEGER RAISES {Failure, Alerted};
PROCEDURE CloseDefault(rd: Rd.T) RAISES {Failure, Alerted};

END RdClass.
