(* Programs that convert stored objects, for

     tenure db upgrade DIR PROGRAM CONVERTER

   The upgrade takes over by itself what it can: fields of the same name and type, integers and
   subranges whose values fit, elements of enumerations by their names, REAL as LONGREAL. A converter computes the other fields of the types
   that it has registered. It runs as a program of its own, so it can have both the old meaning of a
   field and the new one: it registers its procedures and calls Run.

   Values are texts: numbers as Fmt writes them, BOOLEAN as "true" or "false", a TEXT as it is;
   of other types that are no references and of at most 64 bits, the number that their bits are. *)
INTERFACE DatabaseConverter;

EXCEPTION
  (* The object cannot be converted, for this reason. The upgrade ends, and nothing is changed. *)
  Refused(TEXT);

TYPE
  (* An object that is being converted. *)
  Object <: Public;
  Public = OBJECT METHODS
    (* Whether the stored object has such a field, with a value that can be had as a text; a TEXT
       that is NIL has none. *)
    has(field: TEXT): BOOLEAN;

    (* The value of the stored object's field. Refused if there is none. *)
    get(field: TEXT): TEXT RAISES {Refused};

    (* Sets a field of the object as it will be; it may be one that has been taken over. The upgrade
       ends when there is no such field, or it cannot have this value. NIL is no value. *)
    put(field, value: TEXT);
  END;

  Proc = PROCEDURE (object: Object) RAISES {Refused};

(* The stored type's name is as `tenure db schema` shows it: Module.Type; the upgrade refuses one that
   the store does not have. Fields that the program has no more are lost unless the procedure gets
   them: if it gets one of no object the upgrade wants to be told so (--drop-field). All objects of the type are
   given to the procedure if the program's type is laid out otherwise; those of its subtypes are not,
   unless they are registered as well. *)
PROCEDURE Register(type: TEXT; proc: Proc);

(* Answers the upgrade's questions until it ends. Standard input and output are used for it. *)
PROCEDURE Run();

END DatabaseConverter.
