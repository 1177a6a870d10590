(* Texts as C strings and back. The characters of a C string are Latin-1; a text with other
   characters has no C string (a checked run-time error). A zero in a text ends the C string
   early. *)
UNSAFE INTERFACE M3toC;

IMPORT Ctypes;

(* A new copy of t in untraced memory, to be freed by FreeCopiedS. *)
PROCEDURE CopyTtoS(t: TEXT): Ctypes.char_star;
PROCEDURE FreeCopiedS(s: Ctypes.const_char_star);

(* The characters of t, perhaps in place: do not change them. Call FreeSharedS with the same t
   and the result when you no longer need them. *)
PROCEDURE SharedTtoS(t: TEXT): Ctypes.const_char_star;
PROCEDURE FreeSharedS(t: TEXT; s: Ctypes.const_char_star);

(* The characters of t in place, valid while the caller keeps t and the result in variables. A
   checked run-time error unless t is flat; literals are flat. *)
PROCEDURE FlatTtoS(t: TEXT): Ctypes.const_char_star;

(* The text of a C string. Both copy; NIL gives NIL. *)
PROCEDURE StoT(s: Ctypes.const_char_star): TEXT;
PROCEDURE CopyStoT(s: Ctypes.const_char_star): TEXT;

END M3toC.
