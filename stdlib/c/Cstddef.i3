(* The types of C's stddef.h. *)
INTERFACE Cstddef;

IMPORT Word;

TYPE
  size_t = Word.T;
  ssize_t = INTEGER;
  ptrdiff_t = INTEGER;

END Cstddef.
