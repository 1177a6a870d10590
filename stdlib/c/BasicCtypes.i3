(* C's scalar types on this system, under their own names; Ctypes has the pointers. *)
INTERFACE BasicCtypes;

IMPORT Word, Long;

TYPE
  signed_char = [-16_7f - 1..16_7f];
  short_int = [-16_7fff - 1..16_7fff];
  int = [-16_7fffffff - 1..16_7fffffff];
  long_int = [-16_7fffffffffffffff - 1..16_7fffffffffffffff];
  long_long = [-16_7fffffffffffffffL - 1L..16_7fffffffffffffffL];
  unsigned_char = [16_0..16_ff];
  unsigned_short_int = [16_0..16_ffff];
  unsigned_int = [16_0..16_ffffffff];
  unsigned_long_int = Word.T;
  unsigned_long_long = Long.T;
  float = REAL;
  double = LONGREAL;
  long_double = EXTENDED;
  char = signed_char;

END BasicCtypes.
