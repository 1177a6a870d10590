(* Documents of JSON piece by piece, with no more memory than the longest text and the depth need. In the example only
   one entry at a time is in memory.

   Example:

       MODULE Main;
       IMPORT IO, Json, JsonReader, TextRd;
       <*FATAL ANY*>
       VAR
         document := "{\"name\": \"log\",\n \"entries\": [{\"t\": 1}, {\"t\": 2}, {\"t\": true}]}";
         reader := NEW(JsonReader.T).init(TextRd.New(document));
         sum := 0;
       BEGIN
         TRY
           REPEAT
             IF reader.next() = JsonReader.Event.ObjectStart AND reader.depth() = 3 THEN
               INC(sum, reader.value().getInt("t"));
             END;
           UNTIL reader.event = JsonReader.Event.End;
         EXCEPT
         | Json.Error (why) => IO.Put(why & "\n");
         END;
         IO.PutInt(sum);
         IO.Put("\n");
       END Main.

   It prints

       member "t" must be an integer, and is true or false
       3
*)
INTERFACE JsonReader;

IMPORT Json, Rd, Thread;

TYPE
  Event = {
    ObjectStart, ObjectEnd, ArrayStart, ArrayEnd,
    Name,    (* of a member, whose value comes next *)
    Text, Number, True, False, Null,
    End      (* the document has ended; returned again and again *)
  };

  T <: Public;
  Public = OBJECT
    (* The last event, and where it begins in the document, from 1 on. *)
    event := Event.End;
    line, column: CARDINAL := 1;

    (* The characters of a Name or Text; a Number as it is written. *)
    text: TEXT := "";
  METHODS
    (* Begins at the reader's next character. Error for arrays and objects in each other beyond `depth`, for names,
       texts and numbers longer than `longest` bytes, and for documents longer than `size` bytes, which also bounds the
       memory that `value` takes. If many, documents may follow each other, as in JSON Lines (numbers with white space
       between them), and End comes at the end of the reader; else at the end of the only document, behind which nothing
       but white space may stand. Nothing is read beyond a document's end until next is called again. *)
    init(rd: Rd.T; depth: CARDINAL := Json.Depth; longest, size: CARDINAL := LAST(CARDINAL); many := FALSE): T;

    (* The next event. What it raises first it raises again whenever it is called. *)
    next(): Event RAISES {Json.Error, Rd.Failure, Thread.Alerted};

    (* The number of arrays and objects that are open; a start counts, its end no more. *)
    depth(): CARDINAL;

    (* The value that the last event begins: of this member, text, array or object. Its last event is then the last one.
       A checked run-time error after ObjectEnd, ArrayEnd and End. skip reads past it. *)
    value(duplicates := Json.Duplicates.Last): Json.T RAISES {Json.Error, Rd.Failure, Thread.Alerted};
    skip() RAISES {Json.Error, Rd.Failure, Thread.Alerted};

    (* Raises Error with these words and the place of the last event: for what a program itself requires. *)
    fail(why: TEXT) RAISES {Json.Error};
  END;

END JsonReader.
