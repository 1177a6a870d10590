MODULE Sx;

IMPORT Atom, Fmt, FloatMode, Lex, Rd, RefList, Scan, Text, TextRep, TextWr, Thread, Word, Wr;

REVEAL
  Syntax = BRANDED "Sx.Syntax" REF ARRAY CHAR OF ReadMacro;

CONST
  Digits = SET OF CHAR{'0'..'9'};
  Letters = SET OF CHAR{'a'..'z', 'A'..'Z'};
  Specials = SET OF CHAR{'!', '#', '$', '%', '&', '*', '+', '-', '.', '/', ':', '<', '=', '>', '?',
                         '@', '[', ']', '^', '_', '{', '}', '~'};

PROCEDURE FromChar(c: CHAR): REF CHAR =
  VAR ref := NEW(REF CHAR);
  BEGIN
    ref^ := c;
    RETURN ref;
  END FromChar;

PROCEDURE FromInt(i: INTEGER): REF INTEGER =
  VAR ref := NEW(REF INTEGER);
  BEGIN
    ref^ := i;
    RETURN ref;
  END FromInt;

PROCEDURE FromReal(r: REAL): REF REAL =
  VAR ref := NEW(REF REAL);
  BEGIN
    ref^ := r;
    RETURN ref;
  END FromReal;

PROCEDURE FromLongReal(r: LONGREAL): REF LONGREAL =
  VAR ref := NEW(REF LONGREAL);
  BEGIN
    ref^ := r;
    RETURN ref;
  END FromLongReal;

PROCEDURE FromExtended(r: EXTENDED): REF EXTENDED =
  VAR ref := NEW(REF EXTENDED);
  BEGIN
    ref^ := r;
    RETURN ref;
  END FromExtended;

PROCEDURE FromBool(b: BOOLEAN): Atom.T =
  BEGIN
    IF b THEN RETURN True ELSE RETURN False END;
  END FromBool;

(* Reading. An expression may have no value (a comment) or, by a macro, several. *)

EXCEPTION
  Delimiter;  (* the character that ends the list has been read *)

PROCEDURE Read(rd: Rd.T; syntax: Syntax := NIL): T
  RAISES {ReadError, Rd.EndOfFile, Thread.Alerted} =
  <*FATAL Delimiter*>
  VAR l: RefList.T;
  BEGIN
    TRY
      REPEAT l := ReadSome(rd, syntax, FALSE, ' ') UNTIL l # NIL;
      IF l.tail # NIL THEN RAISE ReadError("several expressions in place of one") END;
      RETURN l.head;
    EXCEPT
    | Rd.Failure => RAISE ReadError("the reader failed");
    END;
  END Read;

PROCEDURE ReadDelimitedList(rd: Rd.T; delim: CHAR; syntax: Syntax := NIL): RefList.T
  RAISES {ReadError, Thread.Alerted} =
  VAR first, last, more: RefList.T := NIL;
  BEGIN
    TRY
      LOOP
        more := ReadSome(rd, syntax, TRUE, delim);
        IF more # NIL THEN
          (* The list that a macro returned must not be changed. *)
          WITH copy = RefList.Append(more, NIL) DO
            IF last = NIL THEN first := copy ELSE last.tail := copy END;
            last := copy;
          END;
          WHILE last.tail # NIL DO last := last.tail END;
        END;
      END;
    EXCEPT
    | Delimiter => RETURN first;
    | Rd.EndOfFile => RAISE ReadError("the end of a list is missing");
    | Rd.Failure => RAISE ReadError("the reader failed");
    END;
  END ReadDelimitedList;

