(* Values read from texts. Blanks around the value are allowed; anything else raises Lex.Error.

   Example:

       MODULE Main;
       IMPORT FloatMode, Fmt, IO, Lex, Scan;
       BEGIN
         TRY
           IO.Put(Fmt.Int(Scan.Int(" 42 ") + Scan.Unsigned("ff")) & "\n");
           IO.Put(Fmt.Int(Scan.Int("4x")) & "\n");
         EXCEPT
         | Lex.Error => IO.Put("not a number\n");
         | FloatMode.Trap => IO.Put("too large\n");
         END;
       END Main.

   It prints

       297
       not a number
*)
INTERFACE Scan;

IMPORT FloatMode, Lex, Long, Word;

(* Work as the procedures of Lex with these names, which define the form of a value. *)
PROCEDURE Bool(txt: TEXT): BOOLEAN RAISES {Lex.Error};
PROCEDURE Int(txt: TEXT; defaultBase: [2..16] := 10): INTEGER RAISES {Lex.Error, FloatMode.Trap};
PROCEDURE Unsigned(txt: TEXT; defaultBase: [2..16] := 16): Word.T
  RAISES {Lex.Error, FloatMode.Trap};
PROCEDURE LongInt(txt: TEXT; defaultBase: [2..16]): LONGINT RAISES {Lex.Error, FloatMode.Trap};
PROCEDURE LongUnsigned(txt: TEXT; defaultBase: [2..16]): Long.T
  RAISES {Lex.Error, FloatMode.Trap};
PROCEDURE Real(txt: TEXT): REAL RAISES {Lex.Error, FloatMode.Trap};
PROCEDURE LongReal(txt: TEXT): LONGREAL RAISES {Lex.Error, FloatMode.Trap};
PROCEDURE Extended(txt: TEXT): EXTENDED RAISES {Lex.Error, FloatMode.Trap};

END Scan.
