(* Tables as texts with commas (RFC 4180).

   Example:

       MODULE Main;
       IMPORT Csv, IO, Stdio, TextRd;
       <*FATAL ANY*>
       VAR
         table := "name,price\r\n\"tea, green\",250\r\ncake,3.5\r\n";
         reader := NEW(Csv.Reader).init(TextRd.New(table));
         writer := NEW(Csv.Writer).init(Stdio.stdout, lineEnd := "\n");
         price: CARDINAL;
       BEGIN
         TRY
           EVAL reader.header();
           price := reader.column("price");
           WHILE reader.next() DO
             writer.put(ARRAY OF TEXT{reader.get(0), "he said \"ok\""});
             IO.PutInt(reader.getInt(price));
             IO.Put("\n");
           END;
         EXCEPT
         | Csv.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       "tea, green","he said ""ok"""
       250
       cake,"he said ""ok"""
       line 3, field 1: "3.5" is not an integer

   A row ends at a carriage return and newline, a newline, or a carriage return; the last row needs no end. A field in
   double quotes may have separators and ends of lines in it, and a double quote written twice; no other field may have
   a double quote. An empty line is a row without fields; a row whose only field is empty is written as "". *)
INTERFACE Csv;

IMPORT Rd, Thread, Wr;

(* The text says what is wrong in which line and field: lines from 1 on, fields from 0 on. *)
EXCEPTION Error(TEXT);

TYPE
  Reader <: ReaderPublic;
  ReaderPublic = OBJECT METHODS
    (* If NOT ragged, it is an Error if a row has another number of fields than the first one; if ragged, rows have as
       many as they have. Error, too, if a row has more than `longest` characters. *)
    init(rd: Rd.T; separator := ','; ragged := FALSE; longest: CARDINAL := LAST(CARDINAL)): Reader;

    (* Reads a row, into the room of the one before; FALSE at the end. *)
    next(): BOOLEAN RAISES {Error, Rd.Failure, Thread.Alerted};

    (* Reads a row that has the names of the columns; FALSE at the end. *)
    header(): BOOLEAN RAISES {Error, Rd.Failure, Thread.Alerted};

    (* The first column with this name; Error if the header has none. *)
    column(name: TEXT): CARDINAL RAISES {Error};

    (* Of the row: the number of its fields, the line in which it begins, and field i. Error if there is no field i, or
       not one of this kind. *)
    count(): CARDINAL;
    line(): CARDINAL;
    get(i: CARDINAL): TEXT RAISES {Error};
    getInt(i: CARDINAL): INTEGER RAISES {Error};
    getLongReal(i: CARDINAL): LONGREAL RAISES {Error};

    (* Copies the characters of field i, until a is full; returns how many the field has. Makes no text. *)
    getChars(i: CARDINAL; VAR a: ARRAY OF CHAR): CARDINAL RAISES {Error};

    (* Raises Error with the line of the row and these words: for what a program itself requires. *)
    fail(why: TEXT) RAISES {Error};
  END;

  Writer <: WriterPublic;
  WriterPublic = OBJECT METHODS
    init(wr: Wr.T; separator := ','; lineEnd := "\r\n"): Writer;

    (* Writes a row, with quotes only where they are needed. A character that is not in CHAR is a checked run-time
       error. *)
    put(READONLY fields: ARRAY OF TEXT) RAISES {Wr.Failure, Thread.Alerted};
  END;

END Csv.
