(* Names for the run time's own structures that programs use. The contents behind an address are
   private to the run time. *)
INTERFACE RT0;

TYPE
  Typecode = [0..16_FFFFF];
  TypeDefn = ADDRESS;  (* the descriptor of a type *)

  (* The descriptor of an exception begins with its name, "Interface.Name", as a C string. *)
  ExceptionPtr = UNTRACED REF RECORD name: ADDRESS END;

  (* A raised exception, see Compiler.ThisException. *)
  ActivationPtr = UNTRACED REF RaiseActivation;
  RaiseActivation = RECORD
    exception: ExceptionPtr;
    arg: ADDRESS;   (* of the argument; NIL if the exception has none *)
    file: ADDRESS;  (* of the RAISE, as a C string; NIL if it is not known *)
    line: INTEGER;
  END;

END RT0.
