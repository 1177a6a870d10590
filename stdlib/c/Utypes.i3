(* The scalar types of Unix calls. *)
INTERFACE Utypes;

IMPORT Cstddef, Cstdint;

TYPE
  uint8_t = Cstdint.uint8_t;
  uint16_t = Cstdint.uint16_t;
  uint32_t = Cstdint.uint32_t;
  uint64_t = Cstdint.uint64_t;
  int8_t = Cstdint.int8_t;
  int16_t = Cstdint.int16_t;
  int32_t = Cstdint.int32_t;
  int64_t = Cstdint.int64_t;
  u_short = uint16_t;
  u_int = uint32_t;
  u_int8_t = uint8_t;
  u_int16_t = uint16_t;
  u_int32_t = uint32_t;
  u_int64_t = uint64_t;
  size_t = Cstddef.size_t;
  ssize_t = Cstddef.ptrdiff_t;
  off_t = int64_t;
  time_t = LONGINT;
  gid_t = INTEGER;
  pid_t = INTEGER;
  uid_t = INTEGER;
  socklen_t = size_t;
  mode_t = INTEGER;
  dev_t = LONGINT;
  ino_t = LONGINT;
  nlink_t = LONGINT;

END Utypes.
