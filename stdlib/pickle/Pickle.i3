(* Writes a graph of objects as bytes and reads it back: all objects that a reference reaches, with
   sharing and cycles. Types are identified by their structure: a program can read the pickles of
   another program if it contains the same types. The format is the same on all machines of 64
   bits.

   Texts and atoms come back as such. References marked TRANSIENT come back as NIL. The part of an
   object that belongs to MUTEX comes back as in a new object. Untraced references and procedures
   can be pickled only as NIL, or by a special.

   A damaged pickle raises an error if its structure is wrong: references are checked; the
   values of numbers, characters, sets ... are not. *)
INTERFACE Pickle;

IMPORT Rd, Thread, Wr;

EXCEPTION
  (* The object cannot be pickled, or the input is not a pickle for this program; the argument
     says why. *)
  Error(TEXT);

(* One pickle: NEW(Writer, wr := wr).write(ref) and NEW(Reader, rd := rd).read(). *)
PROCEDURE Write(wr: Wr.T; ref: REFANY)
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
  METHODS
    (* Writes r and all objects that it reaches; for specials, also a type and a number. *)
    write(r: REFANY) RAISES {Error, Wr.Failure, Thread.Alerted};
    writeType(tc: TypeCode) RAISES {Wr.Failure, Thread.Alerted};
    writeInt(i: INTEGER) RAISES {Wr.Failure, Thread.Alerted};
  END;

  (* The inverse operations. A RefID stands for an object that is being read. *)
  Reader <: ReaderPublic;
  RefID = INTEGER;

  ReaderPublic = OBJECT
    rd: Rd.T;
  METHODS
    read(): REFANY RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};
    readType(): TypeCode RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};
    readInt(): INTEGER RAISES {Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted};

    (* Sets the object for id, so that references to it from the objects that it reaches can be
       read. *)
    noteRef(ref: REFANY; id: RefID);
  END;

TYPE
  SpecialPublic = OBJECT
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

END Pickle.