PROCEDURE ReadSome(rd: Rd.T; syntax: Syntax; inList: BOOLEAN; delim: CHAR): RefList.T
  RAISES {ReadError, Delimiter, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR c := Rd.GetChar(rd);
  BEGIN
    IF inList AND c = delim THEN RAISE Delimiter END;
    IF syntax # NIL AND syntax[c] # NIL THEN RETURN syntax[c].read(rd, syntax) END;
    TRY
      CASE c OF
      | ' ', '\t', '\n', '\r', '\f', '\013' => RETURN NIL;
      | ';' =>
        (* The end of the file also ends a comment. *)
        TRY
          WHILE Rd.GetChar(rd) # '\n' DO END;
        EXCEPT Rd.EndOfFile =>
        END;
        RETURN NIL;
      | '(' => RETURN RefList.List1(ReadDelimitedList(rd, ')', syntax));
      | '\'' => RETURN RefList.List1(ReadChar(rd));
      | '\"' => RETURN RefList.List1(ReadQuoted(rd, c));
      | '|' => RETURN RefList.List1(Atom.FromText(ReadQuoted(rd, c)));
      | '0'..'9' => RETURN RefList.List1(ReadNumber(rd, c, FALSE));
      ELSE
        IF c IN Letters THEN
          RETURN RefList.List1(ReadSymbol(rd, c, Letters + Digits + SET OF CHAR{'_'}));
        ELSIF c IN Specials THEN
          IF c = '+' OR c = '-' THEN
            WITH next = Peek(rd) DO
              IF next IN Digits THEN
                RETURN RefList.List1(ReadNumber(rd, Rd.GetChar(rd), c = '-'));
              END;
            END;
          END;
          RETURN RefList.List1(ReadSymbol(rd, c, Specials));
        END;
        RAISE ReadError("wrong character: " & Fmt.Char(c));
      END;
    EXCEPT
    | Rd.EndOfFile => RAISE ReadError("an expression is not complete");
    END;
  END ReadSome;

(* The next character, which stays in the reader; a blank at the end. *)
PROCEDURE Peek(rd: Rd.T): CHAR RAISES {Rd.Failure, Thread.Alerted} =
  VAR c: CHAR;
  BEGIN
    TRY
      c := Rd.GetChar(rd);
    EXCEPT Rd.EndOfFile => RETURN ' '
    END;
    Rd.UnGetChar(rd);
    RETURN c;
  END Peek;

PROCEDURE ReadSymbol(rd: Rd.T; c: CHAR; READONLY set: SET OF CHAR): Atom.T
  RAISES {Rd.Failure, Rd.EndOfFile, Thread.Alerted} =
  <*FATAL Wr.Failure*>
  VAR wr := TextWr.New();
  BEGIN
    Wr.PutChar(wr, c);
    WHILE Peek(rd) IN set DO Wr.PutChar(wr, Rd.GetChar(rd)) END;
    RETURN Atom.FromText(TextWr.ToText(wr));
  END ReadSymbol;

PROCEDURE ReadChar(rd: Rd.T): REF CHAR
  RAISES {ReadError, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR c := Rd.GetChar(rd);
  BEGIN
    IF c = '\\' THEN
      c := ReadEscape(rd);
    ELSIF c = '\'' OR c = '\n' THEN
      RAISE ReadError("wrong character between quotes");
    END;
    IF Rd.GetChar(rd) # '\'' THEN RAISE ReadError("a quote is missing after a character") END;
    RETURN FromChar(c);
  END ReadChar;

(* Reads the rest of a text or symbol up to the quote. *)
PROCEDURE ReadQuoted(rd: Rd.T; quote: CHAR): TEXT
  RAISES {ReadError, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  <*FATAL Wr.Failure*>
  VAR wr := TextWr.New();  c: CHAR;
  BEGIN
    LOOP
      c := Rd.GetChar(rd);
      IF c = quote THEN RETURN TextWr.ToText(wr) END;
      IF c = '\\' THEN c := ReadEscape(rd) END;
      Wr.PutChar(wr, c);
    END;
  END ReadQuoted;

(* The character of an escape whose backslash has been read. *)
PROCEDURE ReadEscape(rd: Rd.T): CHAR
  RAISES {ReadError, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR c := Rd.GetChar(rd);  code := 0;
  BEGIN
    CASE c OF
    | 'n' => RETURN '\n';
    | 't' => RETURN '\t';
    | 'r' => RETURN '\r';
    | 'f' => RETURN '\f';
    | '\\', '\'', '\"', '|' => RETURN c;
    | '0'..'7' =>
      code := ORD(c) - ORD('0');
      FOR i := 1 TO 2 DO
        c := Rd.GetChar(rd);
        IF c < '0' OR c > '7' THEN RAISE ReadError("an escape of fewer than three digits") END;
        code := 8 * code + ORD(c) - ORD('0');
      END;
      IF code > ORD(LAST(CHAR)) THEN RAISE ReadError("an escape that is too great") END;
      RETURN VAL(code, CHAR);
    ELSE
      RAISE ReadError("wrong escape: \\" & Fmt.Char(c));
    END;
  END ReadEscape;

(* A number that begins with the digit c. *)
PROCEDURE ReadNumber(rd: Rd.T; c: CHAR; negative: BOOLEAN): REFANY
  RAISES {ReadError, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  <*FATAL Wr.Failure*>
  CONST
    HexDigits = SET OF CHAR{'0'..'9', 'a'..'f', 'A'..'F'};
    Exponents = SET OF CHAR{'e', 'E', 'd', 'D', 'x', 'X'};
  VAR
    wr := TextWr.New();
    letter := 'e';

  (* Takes characters of the set. *)
  PROCEDURE Take(READONLY set: SET OF CHAR) RAISES {Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
    BEGIN
      WHILE Peek(rd) IN set DO Wr.PutChar(wr, Rd.GetChar(rd)) END;
    END Take;

  PROCEDURE Number(): TEXT =
    BEGIN
      RETURN TextWr.ToText(wr);
    END Number;

  BEGIN
    Wr.PutChar(wr, c);
    TRY
      Take(Digits);
      IF Peek(rd) = '_' THEN
        RETURN FromInt(ReadBased(rd, Number(), HexDigits, negative));
      ELSIF Peek(rd) # '.' THEN
        IF negative THEN RETURN FromInt(Scan.Int("-" & Number())) END;
        RETURN FromInt(Scan.Int(Number()));
      END;
      IF negative THEN
        WITH digits = Number() DO Wr.PutText(wr, "-" & digits) END;
      END;
      Wr.PutChar(wr, Rd.GetChar(rd));
      IF NOT Peek(rd) IN Digits THEN RAISE ReadError("a digit is missing after a point") END;
      Take(Digits);
      IF Peek(rd) IN Exponents THEN
        letter := Rd.GetChar(rd);
        Wr.PutChar(wr, 'e');
        IF Peek(rd) IN SET OF CHAR{'+', '-'} THEN Wr.PutChar(wr, Rd.GetChar(rd)) END;
        IF NOT Peek(rd) IN Digits THEN RAISE ReadError("a digit is missing in an exponent") END;
        Take(Digits);
      END;
      CASE letter OF
      | 'e', 'E' => RETURN FromReal(Scan.Real(Number()));
      | 'd', 'D' => RETURN FromLongReal(Scan.LongReal(Number()));
      ELSE RETURN FromExtended(Scan.Extended(Number()));
      END;
    EXCEPT
    | Lex.Error, FloatMode.Trap => RAISE ReadError("a number that is too great");
    END;
  END ReadNumber;

(* Numbers like 16_FF: the base has been read, the underscore has not. *)
PROCEDURE ReadBased(rd: Rd.T; base: TEXT; READONLY digits: SET OF CHAR; negative: BOOLEAN): INTEGER
  RAISES {ReadError, Rd.EndOfFile, Rd.Failure, Thread.Alerted, Lex.Error, FloatMode.Trap} =
  VAR b := Scan.Int(base);  n: Word.T := 0;  digit: INTEGER;  c: CHAR;
  BEGIN
    IF b < 2 OR b > 16 THEN RAISE ReadError("a base that is not from 2 to 16") END;
    EVAL Rd.GetChar(rd);
    IF NOT Peek(rd) IN digits THEN RAISE ReadError("a digit is missing after the base") END;
    WHILE Peek(rd) IN digits DO
      c := Rd.GetChar(rd);
      CASE c OF
      | '0'..'9' => digit := ORD(c) - ORD('0');
      | 'a'..'f' => digit := ORD(c) - ORD('a') + 10;
      ELSE digit := ORD(c) - ORD('A') + 10;
      END;
      IF digit >= b THEN RAISE ReadError("a digit that its base does not have") END;
      IF Word.GT(n, Word.Divide(Word.Minus(Word.Not(0), digit), b)) THEN
        RAISE ReadError("a number that is too great");
      END;
      n := Word.Plus(Word.Times(n, b), digit);
    END;
    IF negative THEN n := Word.Minus(0, n) END;
    RETURN n;
  END ReadBased;

(* Printing. *)

PROCEDURE Print(wr: Wr.T; sx: T; maxDepth: CARDINAL := LAST(CARDINAL);
                maxLength: CARDINAL := LAST(CARDINAL))
  RAISES {PrintError, Wr.Failure, Thread.Alerted} =
  BEGIN
    TYPECASE sx OF
    | NULL => Wr.PutText(wr, "()");
    | REF CHAR (c) =>
      Wr.PutChar(wr, '\'');
      PrintChar(wr, c^, '\'');
      Wr.PutChar(wr, '\'');
    | REF INTEGER (i) => Wr.PutText(wr, Fmt.Int(i^));
    | REF REAL (r) => PrintReal(wr, Fmt.Real(r^, literal := TRUE));
    | REF LONGREAL (r) => PrintReal(wr, Fmt.LongReal(r^, literal := TRUE));
    | REF EXTENDED (r) => PrintReal(wr, Fmt.Extended(r^, literal := TRUE));
    | TEXT (t) => PrintQuoted(wr, t, '\"');
    | Atom.T (a) =>
      PrintSymbol(wr, Atom.ToText(a));
    | RefList.T (l) =>
      IF maxDepth = 0 THEN
        Wr.PutText(wr, "...");
      ELSE
        PrintList(wr, l, maxDepth - 1, maxLength);
      END;
    ELSE
      RAISE PrintError("an object that is not of a type of symbolic expressions");
    END;
  END Print;

PROCEDURE PrintList(wr: Wr.T; l: RefList.T; maxDepth, maxLength: CARDINAL)
  RAISES {PrintError, Wr.Failure, Thread.Alerted} =
  VAR n: CARDINAL := 0;
  BEGIN
    Wr.PutChar(wr, '(');
    WHILE l # NIL DO
      IF n > 0 THEN Wr.PutChar(wr, ' ') END;
      IF n = maxLength THEN
        Wr.PutText(wr, "...");
        EXIT;
      END;
      Print(wr, l.head, maxDepth, maxLength);
      INC(n);
      l := l.tail;
    END;
    Wr.PutChar(wr, ')');
  END PrintList;

PROCEDURE PrintSymbol(wr: Wr.T; t: TEXT) RAISES {PrintError, Wr.Failure, Thread.Alerted} =
  BEGIN
    IF Plain(t) THEN Wr.PutText(wr, t) ELSE PrintQuoted(wr, t, '|') END;
  END PrintSymbol;

(* An infinity or a NaN is read as a symbol. *)
PROCEDURE PrintReal(wr: Wr.T; t: TEXT) RAISES {PrintError, Wr.Failure, Thread.Alerted} =
  BEGIN
    IF Text.FindChar(t, '.') >= 0 THEN Wr.PutText(wr, t) ELSE PrintSymbol(wr, t) END;
  END PrintReal;

(* A text with a character that is not in CHAR cannot be written. *)
PROCEDURE PrintQuoted(wr: Wr.T; t: TEXT; quote: CHAR) RAISES {PrintError, Wr.Failure, Thread.Alerted} =
  BEGIN
    IF NOT TextRep.IsNarrow(t) THEN RAISE PrintError(t) END;
    Wr.PutChar(wr, quote);
    FOR i := 0 TO Text.Length(t) - 1 DO PrintChar(wr, Text.GetChar(t, i), quote) END;
    Wr.PutChar(wr, quote);
  END PrintQuoted;

PROCEDURE PrintChar(wr: Wr.T; c, quote: CHAR) RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    IF c = quote OR c = '\\' THEN
      Wr.PutChar(wr, '\\');
      Wr.PutChar(wr, c);
    ELSIF c = '\n' THEN
      Wr.PutText(wr, "\\n");
    ELSIF c = '\t' THEN
      Wr.PutText(wr, "\\t");
    ELSIF c = '\r' THEN
      Wr.PutText(wr, "\\r");
    ELSIF c = '\f' THEN
      Wr.PutText(wr, "\\f");
    ELSIF c < ' ' OR c > '~' THEN
      Wr.PutText(wr, "\\" & Fmt.Pad(Fmt.Int(ORD(c), 8), 3, '0'));
    ELSE
      Wr.PutChar(wr, c);
    END;
  END PrintChar;

(* Whether a symbol needs no bars. *)
PROCEDURE Plain(t: TEXT): BOOLEAN =
  VAR n := Text.Length(t);  set: SET OF CHAR;
  BEGIN
    IF n = 0 OR NOT TextRep.IsNarrow(t) THEN RETURN FALSE END;
    IF Text.GetChar(t, 0) IN Letters THEN
      set := Letters + Digits + SET OF CHAR{'_'};
    ELSE
      set := Specials;
    END;
    FOR i := 0 TO n - 1 DO
      IF NOT Text.GetChar(t, i) IN set THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END Plain;

(* Syntaxes. *)

PROCEDURE CopySyntax(s: Syntax := NIL): Syntax =
  VAR result := NEW(Syntax);
  BEGIN
    IF s # NIL THEN result^ := s^ END;
    RETURN result;
  END CopySyntax;

PROCEDURE SetReadMacro(s: Syntax; ch: CHAR; m: ReadMacro) =
  BEGIN
    s[ch] := m;
  END SetReadMacro;

BEGIN
  True := Atom.FromText("TRUE");
  False := Atom.FromText("FALSE");
END Sx.
