(* C's scalar and pointer types under names like C's. *)
INTERFACE Ctypes;

IMPORT BasicCtypes;

TYPE
  char = BasicCtypes.char;
  signed_char = BasicCtypes.signed_char;
  short_int = BasicCtypes.short_int;
  int = BasicCtypes.int;
  const_int = int;
  long_int = BasicCtypes.long_int;
  long_long = BasicCtypes.long_long;
  unsigned_char = BasicCtypes.unsigned_char;
  unsigned_short_int = BasicCtypes.unsigned_short_int;
  unsigned_int = BasicCtypes.unsigned_int;
  unsigned_long_int = BasicCtypes.unsigned_long_int;
  unsigned_long_long = BasicCtypes.unsigned_long_long;
  float = BasicCtypes.float;
  double = BasicCtypes.double;
  long_double = BasicCtypes.long_double;
  void_star = ADDRESS;
  const_void_star = void_star;
  short = short_int;
  signed_short = short_int;
  signed_short_int = short_int;
  unsigned_short = unsigned_short_int;
  unsigned = unsigned_int;
  signed = int;
  signed_int = int;
  long = long_int;
  signed_long = long_int;
  signed_long_int = long_int;
  unsigned_long = unsigned_long_int;
  char_star = UNTRACED REF char;
  char_star_star = UNTRACED REF char_star;
  char_star_star_star = UNTRACED REF char_star_star;
  unsigned_char_star = UNTRACED REF unsigned_char;
  unsigned_char_star_star = UNTRACED REF unsigned_char_star;
  const_char_star = char_star;
  const_char_star_star = char_star_star;
  const_unsigned_char_star = unsigned_char_star;
  short_star = UNTRACED REF short;
  short_star_star = UNTRACED REF short_star;
  unsigned_short_star = UNTRACED REF unsigned_short;
  int_star = UNTRACED REF int;
  int_star_star = UNTRACED REF int_star;
  unsigned_int_star = UNTRACED REF unsigned_int;
  long_star = UNTRACED REF long;
  long_star_star = UNTRACED REF long_star;
  unsigned_long_star = UNTRACED REF unsigned_long;
  float_star = UNTRACED REF float;
  double_star = UNTRACED REF double;

END Ctypes.
