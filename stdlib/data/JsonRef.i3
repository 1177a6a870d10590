(* Objects of the program as JSON and back, by the types that the program declares.

   Example:

       MODULE Main;
       IMPORT IO, Json, JsonRef, TextRd;
       <*FATAL ANY*>
       TYPE
         Color = {Red, Green};
         Line = RECORD what: TEXT;  count: [1..99] := 1 END;
         Order = REF RECORD id: INTEGER;  color: Color;  lines: REF ARRAY OF Line;  next: Order := NIL END;
       VAR
         document := "{\"id\": 7, \"color\": \"Green\", \"lines\": [{\"what\": \"tea\"}]}";
         order: Order := JsonRef.Get(TextRd.New(document), TYPECODE(Order));
       BEGIN
         INC(order.lines[0].count);
         IO.Put(Json.ToText(JsonRef.ToJson(order)) & "\n");
         TRY
           document := "{\"lines\": [{\"count\": 100}]}";
           order := JsonRef.FromJson(Json.Parse(document), TYPECODE(Order));
         EXCEPT
         | Json.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       {"id":7,"color":"Green","lines":[{"what":"tea","count":2}],"next":null}
       member "lines": element 0: member "count": the value must be an integer from 1 to 99, and is 100

   The forms: numbers of all kinds are numbers; BOOLEAN is true or false; CHAR and WIDECHAR are texts of one character;
   elements of enumerations are their names; TEXT is a text; records, and referents that are records or objects, are
   objects of JSON with a member for each field, inherited ones first; arrays, and references to open arrays of one
   dimension, are arrays; other references are what they refer to; NIL is null. Fields that are TRANSIENT, untraced or
   procedures are left out, and are in new objects what NEW makes of them. Sets, packed fields, arrays with several open
   dimensions, subtypes of MUTEX and types with two fields of one name are an Error when such a value is met.

   An object is written as what it is, and read as the type that the field declares; so a REFANY can only be read as
   null, and a type with private fields (a table, a sequence) is written as its parts: convert it to an array before. An
   object that is reached on two ways is written twice, and a circle is an Error, since it is deeper than Json.Depth. *)
INTERFACE JsonRef;

IMPORT Json, RTType, Rd, Thread, Wr;

(* The object, or NIL, as a value of JSON. Error if it has a part that JSON cannot have: a NaN, or what is said
   above. *)
PROCEDURE ToJson(ref: REFANY): Json.T RAISES {Json.Error};

(* A new object of this type. A member that is missing leaves its field as NEW makes it. Error if a member has no field,
   unless ignoreUnknown, or a value does not fit: the text says where. *)
PROCEDURE FromJson(value: Json.T; type: RTType.Typecode; ignoreUnknown := FALSE): REFANY RAISES {Json.Error};

(* The same to and from documents: Json.Write and Json.Read. *)
PROCEDURE Put(wr: Wr.T; ref: REFANY; indent: CARDINAL := 0) RAISES {Json.Error, Wr.Failure, Thread.Alerted};
PROCEDURE Get(rd: Rd.T; type: RTType.Typecode; ignoreUnknown := FALSE): REFANY
  RAISES {Json.Error, Rd.Failure, Thread.Alerted};

END JsonRef.
