(* A pretty printer: texts and hints where lines may be broken go in, lines that fit into a width come
   out. Hints stand inside objects (Begin, Group, Align, each closed by End). An object that fits on
   what is left of the line is printed on it, without any breaks; in one that does not, breaks are
   taken as they need. Blanks at the end of a line are not printed.

   Output appears at Flush and Close. A formatter may be used by one thread at a time. *)
INTERFACE Formatter;

IMPORT Text, Wr;

TYPE
  T <: REFANY;

(* A formatter with lines of at most width characters, where the hints allow that. *)
PROCEDURE New(wr: Wr.T; width: CARDINAL := 75): T RAISES {};

(* The writer to which t prints. *)
PROCEDURE UnderlyingWr(t: T): Wr.T RAISES {};

(* Prints all that has been put, as if open objects were closed and opened again; flushes wr. *)
PROCEDURE Flush(t: T) RAISES {Wr.Failure};

(* Flush, and the end of t's use. wr stays open. *)
PROCEDURE Close(t: T) RAISES {Wr.Failure};

(* A newline in a text is a NewLine, unless raw. *)
PROCEDURE PutText(t: T; text: Text.T; raw := FALSE) RAISES {Wr.Failure};
PROCEDURE PutChar(t: T; c: CHAR) RAISES {Wr.Failure};

(* Places where the line may end. The next one then begins offset columns right of the object's
   margin. With freshLine, a line on which nothing has been printed does not end, but is indented. *)

TYPE
  BreakType = {NonOptimal, OptimalBreak, OptimalNoBreak};

(* Taken if what follows, up to the next place, does not fit. NonOptimal looks at the text up to the
   next place in any object, the others up to the next one in this object. *)
PROCEDURE Break(t: T; offset := 0; type := BreakType.OptimalBreak; freshLine := TRUE)
  RAISES {Wr.Failure};

(* Taken if the object has begun on an earlier line. *)
PROCEDURE PartialBreak(t: T; offset := 0; freshLine := TRUE) RAISES {Wr.Failure};

(* Taken if the object does not fit on one line: all of its united breaks, or none. *)
PROCEDURE UnitedBreak(t: T; offset := 0; freshLine := TRUE) RAISES {Wr.Failure};

(* Always taken. *)
PROCEDURE NewLine(t: T; offset := 0; freshLine := TRUE) RAISES {Wr.Failure};

(* Begins an object with the margin of the one around it. *)
PROCEDURE Group(t: T) RAISES {Wr.Failure};

(* Begins an object whose margin is offset columns right of where it begins, and that may be width
   columns wide. *)
PROCEDURE Begin(t: T; offset := 0; width: CARDINAL := LAST(CARDINAL)) RAISES {Wr.Failure};

TYPE
  AlignPred = OBJECT METHODS
    (* Whether a row may be aligned whose entry in this column is width wide, when the widest is
       maxWidth. *)
    pred(column: CARDINAL; maxWidth: CARDINAL; width: CARDINAL): BOOLEAN;
  END;

(* Begins a table. Its objects are the rows, the objects in a row its entries, of which the first
   `columns` are aligned with those above and below, unless alignPred, if not NIL, is FALSE for one.
   Each row but the first begins a line; the margin is offset columns right of where the table begins.
   All rows are on one line if tryOneLine and they fit. *)
PROCEDURE Align(t: T; columns: CARDINAL; tryOneLine: BOOLEAN := TRUE; offset: INTEGER := 0;
                alignPred: AlignPred := NIL) RAISES {Wr.Failure};

(* In a table: begins a row, closed by End, that is not aligned. *)
PROCEDURE NoAlign(t: T) RAISES {Wr.Failure};

(* Blanks up to this column, counted from 0, or, if relative, from the object's margin; at least
   `space` of them. *)
PROCEDURE Col(t: T; column: INTEGER; relative := FALSE; space: CARDINAL := 0)
  RAISES {Wr.Failure};

(* Closes the object begun last; a checked run-time error if there is none. *)
PROCEDURE End(t: T) RAISES {Wr.Failure};

END Formatter.
