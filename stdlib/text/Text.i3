(* Texts: immutable sequences of characters, numbered from 0. NIL is not a text: giving it to any
   procedure here is a checked run-time error.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Text;
       VAR t := "key" & "=" & "value";  at := Text.FindChar(t, '=');
       BEGIN
         IO.Put(Text.Sub(t, 0, at) & " has " & Text.Sub(t, at + 1) & ", "
                & Fmt.Int(Text.Length(t)) & " characters\n");
         IO.Put(Fmt.Bool(Text.Equal(t, "key=value")) & "\n");
       END Main.

   It prints

       key has value, 9 characters
       TRUE
*)
INTERFACE Text;

IMPORT TextClass, Word;

TYPE
  T = TEXT;

CONST
  Brand = TextClass.Brand;

(* The number of characters, and whether it is 0. *)
PROCEDURE Length(t: T): CARDINAL;
PROCEDURE Empty(t: T): BOOLEAN;

(* Whether t and u have the same length and the same characters. *)
PROCEDURE Equal(t, u: T): BOOLEAN;

(* Lexicographic, by the characters' codes. *)
PROCEDURE Compare(t1, t2: T): [-1..1];

(* The characters of t, then those of u. The operator & calls Cat. For texts beyond a small
   length Cat takes O(log n) time, so texts may be built piece by piece. *)
PROCEDURE Cat(t, u: T): T;

(* The characters start .. start + length - 1 of t, or those of them that exist. *)
PROCEDURE Sub(t: T; start: CARDINAL; length: CARDINAL := LAST(CARDINAL)): T;

(* The same for equal texts, in every run and on every machine, so tables with texts as keys may be
   persistent. *)
PROCEDURE Hash(t: T): Word.T;

(* Whether t is stored as wide characters; if not, all its characters are in CHAR. *)
PROCEDURE HasWideChars(t: T): BOOLEAN;

(* The character at position i. A checked run-time error if i >= Length(t), or, for GetChar, if the
   character is not in CHAR. *)
PROCEDURE GetChar(t: T; i: CARDINAL): CHAR;
PROCEDURE GetWideChar(t: T; i: CARDINAL): WIDECHAR;

(* Copy characters from position start on, until a is full or t ends. *)
PROCEDURE SetChars(VAR a: ARRAY OF CHAR; t: T; start: CARDINAL := 0);
PROCEDURE SetWideChars(VAR a: ARRAY OF WIDECHAR; t: T; start: CARDINAL := 0);

(* Texts of one character, and of the characters of an array. *)
PROCEDURE FromChar(ch: CHAR): T;
PROCEDURE FromWideChar(ch: WIDECHAR): T;
PROCEDURE FromChars(READONLY a: ARRAY OF CHAR): T;
PROCEDURE FromWideChars(READONLY a: ARRAY OF WIDECHAR): T;

(* The smallest position >= start, or the largest <= start for R, that holds c; -1 if none does. start
   may lie outside the text. *)
PROCEDURE FindChar(t: T; c: CHAR; start := 0): INTEGER;
PROCEDURE FindWideChar(t: T; c: WIDECHAR; start := 0): INTEGER;
PROCEDURE FindCharR(t: T; c: CHAR; start := LAST(INTEGER)): INTEGER;
PROCEDURE FindWideCharR(t: T; c: WIDECHAR; start := LAST(INTEGER)): INTEGER;

TYPE
  (* Procedures to which ForAllDo passes a run of characters. *)
  ProcOfString = PROCEDURE (READONLY ArrCh: ARRAY OF CHAR) RAISES ANY;
  ProcOfWideString = PROCEDURE (READONLY ArrWch: ARRAY OF WIDECHAR) RAISES ANY;

(* Passes the characters of t in order, run by run, to one of the two procedures. *)
PROCEDURE ForAllDo(t: TEXT; VisitString: ProcOfString; VisitWideString: ProcOfWideString)
  RAISES ANY;

END Text.
