(* The operations of Wr for callers that already hold the writer's lock (LOCK wr, or
   WrClass.Lock): several operations in a row are then atomic, and each is faster. *)
INTERFACE UnsafeWr;

IMPORT Convert, Thread, Wr, WrClass;
FROM Thread IMPORT Alerted;
FROM Wr IMPORT Failure;

REVEAL
  WrClass.Private <: Thread.Mutex;
  Wr.T <: Thread.Mutex;

(* These work as Wr.PutChar, Wr.PutWideChar and so on. *)
PROCEDURE FastPutChar(wr: Wr.T; ch: CHAR) RAISES {Failure, Alerted};
PROCEDURE FastPutWideChar(wr: Wr.T; ch: WIDECHAR) RAISES {Failure, Alerted};
PROCEDURE FastPutText(wr: Wr.T; t: TEXT) RAISES {Failure, Alerted};
PROCEDURE FastPutWideText(wr: Wr.T; t: TEXT) RAISES {Failure, Alerted};
PROCEDURE FastPutString(wr: Wr.T; READONLY a: ARRAY OF CHAR) RAISES {Failure, Alerted};
PROCEDURE FastPutWideString(wr: Wr.T; READONLY a: ARRAY OF WIDECHAR) RAISES {Failure, Alerted};

(* Numbers as Convert writes them. *)
PROCEDURE FastPutInt(wr: Wr.T; n: INTEGER; base: Convert.Base := 10) RAISES {Failure, Alerted};
PROCEDURE FastPutReal(wr: Wr.T; r: REAL; precision: CARDINAL := 6; style := Convert.Style.Mix)
  RAISES {Failure, Alerted};
PROCEDURE FastPutLongReal(wr: Wr.T; r: LONGREAL; precision: CARDINAL := 6;
                          style := Convert.Style.Mix) RAISES {Failure, Alerted};

(* These work as Wr.Close, Wr.Seek, Wr.Flush and Wr.Length. *)
PROCEDURE FastClose(wr: Wr.T) RAISES {Failure, Alerted};
PROCEDURE FastSeek(wr: Wr.T; n: CARDINAL) RAISES {Failure, Alerted};
PROCEDURE FastFlush(wr: Wr.T) RAISES {Failure, Alerted};
PROCEDURE FastLength(wr: Wr.T): CARDINAL RAISES {Failure, Alerted};

END UnsafeWr.
