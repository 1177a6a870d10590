(* Symbolic expressions: trees of lists, numbers, characters, texts and symbols, as texts.

   A number, character or text is written as in Modula-3, a number perhaps with a sign before it. A
   symbol is a letter with letters, digits and "_" after it; or characters from
   !#$%&*+-./:<=>?@[]^_{}~ (a sign before a digit is the number's); or any characters between bars,
   with the escapes of texts and \| for a bar. A list has its elements between parentheses. From ;
   to the end of the line is a comment. Blanks are needed only where two expressions would be read
   as one. *)
INTERFACE Sx;

IMPORT Atom, Rd, RefList, Thread, Wr;

TYPE
  (* REF CHAR, REF INTEGER, REF REAL, REF LONGREAL, REF EXTENDED, TEXT, Atom.T, or a RefList.T of
     these. *)
  T = REFANY;

EXCEPTION
  ReadError(TEXT);   (* the error in the input *)
  PrintError(TEXT);  (* the part of the expression that cannot be written: an object of another type, or a text or
                        symbol with a character that is not in CHAR *)

(* The value in a new object. *)
PROCEDURE FromChar(c: CHAR): REF CHAR;
PROCEDURE FromInt(i: INTEGER): REF INTEGER;
PROCEDURE FromReal(r: REAL): REF REAL;
PROCEDURE FromLongReal(r: LONGREAL): REF LONGREAL;
PROCEDURE FromExtended(r: EXTENDED): REF EXTENDED;

(* True or False, the symbols TRUE and FALSE. *)
PROCEDURE FromBool(b: BOOLEAN): Atom.T;

VAR (*CONST*)
  True, False: Atom.T;

(* The next expression; EndOfFile if only blanks and comments are left. A failure of rd is a
   ReadError. *)
PROCEDURE Read(rd: Rd.T; syntax: Syntax := NIL): T
  RAISES {ReadError, Rd.EndOfFile, Thread.Alerted};

(* Reads the expressions up to the character delim, and delim itself. *)
PROCEDURE ReadDelimitedList(rd: Rd.T; delim: CHAR; syntax: Syntax := NIL): RefList.T
  RAISES {ReadError, Thread.Alerted};

(* Writes sx so that Read returns an equal expression, except that infinities and NaNs come back
   as symbols. "..." stands for lists nested deeper than maxDepth, and for the elements of a list
   after the first maxLength. *)
PROCEDURE Print(wr: Wr.T; sx: T; maxDepth: CARDINAL := LAST(CARDINAL);
                maxLength: CARDINAL := LAST(CARDINAL))
  RAISES {PrintError, Wr.Failure, Thread.Alerted};

TYPE
  (* The meaning of characters at the beginning of an expression; NIL is the syntax above. *)
  Syntax <: REFANY;

PROCEDURE CopySyntax(s: Syntax := NIL): Syntax;

(* Makes m the macro for ch; NIL restores the default meaning of ch. *)
PROCEDURE SetReadMacro(s: Syntax; ch: CHAR; m: ReadMacro);

TYPE
  ReadMacro = OBJECT METHODS
    (* Called when ch has been read; returns the expressions that take its place. Read accepts at
       most one expression, and reads on if there is none. *)
    read(rd: Rd.T; s: Syntax): RefList.T RAISES {ReadError, Thread.Alerted};
  END;

END Sx.
