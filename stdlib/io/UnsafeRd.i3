(* The operations of Rd for callers that already hold the reader's lock (LOCK rd, or
   RdClass.Lock): several operations in a row are then atomic, and each is faster. *)
INTERFACE UnsafeRd;

IMPORT Rd, RdClass, Thread;
FROM Thread IMPORT Alerted;
FROM Rd IMPORT Failure, EndOfFile;

REVEAL
  RdClass.Private <: Thread.Mutex;
  Rd.T <: Thread.Mutex;

(* These work as Rd.GetChar, Rd.GetWideChar and so on. *)
PROCEDURE FastGetChar(rd: Rd.T): CHAR RAISES {EndOfFile, Failure, Alerted};
PROCEDURE FastGetWideChar(rd: Rd.T): WIDECHAR RAISES {EndOfFile, Failure, Alerted};
PROCEDURE FastGetSub(rd: Rd.T; VAR str: ARRAY OF CHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE FastGetWideSub(rd: Rd.T; VAR str: ARRAY OF WIDECHAR): CARDINAL RAISES {Failure, Alerted};
PROCEDURE FastEOF(rd: Rd.T): BOOLEAN RAISES {Failure, Alerted};
PROCEDURE FastUnGetChar(rd: Rd.T) RAISES {};
PROCEDURE FastUnGetCharMulti(rd: Rd.T; n: Rd.UnGetCount := 1): CARDINAL;
PROCEDURE FastCharsReady(rd: Rd.T): CARDINAL RAISES {Failure};
PROCEDURE FastIndex(rd: Rd.T): CARDINAL;
PROCEDURE FastLength(rd: Rd.T): INTEGER RAISES {Failure, Alerted};
PROCEDURE FastIntermittent(rd: Rd.T): BOOLEAN RAISES {};
PROCEDURE FastSeekable(rd: Rd.T): BOOLEAN RAISES {};
PROCEDURE FastClosed(rd: Rd.T): BOOLEAN RAISES {};
PROCEDURE FastClose(rd: Rd.T) RAISES {Failure, Alerted};

END UnsafeRd.
