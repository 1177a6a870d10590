(* The types of C's stdint.h. *)
INTERFACE Cstdint;

IMPORT Long, Word;

TYPE
  int8_t = [-16_7f - 1 .. 16_7f];
  int16_t = [-16_7fff - 1 .. 16_7fff];
  int32_t = [-16_7fffffff - 1 .. 16_7fffffff];
  int64_t = [-16_7fffffffffffffffL - 1L .. 16_7fffffffffffffffL];
  uint8_t = [0..16_ff];
  uint16_t = [0..16_ffff];
  uint32_t = [0..16_ffffffff];
  uint64_t = Long.T;
  intptr_t = INTEGER;
  uintptr_t = Word.T;

END Cstdint.
