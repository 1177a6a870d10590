(* For those who make a kind of reader.

   buff[st + i - lo] is character i of the source for lo <= i < hi, and lo <= cur <= hi. Procedures
   of Rd take characters from the buffer, moving cur, and call seek when they find cur = hi. Methods
   are called with the reader locked. When characters are pushed back that are no longer in the
   buffer, by UnGetCharMulti or by an operation that fails after it has taken them, it is replaced by
   another one, which is not shorter.

   A subtype's init sets all fields, closed := FALSE among them. *)
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
    (* Brings the character at position n into the buffer and makes cur = n. n = hi asks for what
       comes next; another n only if the reader is seekable. Eof: there is no such character, and
       cur is the length. WouldBlock only with dontBlock: nothing has arrived yet. If it raises an
       exception when n = hi, cur = n, too. *)
    seek(n: CARDINAL; dontBlock: BOOLEAN): SeekResult RAISES {Failure, Alerted};

    (* Reads until a is full or the source ends. *)
    getSub(VAR a: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted} := GetSubDefault;

    (* The length of the source, or -1. The default is a checked run-time error. *)
    length(): INTEGER RAISES {Failure, Alerted} := LengthDefault;

    (* Gives back what the reader holds. The default does nothing. *)
    close() RAISES {Failure, Alerted} := CloseDefault;
  END;

(* Sets the fields as a new reader has them. *)
PROCEDURE Init(rd: Rd.T);

(* Acquire and release the reader's lock, as every operation of Rd does. *)
PROCEDURE Lock(rd: Rd.T);
PROCEDURE Unlock(rd: Rd.T);

(* The methods of a class that does not override them. *)
PROCEDURE GetSubDefault(rd: Rd.T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE LengthDefault(rd: Rd.T): INTEGER RAISES {Failure, Alerted};
PROCEDURE CloseDefault(rd: Rd.T) RAISES {Failure, Alerted};

END RdClass.
