(* Compressed streams and texts of the format zstd (RFC 8878), by its library (package libzstd-dev).
   All texts are of bytes: their characters are in CHAR.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Text, Zstd;
       <*FATAL Zstd.Error*>
       VAR compressed, long := "0123456789";
       BEGIN
         FOR i := 1 TO 10 DO long := long & long END;
         compressed := Zstd.Compress(long);
         IO.Put(Fmt.Int(Text.Length(long)) & " " & Fmt.Bool(Text.Length(compressed) < 100) & " "
                & Fmt.Bool(Text.Equal(Zstd.Expand(compressed), long)) & "\n");
       END Main.

   It prints

       10240 TRUE TRUE
*)
INTERFACE Zstd;

IMPORT Rd, Wr;

TYPE
  Level = [1 .. 19];  (* 19: smallest and slowest *)

EXCEPTION
  Error(TEXT);  (* what the library says *)

(* A reader of what `source` holds compressed, one frame or several that follow each other, to its
   end. Data that are damaged or not complete raise Rd.Failure with what the library says. Closing the
   reader leaves the source open. *)
PROCEDURE NewRd(source: Rd.T): Rd.T RAISES {Error};

(* A writer that sends what is put to `target`, as one frame with a checksum. Wr.Flush sends all that
   was put so far; Wr.Close ends the frame, and leaves the target open. *)
PROCEDURE NewWr(target: Wr.T; level: Level := 3): Wr.T RAISES {Error};

(* Whole texts. Expand raises Error also for a result of more than `most` characters: a small text may
   expand to 10000 times its length. *)
PROCEDURE Compress(t: TEXT; level: Level := 3): TEXT RAISES {Error};
PROCEDURE Expand(t: TEXT; most: CARDINAL := LAST(CARDINAL)): TEXT RAISES {Error};

END Zstd.
