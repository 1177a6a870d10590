(* Regular expressions: those of Perl, by the library PCRE2 (package libpcre2-dev). A pattern is
   compiled once, and then matched with any number of texts, by any number of threads at once.

   CHARACTERS. A text whose characters are all in CHAR holds the bytes of UTF-8: in a pattern "."
   and classes stand for one code point, \w and \d for letters and digits of all languages, and a
   text that is not valid UTF-8 is an Error. With Option.Bytes each character is one of its own
   instead, of any value. A text with wide characters is matched as the code points of its UTF-16
   (see Utf8); with Option.Bytes it is an Error. Positions are those of the text's own characters,
   as in Text.Sub.

   LIMITS. Some patterns need exponential time for some texts. A match that tries more than `limit`
   steps is an Error.

   Example:

       MODULE Main;
       IMPORT IO, Regex;
       <*FATAL Regex.Error*>
       VAR
         date := Regex.Compile("(?<year>\\d{4})-(\\d\\d)-(\\d\\d)");
         text := "from 2024-02-29 to 2025-03-01";
         all := Regex.FindAll(date, text);
       BEGIN
         FOR i := 0 TO LAST(all^) DO
           IO.Put(Regex.Named(date, text, all[i], "year") & " " & Regex.Group(text, all[i], 2) & "\n");
         END;
         IO.Put(Regex.Replace(date, text, "$3.$2.${year}") & "\n");
       END Main.

   It prints

       2024 02
       2025 03
       from 29.02.2024 to 01.03.2025
*)
INTERFACE Regex;

TYPE
  (* A compiled pattern; its memory is freed some time after the last use. Not saved in databases. *)
  T <: <*TRANSIENT*> REFANY;

  Option = {
    IgnoreCase,  (* letters match those of the other case *)
    Lines,       (* ^ and $ also match at the beginnings and ends of lines *)
    DotAll,      (* . also matches ends of lines *)
    Extended,    (* blanks in the pattern are ignored, and # begins a comment *)
    Bytes        (* see CHARACTERS *)
  };
  Options = SET OF Option;

  (* The characters start .. end - 1; -1 and -1 of a group that has no part in the match. *)
  Range = RECORD
    start, end: INTEGER;
  END;

  (* A match: [0] is the range of all of it, [n] that of the n-th group. *)
  Match = REF ARRAY OF Range;
  Matches = REF ARRAY OF Match;
  Texts = REF ARRAY OF TEXT;

CONST
  NoRange = Range{-1, -1};
  DefaultLimit = 10000000;

EXCEPTION
  Error(TEXT);

(* Raises Error if the pattern is wrong, with its position. *)
PROCEDURE Compile(pattern: TEXT; options := Options{}; limit: CARDINAL := DefaultLimit): T
  RAISES {Error};

(* Whether all of t matches. *)
PROCEDURE Matching(re: T; t: TEXT): BOOLEAN RAISES {Error};

(* The first match at or behind `start`; NIL if there is none. What is before `start` counts for ^,
   \b and looking back. *)
PROCEDURE Find(re: T; t: TEXT; start: CARDINAL := 0): Match RAISES {Error};

(* All matches, from left to right, none in another one. *)
PROCEDURE FindAll(re: T; t: TEXT): Matches RAISES {Error};

(* The text of a group of a match in t, by number or by name; NIL if the group has no part in the
   match. A number or name that no group of the pattern has is a checked run-time error. *)
PROCEDURE Group(t: TEXT; m: Match; number: CARDINAL := 0): TEXT;
PROCEDURE Named(re: T; t: TEXT; m: Match; name: TEXT): TEXT;

(* The number of groups, and the number of the first group with the name; -1 if there is none. *)
PROCEDURE Groups(re: T): CARDINAL;
PROCEDURE Number(re: T; name: TEXT): INTEGER;

(* t with the first `most` matches replaced by `by`, in which $n and ${n} stand for group n, ${name}
   for the group with that name (nothing, if it has no part in the match), and $$ for $. Raises
   Error for a $ that is followed by none of these, and for groups that the pattern lacks. *)
PROCEDURE Replace(re: T; t, by: TEXT; most: CARDINAL := LAST(CARDINAL)): TEXT RAISES {Error};

(* The texts between the matches: at most `most` of them (not 0), of which the last has all the
   rest. An empty match at either end of t divides nothing. *)
PROCEDURE Split(re: T; t: TEXT; most: CARDINAL := LAST(CARDINAL)): Texts RAISES {Error};

(* A pattern that matches t and nothing else. *)
PROCEDURE Quote(t: TEXT): TEXT;

END Regex.
