(* Texts as programs use them every day: split, join, trim, search, replace, pad. Positions count from 0. Only the
   letters of ASCII have upper and lower case; a character is a CHAR or WIDECHAR, so a letter of UTF-8 beyond ASCII
   counts as several. No procedure changes its arguments; NIL for a text is a checked run-time error.

   Example:

       MODULE Main;
       IMPORT IO, Texts;
       VAR fields := Texts.Split("name = Ada; born = 1815", ";");
       BEGIN
         FOR i := 0 TO LAST(fields^) DO
           WITH name = Texts.Trim(Texts.Before(fields[i], "=")), value = Texts.Trim(Texts.After(fields[i], "=")) DO
             IO.Put(Texts.PadRight(Texts.Upper(name), 6) & value & "\n");
           END;
         END;
         IO.Put(Texts.Join(Texts.Words("  one two\tthree ")^, "+") & "\n");
         IO.Put(Texts.Replace("a-b-c", "-", ", ") & "\n");
       END Main.

   It prints

       NAME  Ada
       BORN  1815
       one+two+three
       a, b, c
*)
INTERFACE Texts;

TYPE
  Array = REF ARRAY OF TEXT;

CONST
  Blanks = SET OF CHAR{' ', '\t', '\n', '\r', '\013', '\f'};

(* The pieces of t between the separators: one more than there are separators, so at least one. With at most `most`
   pieces, the last one has the rest of t. The separator must not be empty, nor `most` 0: checked run-time errors. *)
PROCEDURE Split(t, separator: TEXT; most: CARDINAL := LAST(CARDINAL)): Array;

(* The longest pieces of t without blanks; none is empty. *)
PROCEDURE Words(t: TEXT; READONLY blanks := Blanks): Array;

(* The lines of t, each without the newline or carriage return and newline that ends it. A newline at the end of t
   begins no further line, so "" has no lines. *)
PROCEDURE Lines(t: TEXT): Array;

(* The parts, with the separator between each two. *)
PROCEDURE Join(READONLY parts: ARRAY OF TEXT; separator := ""): TEXT;

(* t, n times. *)
PROCEDURE Repeat(t: TEXT; n: CARDINAL): TEXT;

(* t without the blanks at its ends, at its start, or at its end. *)
PROCEDURE Trim(t: TEXT; READONLY blanks := Blanks): TEXT;
PROCEDURE TrimLeft(t: TEXT; READONLY blanks := Blanks): TEXT;
PROCEDURE TrimRight(t: TEXT; READONLY blanks := Blanks): TEXT;

PROCEDURE Lower(t: TEXT): TEXT;
PROCEDURE Upper(t: TEXT): TEXT;

(* Every text contains, starts with and ends with the empty text. *)
PROCEDURE Contains(t, part: TEXT): BOOLEAN;
PROCEDURE StartsWith(t, prefix: TEXT): BOOLEAN;
PROCEDURE EndsWith(t, suffix: TEXT): BOOLEAN;

(* t without the prefix or suffix; t itself if it has none. *)
PROCEDURE WithoutPrefix(t, prefix: TEXT): TEXT;
PROCEDURE WithoutSuffix(t, suffix: TEXT): TEXT;

(* The first position >= start, or the last position, at which part begins; -1 if there is none. *)
PROCEDURE Find(t, part: TEXT; start: CARDINAL := 0): INTEGER;
PROCEDURE FindLast(t, part: TEXT): INTEGER;

(* How often part occurs, occurrences that overlap an earlier one not counted. part must not be empty: a checked
   run-time error. *)
PROCEDURE Count(t, part: TEXT): CARDINAL;

(* What stands before and after the first separator. Without one, Before is t and After is "". *)
PROCEDURE Before(t, separator: TEXT): TEXT;
PROCEDURE After(t, separator: TEXT): TEXT;

(* t with the first `most` occurrences of old replaced by new, from left to right. old must not be empty: a checked
   run-time error. *)
PROCEDURE Replace(t, old, new: TEXT; most: CARDINAL := LAST(CARDINAL)): TEXT;

(* t with as many `fill` before it, behind it, or on both sides as make it `width` characters long; a longer t stays
   as it is. Center puts an odd one behind. *)
PROCEDURE PadLeft(t: TEXT; width: CARDINAL; fill := ' '): TEXT;
PROCEDURE PadRight(t: TEXT; width: CARDINAL; fill := ' '): TEXT;
PROCEDURE Center(t: TEXT; width: CARDINAL; fill := ' '): TEXT;

(* The rows as lines, each cell padded to the width of its column, with `gap` between two columns and no blanks at the
   ends of lines. Character i of `aligns` puts the cells of column i to the left (<), to the right (>) or into the
   middle (^); columns without one are put to the left. Rows may have different numbers of cells; NIL cells are
   empty. *)
PROCEDURE Columns(READONLY rows: ARRAY OF Array; aligns := ""; gap := "  "): TEXT;

END Texts.
