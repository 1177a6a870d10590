(* golden: run *)
(* The last field may have a semicolon, and there may be no fields (2.4, 5.5), whatever follows END. *)
MODULE Main;

IMPORT IO, Fmt;

TYPE
  Empty = RECORD END;

VAR
  nil: REF RECORD a: INTEGER; END := NIL;
  filled := NEW(REF ARRAY OF RECORD a: INTEGER; END, 3);
  object := NEW(OBJECT a: INTEGER; END, a := 4);
  empty := NEW(REF ARRAY OF RECORD END, 5);
  none: REF RECORD END := NIL;

CONST
  One: RECORD a: INTEGER; END = RECORD a: INTEGER; END {1};

PROCEDURE P(r: RECORD a: INTEGER; END := One): RECORD a: INTEGER; END =
  BEGIN
    RETURN RECORD a: INTEGER; END {r.a + 1};
  END P;

PROCEDURE Name(r: REFANY): TEXT =
  BEGIN
    TYPECASE r OF
    | NULL => RETURN "nil";
    | REF RECORD a: INTEGER; END, REF INTEGER => RETURN "record or integer";
    ELSE
      RETURN "something";
    END;
  END Name;

VAR
  local: Empty;
BEGIN
  filled[2].a := One.a + object.a;
  local := empty[4];
  IO.Put(Fmt.Int(filled[2].a) & " " & Fmt.Int(P().a) & " " & Fmt.Int(NUMBER(empty^)) & " " & Name(nil)
         & " " & Name(NEW(REF RECORD a: INTEGER; END)) & " " & Name(empty) & " "
         & Fmt.Bool(none = NIL) & "\n");
  (* expect: 5 2 5 nil record or integer something TRUE *)
END Main.
