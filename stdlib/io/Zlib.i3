(* Compressed streams and texts of the formats of zlib, gzip and raw deflate (RFC 1950, 1952, 1951),
   by the library zlib (package zlib1g-dev). All texts are of bytes: their characters are in CHAR.

   Example:

       MODULE Main;
       IMPORT Fmt, IO, Rd, Text, TextRd, TextWr, Wr, Zlib;
       <*FATAL ANY*>
       VAR
         target := TextWr.New();
         wr := Zlib.NewWr(target, Zlib.Format.Gzip);
       BEGIN
         FOR i := 1 TO 1000 DO Wr.PutText(wr, "line " & Fmt.Int(i MOD 10) & "\n") END;
         Wr.Close(wr);
         WITH compressed = TextWr.ToText(target),
              rd = Zlib.NewRd(TextRd.New(compressed), Zlib.Format.Gzip) DO
           IO.Put(Fmt.Bool(Text.Length(compressed) < 100) & " " & Rd.GetLine(rd) & "\n");
         END;
       END Main.

   It prints

       TRUE line 1
*)
INTERFACE Zlib;

IMPORT Rd, Wr;

TYPE
  Format = {Zlib, Gzip, Raw};
  Level = [0 .. 9];  (* 0: not compressed; 9: smallest and slowest *)

EXCEPTION
  Error(TEXT);  (* what zlib says *)

(* A reader of what `source` holds compressed. It ends with the compressed data (with Format.Gzip,
   with the last of several members that follow each other), and may have read more of the source.
   Data that are damaged or not complete raise Rd.Failure with what zlib says. Closing the reader
   leaves the source open. *)
PROCEDURE NewRd(source: Rd.T; format := Format.Zlib): Rd.T RAISES {Error};

(* A writer that sends what is put to `target`, compressed. Wr.Flush sends all that was put so far;
   Wr.Close ends the compressed data, without which they cannot be read, and leaves the target open. *)
PROCEDURE NewWr(target: Wr.T; format := Format.Zlib; level: Level := 6): Wr.T RAISES {Error};

(* Whole texts. Expand raises Error also for a result of more than `most` characters: a small text may
   expand to 1000 times its length. *)
PROCEDURE Compress(t: TEXT; format := Format.Zlib; level: Level := 6): TEXT RAISES {Error};
PROCEDURE Expand(t: TEXT; format := Format.Zlib; most: CARDINAL := LAST(CARDINAL)): TEXT
  RAISES {Error};

END Zlib.
