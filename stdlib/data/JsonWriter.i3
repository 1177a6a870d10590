(* Documents of JSON written piece by piece.

   Example:

       MODULE Main;
       IMPORT JsonWriter, Stdio, Wr;
       <*FATAL ANY*>
       VAR w := NEW(JsonWriter.T).init(Stdio.stdout, indent := 2);
       BEGIN
         w.beginObject();
         w.name("squares");
         w.beginArray();
         FOR i := 1 TO 3 DO w.int(i * i) END;
         w.endArray();
         w.name("done");  w.bool(TRUE);
         w.endObject();
         Wr.PutChar(Stdio.stdout, '\n');
       END Main.

   It prints

       {
         "squares": [
           1,
           4,
           9
         ],
         "done": true
       }
*)
INTERFACE JsonWriter;

IMPORT Json, Thread, Wr;

TYPE
  (* Writes to the writer at once. Calls in an order that makes no document are checked run-time errors: a value in an
     object without a name, an end without its start. A further value outside of arrays and objects begins a new line,
     so JSON Lines can be written. *)
  T <: Public;
  Public = OBJECT METHODS
    (* In one line; or, if indent > 0, each element and member in a line of its own, indented by this many blanks a
       level. *)
    init(wr: Wr.T; indent: CARDINAL := 0): T;

    beginObject() RAISES {Wr.Failure, Thread.Alerted};
    endObject() RAISES {Wr.Failure, Thread.Alerted};
    beginArray() RAISES {Wr.Failure, Thread.Alerted};
    endArray() RAISES {Wr.Failure, Thread.Alerted};

    (* Of the member whose value comes next. Error if t is not UTF-8, for texts, too; nothing of t is written then. *)
    name(t: TEXT) RAISES {Json.Error, Wr.Failure, Thread.Alerted};

    text(t: TEXT) RAISES {Json.Error, Wr.Failure, Thread.Alerted};
    int(n: INTEGER) RAISES {Wr.Failure, Thread.Alerted};
    bool(b: BOOLEAN) RAISES {Wr.Failure, Thread.Alerted};
    null() RAISES {Wr.Failure, Thread.Alerted};

    (* The fewest digits that read back as x. Error if x is NaN or infinite, for which JSON has no numbers. *)
    longReal(x: LONGREAL) RAISES {Json.Error, Wr.Failure, Thread.Alerted};

    (* As the digits are written; Error if they are not a number of JSON. *)
    number(digits: TEXT) RAISES {Json.Error, Wr.Failure, Thread.Alerted};

    value(v: Json.T) RAISES {Json.Error, Wr.Failure, Thread.Alerted};

    (* The number of arrays and objects that are open: 0 when a document is whole. *)
    depth(): CARDINAL;
  END;

(* The digits of x as JSON has them; Error if x is NaN or infinite. *)
PROCEDURE LongRealDigits(x: LONGREAL): TEXT RAISES {Json.Error};

END JsonWriter.
