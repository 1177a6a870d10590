(* What Unicode says about characters: normal forms, upper and lower case, what a reader sees as one
   character, widths; by the library utf8proc (package libutf8proc-dev). Texts are UTF-8, and
   Utf8.Error is raised for those that are not; a text in WIDECHAR, whose 16 bits are a code unit of
   UTF-16, becomes one by Utf8.FromWide.

   Example, with an e that has an acute accent, and one before an accent:

       MODULE Main;
       IMPORT Fmt, IO, Text, Unicode, Utf8;
       <*FATAL Utf8.Error*>
       VAR
         composed := Utf8.FromCode(16_E9);
         apart := "e" & Utf8.FromCode(16_301);
       BEGIN
         IO.Put(Fmt.Bool(Text.Equal(composed, apart)) & " "
                & Fmt.Bool(Text.Equal(composed, Unicode.Normalize(apart))) & "\n");
         IO.Put(Fmt.Int(Text.Length(apart)) & " bytes, " & Fmt.Int(Utf8.Count(apart)) & " code points, "
                & Fmt.Int(NUMBER(Unicode.Graphemes(apart)^)) & " character\n");
       END Main.

   It prints

       FALSE TRUE
       3 bytes, 2 code points, 1 character
*)
INTERFACE Unicode;

IMPORT Utf8;

TYPE
  CodePoint = Utf8.CodePoint;
  Texts = REF ARRAY OF TEXT;

  (* Characters that are equal for a reader have the same code points in a normal form: composed (C)
     or decomposed (D), and with K those that differ only in their form, as ligatures do. *)
  Form = {NFC, NFD, NFKC, NFKD};

  (* By their names in Unicode: Lu is an upper case letter, Nd a decimal digit; Cn is not assigned. *)
  Category = {Cn, Lu, Ll, Lt, Lm, Lo, Mn, Mc, Me, Nd, Nl, No, Pc, Pd, Ps, Pe, Pi, Pf, Po, Sm, Sc, Sk,
              So, Zs, Zl, Zp, Cc, Cf, Cs, Co};

PROCEDURE Normalize(t: TEXT; form := Form.NFC): TEXT RAISES {Utf8.Error};

(* Each code point in the other case where it has one. A code point becomes one other, so FI written
   as one ligature stays so. No rules of languages. *)
PROCEDURE ToUpper(t: TEXT): TEXT RAISES {Utf8.Error};
PROCEDURE ToLower(t: TEXT): TEXT RAISES {Utf8.Error};
PROCEDURE Upper(c: CodePoint): CodePoint;
PROCEDURE Lower(c: CodePoint): CodePoint;
PROCEDURE Title(c: CodePoint): CodePoint;

(* A text that is the same for texts that differ only in case; the sharp s becomes ss. *)
PROCEDURE Fold(t: TEXT): TEXT RAISES {Utf8.Error};

(* The extended grapheme clusters of t: what a reader sees as one character each. *)
PROCEDURE Graphemes(t: TEXT): Texts RAISES {Utf8.Error};

(* The number of columns that a terminal uses: 2 for wide characters of East Asia, 0 for marks and
   control characters. *)
PROCEDURE Width(t: TEXT): CARDINAL RAISES {Utf8.Error};
PROCEDURE WidthOf(c: CodePoint): CARDINAL;

PROCEDURE CategoryOf(c: CodePoint): Category;

(* The version of Unicode that the library knows: "15.0.0". *)
PROCEDURE Version(): TEXT;

END Unicode.
