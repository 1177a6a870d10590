(* Writes a graph of objects as bytes and reads it back: all objects that a reference reaches, with
   sharing and cycles. Types are identified by their structure: a program can read the pickles of
   another program if it contains the same types. The format is the same on all machines of 64
   bits; Pickle and Pickle2 read each other's pickles.

   Texts and atoms come back as such. References marked TRANSIENT come back as NIL. The part of an
   object that belongs to MUTEX comes back as in a new object. Untraced references and procedures
   can be pickled only as NIL, or by a special.

   A damaged pickle raises an error if its structure is wrong: references are checked; the
   values of numbers, characters, sets ... are not. *)
INTERFACE Pickle2;

IMPORT Rd, Thread, Wr;

EXCEPTION
  (* The object cannot be pickled, or the input is not a pickle for this program; the argument
     says why. *)
  Error(TEXT);

PROCEDURE Write(wr: Wr.T; ref: REFANY; write16BitWidechar := FALSE)
  RAISES {Error, Wr.Failure, Thread.Alerted};
PROCEDURE Read(rd: Rd.T): REFANY
  RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};

TYPE
  TypeCode = INTEGER;

  (* One call of `write`, with the calls that specials make during it, writes one pickle: objects
     within it are shared. *)
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

    (* Sets the object for id, so that references to it from the objects that it reaches can be
       read. *)
    noteRef(ref: REFANY; id: RefID);
  END;

(* A new id for an object that a special makes; the object that was noted for an id. *)
PROCEDURE NewReadRefID(reader: Reader): RefID;
PROCEDURE RefOfRefID(reader: Reader; ID: RefID): REFANY RAISES {Error};

TYPE
  SpecialPublic = OBJECT
    prev: SpecialPublic := NIL;  (* the special that this one replaced, see ReRegisterSpecial *)
    sc: TypeCode;
  METHODS
    write(ref: REFANY; writer: Writer) RAISES {Error, Wr.Failure, Thread.Alerted};

    (* Reads the data that `write` wrote. Must call noteRef before it reads data that may refer
       back to the object. *)
    read(reader: Reader; id: RefID): REFANY
      RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};
  END;

  (* Writes and reads objects of the type whose code is sc, and of its subtypes that have no
     special of their own. The methods of Special itself do the default. *)
  Special <: SpecialPublic;

(* A checked run-time error if there is a special for sp.sc already. *)
PROCEDURE RegisterSpecial(sp: Special);

(* The same, but replaces the present special, if there is one; that becomes sp.prev. *)
PROCEDURE ReRegisterSpecial(sp: Special);

END Pickle2.
