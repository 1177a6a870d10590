(* Some of the C library zlib. For programs there is Zlib. *)
<*LIBRARY "z", "zlib1g-dev"*>
UNSAFE INTERFACE LibZ;

FROM Ctypes IMPORT char_star, const_char_star, int, unsigned_int, unsigned_long;

TYPE
  (* A z_stream. zlib keeps its address, so it must not move. *)
  Stream = UNTRACED REF RECORD
    next_in: ADDRESS := NIL;
    avail_in: unsigned_int := 0;
    total_in: unsigned_long := 0;
    next_out: ADDRESS := NIL;
    avail_out: unsigned_int := 0;
    total_out: unsigned_long := 0;
    msg: char_star := NIL;
    state, zalloc, zfree, opaque: ADDRESS := NIL;
    data_type: int := 0;
    adler, reserved: unsigned_long := 0;
  END;

CONST
  VERSION = "1.2.11";  (* the library accepts programs made for another one of version 1 *)

  NO_FLUSH = 0;
  SYNC_FLUSH = 2;
  FINISH = 4;

  OK = 0;
  STREAM_END = 1;
  BUF_ERROR = -5;

  DEFLATED = 8;

<*EXTERNAL "deflateInit2_"*>
PROCEDURE deflateInit(s: Stream; level, method, windowBits, memLevel, strategy: int;
                      version: const_char_star; size: int): int;
<*EXTERNAL*> PROCEDURE deflate(s: Stream; flush: int): int;
<*EXTERNAL*> PROCEDURE deflateEnd(s: Stream): int;
<*EXTERNAL "inflateInit2_"*>
PROCEDURE inflateInit(s: Stream; windowBits: int; version: const_char_star; size: int): int;
<*EXTERNAL*> PROCEDURE inflate(s: Stream; flush: int): int;
<*EXTERNAL*> PROCEDURE inflateReset(s: Stream): int;
<*EXTERNAL*> PROCEDURE inflateEnd(s: Stream): int;
<*EXTERNAL*> PROCEDURE zError(code: int): const_char_star;

END LibZ.
