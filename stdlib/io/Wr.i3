(* Writers: streams of characters that go somewhere. The contents are numbered from 0; cur is the
   position of the next character. Using a closed writer is a checked run-time error. *)
INTERFACE Wr;

IMPORT AtomList, OSConfig;
FROM Thread IMPORT Alerted;

TYPE
  T <: ROOT;  (* subtypes are made with WrClass *)

EXCEPTION
  Failure(AtomList.T);  (* the target failed; why, outermost cause first *)

CONST
  EOL = OSConfig.LineSep;  (* what ends a line on this system *)

(* Put a character, or all characters of t or a, at cur and what follows it. Wide characters of a text
   are put as PutWideChar does only by PutWideText. *)
PROCEDURE PutChar(wr: T; ch: CHAR) RAISES {Failure, Alerted};
PROCEDURE PutText(wr: T; t: TEXT) RAISES {Failure, Alerted};
PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted};

(* Each wide character is two bytes, the low one first. *)
PROCEDURE PutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted};
PROCEDURE PutWideText(wr: T; t: TEXT) RAISES {Failure, Alerted};
PROCEDURE PutWideString(wr: T; READONLY a: ARRAY OF WIDECHAR) RAISES {Failure, Alerted};

(* Makes position n, or the end if that is before it, the next; the writer must be seekable. *)
PROCEDURE Seek(wr: T; n: CARDINAL) RAISES {Failure, Alerted};

(* Sends on what is still in the buffer. *)
PROCEDURE Flush(wr: T) RAISES {Failure, Alerted};

(* Flushes, and gives the target back. Closing again does nothing. *)
PROCEDURE Close(wr: T) RAISES {Failure, Alerted};

(* How long the contents are; cur; whether Seek may be used, whether Close was; whether characters may
   stay in a buffer until Flush. *)
PROCEDURE Length(wr: T): CARDINAL RAISES {Failure, Alerted};
PROCEDURE Index(wr: T): CARDINAL;
PROCEDURE Seekable(wr: T): BOOLEAN;
PROCEDURE Closed(wr: T): BOOLEAN;
PROCEDURE Buffered(wr: T): BOOLEAN;

END Wr.
