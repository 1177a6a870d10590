(* golden: parse *)
(* An error does not make legal text wrong: before and behind the error, types may have names that
   are words of other languages (language.md 2.4). *)
MODULE Main;
TYPE
  File = OBJECT n := 1 END;
  Before = File OBJECT k := 2 END;
  Function = OBJECT a: INTEGER b: Packed END;
  (* expect-error above: expected ';' after the field (2.4) *)
  Packed = File OBJECT METHODS Class (x: Union): Chan := New END;
  Wrong = UNION a: INTEGER END;
  (* expect-error above: 'UNION' is not Modula-3: one of several types is an object type with a subtype for each, told apart by TYPECASE (2.4) *)
  Union = {Low, High};
CONST Of = ARRAY Union OF Class{Class.High, Class.Low};
PROCEDURE Print (f: ROOT) =
  BEGIN
    IF f == NIL THEN RETURN END;
    (* expect-error above: '==' is not Modula-3: equality is '=' (16.4) *)
    TYPECASE f OF
    | File (file) => Variant(file);
    | Function, Packed (p) => end.do := p IN while{1, for};
    | Chan (c) => if(c);
    END;
  END Print;
BEGIN
END Main.
