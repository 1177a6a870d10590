(* Texts whose characters lie in the object itself; text literals are of these types.

   Compiler and run time know T8 and T16 by these names: the fixed part of the object is empty,
   and a hidden open array follows it: at offset 0 an INTEGER, the number of elements including
   the zero at the end, and at offset 8 the elements, of 1 byte in T8 and of 2 bytes in T16. So
   the characters can be given to C as they are. *)
UNSAFE INTERFACE TextFlat;

IMPORT TextClass;

TYPE
  T8 = TEXT BRANDED "TextFlat.T8" OBJECT
    OVERRIDES
      get_info := GetInfo8;
      get_char := GetChar8;
    END;

  T16 = TEXT BRANDED "TextFlat.T16" OBJECT
    OVERRIDES
      get_info := GetInfo16;
      get_wide_char := GetWideChar16;
    END;

CONST
  (* From the reference to the first character, in bytes. *)
  Header = 8;

CONST
  (* No array type is longer than 2^31 bytes, and texts may be: more characters than these are passed on in pieces. *)
  Piece = 16_20000000;

TYPE
  Array8 = UNTRACED REF ARRAY [0..Piece - 1] OF CHAR;
  Array16 = UNTRACED REF ARRAY [0..Piece - 1] OF WIDECHAR;
  Char8 = UNTRACED REF CHAR;
  Char16 = UNTRACED REF WIDECHAR;

(* New texts of n characters, all zero. The caller must fill them before it passes them on. *)
<*EXTERNAL "tn_text8_new"*>
PROCEDURE New8(n: CARDINAL): TEXT;
<*EXTERNAL "tn_text16_new"*>
PROCEDURE New16(n: CARDINAL): TEXT;

(* A new text of the n characters at chars, which may lie in another text. *)
<*EXTERNAL "tn_text8_from"*>
PROCEDURE From8(chars: ADDRESS; n: CARDINAL): TEXT;

(* Whether t, which is not NIL, is a T8 and not of a subtype. The compiler inlines this test. *)
<*EXTERNAL "tn_text_is_flat8"*>
PROCEDURE Is8(t: TEXT): BOOLEAN;

(* The number of characters of a T8 or T16. *)
PROCEDURE Length(t: TEXT): CARDINAL;

(* The first characters of a T8 or T16. They do not move while the result is in use. *)
PROCEDURE Chars8(t: TEXT): Array8;
PROCEDURE Chars16(t: TEXT): Array16;

PROCEDURE GetInfo8(t: T8; VAR i: TextClass.Info);
PROCEDURE GetChar8(t: T8; i: CARDINAL): CHAR;
PROCEDURE GetInfo16(t: T16; VAR i: TextClass.Info);
PROCEDURE GetWideChar16(t: T16; i: CARDINAL): WIDECHAR;

END TextFlat.
