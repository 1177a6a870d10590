(* Values read from texts. Blanks around the value are allowed; anything else raises Lex.Error. *)
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
