(* The part of the interface that Pickle does not have. *)
MODULE Pickle2Extras EXPORTS Pickle2;

IMPORT Pickle2Rep, PickleTypes, Rd, RuntimeError, Thread, Wr;

PROCEDURE Write(wr: Wr.T; ref: REFANY; write16BitWidechar := FALSE)
  RAISES {Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    NEW(Writer, wr := wr, write16BitWidechar := write16BitWidechar).write(ref);
  END Write;

PROCEDURE Read(rd: Rd.T): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  BEGIN
    RETURN NEW(Reader, rd := rd).read();
  END Read;

PROCEDURE NewReadRefID(reader: Reader): RefID =
  BEGIN
    RETURN PickleTypes.NewId(reader.objects);
  END NewReadRefID;

PROCEDURE RefOfRefID(reader: Reader; ID: RefID): REFANY RAISES {Error} =
  BEGIN
    IF reader.objects = NIL OR ID < 0 OR ID >= reader.objects.count
       OR reader.objects.refs[ID] = NIL THEN
      RAISE Error("no object of this number has been read");
    END;
    RETURN reader.objects.refs[ID];
  END RefOfRefID;

PROCEDURE ReRegisterSpecial(sp: Special) =
  BEGIN
    IF sp.sc < 0 THEN RuntimeError.Raise(RuntimeError.T.ValueOutOfRange) END;
    sp.prev := Pickle2Rep.SetSpecial(sp);
  END ReRegisterSpecial;

BEGIN
END Pickle2Extras.
