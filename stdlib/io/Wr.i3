(* Writers: streams of characters that go somewhere. The contents are numbered from 0; cur is the
   position of the next character. Using a closed writer is a checked run-time error. *)
INTERFACE Wr;

IMPORT AtomList, OSConfig;
FROM Thread IMPORT Alerted;

TYPE
  T <: ROOT;  (* subtypes are made with WrClass *)

EXCEPTION
  Failure(AtomList.T);  (* the target failed; the argument has the causes, outermost first *)

CONST
  EOL = OSConfig.LineSep;  (* the line end of this system *)

(* Put a character, or all characters of t or a, from position cur on. Each must be in CHAR, or PutText is a
   checked run-time error: only PutWideText puts the wide characters of a text, as PutWideChar does. *)
PROCEDURE PutChar(wr: T; ch: CHAR) RAISES {Failure, Alerted};
PROCEDURE PutText(wr: T; t: TEXT) RAISES {Failure, Alerted};
PROCEDURE PutString(wr: T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted};

(* Each wide character is two bytes, the low one first. *)
PROCEDURE PutWideChar(wr: T; ch: WIDECHAR) RAISES {Failure, Alerted};
PROCEDURE PutWideText(wr: T; t: TEXT) RAISES {Failure, Alerted};
PROCEDURE PutWideString(wr: T; READONLY a: ARRAY OF WIDECHAR) RAISES {Failure, Alerted};

(* Moves to position n, or to the end if the contents are shorter; the writer must be seekable. *)
PROCEDURE Seek(wr: T; n: CARDINAL) RAISES {Failure, Alerted};

(* Sends the characters that are still in the buffer to the target. *)
PROCEDURE Flush(wr: T) RAISES {Failure, Alerted};

(* Flushes and releases the target. Closing again does nothing. *)
PROCEDURE Close(wr: T) RAISES {Failure, Alerted};

(* Length: the length of the contents. Index: cur. Seekable: whether Seek may be used. Closed:
   whether the writer is closed. Buffered: whether characters may stay in a buffer until Flush. *)
PROCEDURE Length(wr: T): CARDINAL RAISES {Failure, Alerted};
PROCEDURE Index(wr: T): CARDINAL;
PROCEDURE Seekable(wr: T): BOOLEAN;
PROCEDURE Closed(wr: T): BOOLEAN;
PROCEDURE Buffered(wr: T): BOOLEAN;

END Wr.
