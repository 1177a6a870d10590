(* A pretty printer: it takes texts and hints where lines may be broken, and prints lines that fit
   into a width. Hints stand inside objects (Begin, Group, Align, each closed by End). An object
   that fits on the rest of the line is printed there without breaks; in any other object, each
   break is taken under its own condition. Blanks at the end of a line are not printed.

   Output appears at Flush and Close. A formatter may be used by one thread at a time. *)
INTERFACE Formatter;

IMPORT Text, Wr;

TYPE
  T <: REFANY;

(* A formatter with lines of at most width characters, where the hints allow that. *)
PROCEDURE New(wr: Wr.T; width: CARDINAL := 75): T RAISES {};

(* The writer to which t prints. *)
PROCEDURE UnderlyingWr(t: T): Wr.T RAISES {};

(* Prints everything that has been put, as if open objects were closed and opened again; flushes
   wr. *)
PROCEDURE Flush(t: T) RAISES {Wr.Failure};

(* Calls Flush and ends the use of t. wr stays open. *)
PROCEDURE Close(t: T) RAISES {Wr.Failure};

(* A newline in a text is a NewLine, unless raw. *)
PROCEDURE PutText(t: T; text: Text.T; raw := FALSE) RAISES {Wr.Failure};
PROCEDURE PutChar(t: T; c: CHAR) RAISES {Wr.Failure};

(* Places where the line may end. The next line then begins offset columns to the right of the
   object's margin. With freshLine, an empty line does not end but is indented. *)

TYPE
  BreakType = {NonOptimal, OptimalBreak, OptimalNoBreak};

(* Taken if the text up to the next break does not fit. NonOptimal looks at the text up to the
   next break in any object, the others up to the next break in this object. *)
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

(* Begins an object whose margin is offset columns to the right of its beginning, and that may be
   width columns wide. *)
PROCEDURE Begin(t: T; offset := 0; width: CARDINAL := LAST(CARDINAL)) RAISES {Wr.Failure};

TYPE
  AlignPred = OBJECT METHODS
    (* Whether a row may be aligned whose entry in this column has width `width`, when the widest
       entry has width maxWidth. *)
    pred(column: CARDINAL; maxWidth: CARDINAL; width: CARDINAL): BOOLEAN;
  END;

(* Begins a table. Its objects are the rows; the objects in a row are its entries. The first
   `columns` entries of a row are aligned with those above and below, unless alignPred (if not
   NIL) returns FALSE for one of them. Each row except the first begins a line; the margin is
   offset columns to the right of the table's beginning. All rows are on one line if tryOneLine
   and they fit. *)
PROCEDURE Align(t: T; columns: CARDINAL; tryOneLine: BOOLEAN := TRUE; offset: INTEGER := 0;
                alignPred: AlignPred := NIL) RAISES {Wr.Failure};

(* In a table: begins a row, closed by End, that is not aligned. *)
PROCEDURE NoAlign(t: T) RAISES {Wr.Failure};

(* Prints blanks up to this column, counted from 0 or, if relative, from the object's margin; at
   least `space` blanks. *)
PROCEDURE Col(t: T; column: INTEGER; relative := FALSE; space: CARDINAL := 0)
  RAISES {Wr.Failure};

(* Closes the innermost open object; a checked run-time error if there is none. *)
PROCEDURE End(t: T) RAISES {Wr.Failure};

END Formatter.
