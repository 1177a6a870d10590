(* Programs that convert stored objects, for

     tenure db upgrade DIR PROGRAM CONVERTER

   The upgrade itself converts fields of the same name and type, integers and subranges whose values
   fit, elements of enumerations by their names, and REAL to LONGREAL. A converter computes the other
   fields of the types that it has registered, and fields whose stored values do not fit. The converter
   is a program of its own, so it can know both the old meaning of a field and the new one: it registers
   its procedures and calls Run.

   Values are texts: numbers as Fmt writes them, BOOLEAN as "true" or "false", a TEXT unchanged. A
   value of another type that is not a reference and has at most 64 bits is the number of these bits.

   A field is named by its name; a field of a record in a field by the names of both, "plan.mark"; a field
   that a subtype's field of the same name hides by its name and number, "mark#1", as `tenure db dump`
   shows it. Fields of records that are elements of arrays have no names. *)
INTERFACE DatabaseConverter;

EXCEPTION
  (* The object cannot be converted; the text says why. The upgrade ends and changes nothing. *)
  Refused(TEXT);

TYPE
  (* An object that is being converted. *)
  Object <: Public;
  Public = OBJECT METHODS
    (* Whether the stored object has the field, with a value that a text can show. A TEXT field that
       is NIL has no value. *)
    has(field: TEXT): BOOLEAN;

    (* The value of the stored object's field. Refused if there is none. *)
    get(field: TEXT): TEXT RAISES {Refused};

    (* Sets a field of the new object, also one that the upgrade has converted. The upgrade ends if the
       new type has no such field, or the field cannot have this value. NIL is not a value. *)
    put(field, value: TEXT);
  END;

  Proc = PROCEDURE (object: Object) RAISES {Refused};

(* `type` is the stored type's name as `tenure db schema` shows it: Module.Type. The upgrade refuses a
   type that the store does not have. The values of fields that the program no longer has are lost
   unless the procedure gets them; if it never gets one of these fields, the upgrade asks for the
   option --drop-field. The procedure is called for all objects of the type if the program's type has
   another layout; for objects of subtypes only if these are registered as well. *)
PROCEDURE Register(type: TEXT; proc: Proc);

(* Answers the upgrade's questions until the upgrade ends. Uses standard input and output. *)
PROCEDURE Run();

END DatabaseConverter.
