(* Values of JSON (RFC 8259): parse, look into, build, print. JsonReader reads and JsonWriter writes documents piece by
   piece, without making values.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Json;
       VAR order, lines, line: Json.T;
       BEGIN
         TRY
           order := Json.Parse("{\"id\": 17, \"lines\": [{\"what\": \"tea\", \"count\": 2}], \"paid\": false}");
           lines := order.getArray("lines");
           FOR i := 0 TO lines.size() - 1 DO
             IO.Put(lines.at(i).getText("what") & ": " & Fmt.Int(lines.at(i).getInt("count")) & "\n");
           END;
           line := Json.Object();
           line.put("what", Json.Text("cake"));
           line.put("count", Json.Int(1));
           lines.add(line);
           order.put("paid", Json.Bool(TRUE));
           IO.Put(Json.ToText(order) & "\n");
           EVAL order.getText("id");
         EXCEPT
         | Json.Error (why) => IO.Put(why & "\n");
         END;
         TRY
           order := Json.Parse("{\"id\": 017}");
         EXCEPT
         | Json.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       tea: 2
       {"id":17,"lines":[{"what":"tea","count":2},{"what":"cake","count":1}],"paid":true}
       member "id" must be a text, and is a number
       line 1, column 9: a digit may not follow a 0 that begins a number

   A TEXT holds UTF-8, a byte in each character, on both sides: in documents, and in names and texts taken out of them.
   A TEXT with characters beyond CHAR, which no document gives, is taken for UTF-16 where it is written.

   Values are ordinary objects, so they may be stored in databases. They are not locked: threads that change a value
   that others use take care of that themselves. *)
INTERFACE Json;

IMPORT Rd, Thread, Wr;

(* A document is not JSON: the text begins "line 3, column 7: "; columns count characters of UTF-8. Or a value is not
   what the program wants: the text names the member or element. *)
EXCEPTION Error(TEXT);

CONST
  Brand = "Json";

  (* How deep arrays and objects may be nested in a document unless the program says otherwise. Writing and comparing
     values call themselves for each level. *)
  Depth = 512;

TYPE
  Kind = {Null, Boolean, Number, Text, Array, Object};

  (* Of two members with one name: the last one counts, in the place of the first; or there is an error. *)
  Duplicates = {Last, Refused};

  T <: Public;
  Public = OBJECT METHODS
    kind(): Kind;

    (* The value, if it is of this kind; else Error. `number` is the digits as they are written, so no digit is lost;
       `int` takes each number that is an integer, also 1.0 and 2e3, if it fits; `longReal` takes each number whose
       nearest LONGREAL is not infinite. *)
    bool(): BOOLEAN RAISES {Error};
    text(): TEXT RAISES {Error};
    number(): TEXT RAISES {Error};
    int(): INTEGER RAISES {Error};
    longReal(): LONGREAL RAISES {Error};

    (* The number of elements of an array or of members of an object; 0 for other kinds. *)
    size(): CARDINAL;

    (* Element i of an array, from 0 on, or the value of member i of an object; the name of member i. Members keep the
       order of the document, or in which they were put. Error if there is none. *)
    at(i: CARDINAL): T RAISES {Error};
    nameAt(i: CARDINAL): TEXT RAISES {Error};

    (* The value of a member; NIL if there is none, or if this is no object. *)
    get(name: TEXT): T;

    (* The value of a member of this kind; Error, with the name, if there is none. *)
    getBool(name: TEXT): BOOLEAN RAISES {Error};
    getText(name: TEXT): TEXT RAISES {Error};
    getInt(name: TEXT): INTEGER RAISES {Error};
    getLongReal(name: TEXT): LONGREAL RAISES {Error};
    getArray(name: TEXT): T RAISES {Error};
    getObject(name: TEXT): T RAISES {Error};

    (* Change an array: a new last element; another element i. A checked run-time error for another kind, if there is no
       element i, or if value is NIL. *)
    add(value: T);
    set(i: CARDINAL; value: T);

    (* Change an object: a member's value, which is a new last member if there was none with this name; `remove` returns
       whether there was one. A checked run-time error for another kind, or if value is NIL. *)
    put(name: TEXT; value: T);
    remove(name: TEXT): BOOLEAN;
  END;

(* New values. The digits must be a number of JSON, and x not NaN or infinite, else Error. *)
PROCEDURE Null(): T;
PROCEDURE Bool(b: BOOLEAN): T;
PROCEDURE Int(n: INTEGER): T;
PROCEDURE LongReal(x: LONGREAL): T RAISES {Error};
PROCEDURE Number(digits: TEXT): T RAISES {Error};
PROCEDURE Text(t: TEXT): T;
PROCEDURE Array(READONLY values := ARRAY OF T{}): T;
PROCEDURE Object(): T;

(* The value of a whole document; of the rest of the reader, of which nothing but white space may be left. A byte order
   mark at the beginning is skipped. Error, too, if a text is not UTF-8 or has half a surrogate pair (\ud800 alone). *)
PROCEDURE Parse(t: TEXT; depth: CARDINAL := Depth; duplicates := Duplicates.Last): T RAISES {Error};
PROCEDURE Read(rd: Rd.T; depth: CARDINAL := Depth; duplicates := Duplicates.Last): T
  RAISES {Error, Rd.Failure, Thread.Alerted};

(* The document: in one line; or, if indent > 0, each element and member in a line of its own, indented by this many
   blanks a level. Error if a text of the value is not UTF-8. *)
PROCEDURE ToText(value: T; indent: CARDINAL := 0): TEXT RAISES {Error};
PROCEDURE Write(wr: Wr.T; value: T; indent: CARDINAL := 0) RAISES {Error, Wr.Failure, Thread.Alerted};

(* Whether both are the same: numbers by their values (1.0 and 10e-1 are equal), objects without regard to the order of
   their members. *)
PROCEDURE Equal(a, b: T): BOOLEAN;

(* A value with no part in common with the original. *)
PROCEDURE Copy(value: T): T;

END Json.
