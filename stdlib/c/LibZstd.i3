(* Some of the C library zstd. For programs there is Zstd. *)
<*LIBRARY "zstd", "libzstd-dev"*>
UNSAFE INTERFACE LibZstd;

FROM Ctypes IMPORT const_char_star, int, unsigned_int;

TYPE
  Buffer = RECORD
    start: ADDRESS;
    size, at: INTEGER;
  END;

CONST
  compressionLevel = 100;
  checksumFlag = 201;

  continue = 0;
  flush = 1;
  end = 2;

(* A size_t is an INTEGER here; isError tells whether it is an error, and getErrorName which. *)
<*EXTERNAL "ZSTD_createCCtx"*> PROCEDURE createC(): ADDRESS;
<*EXTERNAL "ZSTD_freeCCtx"*> PROCEDURE freeC(context: ADDRESS): INTEGER;
<*EXTERNAL "ZSTD_CCtx_setParameter"*> PROCEDURE set(context: ADDRESS; parameter, value: int): INTEGER;
<*EXTERNAL "ZSTD_compressStream2"*>
PROCEDURE compress(context: ADDRESS; VAR to, from: Buffer; mode: int): INTEGER;
<*EXTERNAL "ZSTD_sizeof_CCtx"*> PROCEDURE sizeofC(context: ADDRESS): INTEGER;

<*EXTERNAL "ZSTD_createDCtx"*> PROCEDURE createD(): ADDRESS;
<*EXTERNAL "ZSTD_freeDCtx"*> PROCEDURE freeD(context: ADDRESS): INTEGER;
<*EXTERNAL "ZSTD_decompressStream"*>
PROCEDURE decompress(context: ADDRESS; VAR to, from: Buffer): INTEGER;

<*EXTERNAL "ZSTD_isError"*> PROCEDURE isError(code: INTEGER): unsigned_int;
<*EXTERNAL "ZSTD_getErrorName"*> PROCEDURE getErrorName(code: INTEGER): const_char_star;

END LibZstd.
