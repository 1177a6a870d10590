(* The part of the interface that Pickle2 does not have. *)
MODULE PickleExtras EXPORTS Pickle;

IMPORT Rd, Thread, Wr;

PROCEDURE Write(wr: Wr.T; ref: REFANY) RAISES {Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    NEW(Writer, wr := wr).write(ref);
  END Write;

PROCEDURE Read(rd: Rd.T): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  BEGIN
    RETURN NEW(Reader, rd := rd).read();
  END Read;

BEGIN
END PickleExtras.
