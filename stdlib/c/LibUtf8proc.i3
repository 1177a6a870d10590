(* Some of the C library utf8proc. For programs there is Unicode. *)
<*LIBRARY "utf8proc", "libutf8proc-dev"*>
UNSAFE INTERFACE LibUtf8proc;

FROM Ctypes IMPORT const_char_star, int, unsigned_char;

CONST
  (* Options of decompose and reencode. *)
  STABLE = 2;  (* only what no later version of Unicode changes *)
  COMPAT = 4;
  COMPOSE = 8;
  DECOMPOSE = 16;
  CASEFOLD = 1024;

(* Writes the code points of a text of UTF-8, as the options change them, to an array of ints with
   room for `size`, and returns their number; if there is no room, the number that is needed.
   Negative: an error, which errmsg explains. *)
<*EXTERNAL "utf8proc_decompose"*>
PROCEDURE decompose(text: ADDRESS; bytes: INTEGER; to: ADDRESS; size: INTEGER; options: int): INTEGER;

(* Composes the code points if the options ask for that, and writes their UTF-8 and a zero in their
   place, where there must be room for one code point more. Returns the number of bytes. *)
<*EXTERNAL "utf8proc_reencode"*>
PROCEDURE reencode(codes: ADDRESS; count: INTEGER; options: int): INTEGER;

<*EXTERNAL "utf8proc_errmsg"*> PROCEDURE errmsg(code: INTEGER): const_char_star;
<*EXTERNAL "utf8proc_grapheme_break_stateful"*>
PROCEDURE grapheme_break(a, b: int; VAR state: int): unsigned_char;
<*EXTERNAL "utf8proc_tolower"*> PROCEDURE tolower(c: int): int;
<*EXTERNAL "utf8proc_toupper"*> PROCEDURE toupper(c: int): int;
<*EXTERNAL "utf8proc_totitle"*> PROCEDURE totitle(c: int): int;
<*EXTERNAL "utf8proc_charwidth"*> PROCEDURE charwidth(c: int): int;
<*EXTERNAL "utf8proc_category"*> PROCEDURE category(c: int): int;
<*EXTERNAL "utf8proc_unicode_version"*> PROCEDURE unicode_version(): const_char_star;

END LibUtf8proc.
