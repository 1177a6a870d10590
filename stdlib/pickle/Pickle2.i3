(* Graphs of objects as bytes: what a reference leads to, with sharing and cycles. Types are told by
   their structure: a program reads what another one has written if it contains the same types. The
   format is the same on all machines of 64 bits; Pickle and Pickle2 read each other's pickles.

   Texts and atoms come back as such. References marked TRANSIENT come back as NIL, and so does the
   part of an object that belongs to MUTEX as in a new one. Untraced references and procedures can
   be pickled only as NIL, or by a special.

   What is damaged is an error where its structure shows it: references are checked, the values of
   numbers, characters, sets ... are not. *)
INTERFACE Pickle2;

IMPORT Rd, Thread, Wr;

EXCEPTION
  (* What cannot be pickled, or is not a pickle for this program, and why. *)
  Error(TEXT);

PROCEDURE Write(wr: Wr.T; ref: REFANY; write16BitWidechar := FALSE)
  RAISES {Error, Wr.Failure, Thread.Alerted};
PROCEDURE Read(rd: Rd.T): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};

TYPE
  TypeCode = INTEGER;

  (* What is written by one call of `write`, and the calls that specials make in it, is one pickle:
     it shares what it leads to. *)
  Writer <: WriterPublic;
  WriterPublic = OBJECT
    wr: Wr.T;
    write16BitWidechar: BOOLEAN := FALSE;  (* no difference here: a WIDECHAR has 16 bits *)
  METHODS
    write(r: REFANY) RAISES {Error, Wr.Failure, Thread.Alerted};
    writeType(tc: TypeCode) RAISES {Wr.Failure, Thread.Alerted};
    writeInt(i: INTEGER) RAISES {Wr.Failure, Thread.Alerted};
  END;

  Reader <: ReaderPublic;
  RefID = INTEGER;

CONST
  RefIDNull = FIRST(INTEGER);

TYPE

  ReaderPublic = OBJECT
    rd: Rd.T;
    level := 0;  (* not used here *)
  METHODS
    read(): REFANY RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};
    readType(): TypeCode RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};
    readInt(): INTEGER RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};

    (* What the object of id is, so that references to it in what it leads to can be read. *)
    noteRef(ref: REFANY; id: RefID);
  END;

(* A new id for an object that a special makes; the object that was noted for one. *)
PROCEDURE NewReadRefID(reader: Reader): RefID;
PROCEDURE RefOfRefID(reader: Reader; ID: RefID): REFANY RAISES {Error};

TYPE
  SpecialPublic = OBJECT
    prev: SpecialPublic := NIL;  (* what it replaced, see ReRegisterSpecial *)
    sc: TypeCode;
  METHODS
    write(ref: REFANY; writer: Writer) RAISES {Error, Wr.Failure, Thread.Alerted};

    (* Reads what `write` wrote. Must call noteRef before it reads something that may lead back to
       the object. *)
    read(reader: Reader; id: RefID): REFANY
      RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};
  END;

  (* How objects of the type whose code is sc, and of its subtypes that have no special of their
     own, are written and read. The methods of Special itself do what is done without one. *)
  Special <: SpecialPublic;

(* A checked run-time error if there is a special for sp.sc already. *)
PROCEDURE RegisterSpecial(sp: Special);

(* The same in place of the one that there is, if any, which becomes sp.prev. *)
PROCEDURE ReRegisterSpecial(sp: Special);

END Pickle2.
