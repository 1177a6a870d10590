(* Memory that is mapped, as in C's <sys/mman.h>. A program must not change the mappings of the run
   time's heap or of the pages of a database. *)
INTERFACE Umman;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int;
FROM Utypes IMPORT off_t;

CONST
  PROT_NONE = 0;
  PROT_READ = 1;
  PROT_WRITE = 2;
  PROT_EXEC = 4;
  MAP_SHARED = 1;
  MAP_PRIVATE = 2;
  MAP_FIXED = 16;
  MAP_ANONYMOUS = 32;
  MAP_ANON = 32;
  MAP_NORESERVE = 16384;
  MS_ASYNC = 1;
  MS_INVALIDATE = 2;
  MS_SYNC = 4;
  MADV_NORMAL = 0;
  MADV_RANDOM = 1;
  MADV_SEQUENTIAL = 2;
  MADV_WILLNEED = 3;
  MADV_DONTNEED = 4;
  MCL_CURRENT = 1;
  MCL_FUTURE = 2;

<*EXTERNAL*>
PROCEDURE mmap(addr: ADDRESS; len: size_t; prot, flags, fd: int; offset: off_t): ADDRESS;
<*EXTERNAL*> PROCEDURE munmap(addr: ADDRESS; len: size_t): int;
<*EXTERNAL*> PROCEDURE mprotect(addr: ADDRESS; len: size_t; prot: int): int;
<*EXTERNAL*> PROCEDURE msync(addr: ADDRESS; len: size_t; flags: int): int;
<*EXTERNAL*> PROCEDURE madvise(addr: ADDRESS; len: size_t; advice: int): int;
<*EXTERNAL*> PROCEDURE mlock(addr: ADDRESS; len: size_t): int;
<*EXTERNAL*> PROCEDURE munlock(addr: ADDRESS; len: size_t): int;

END Umman.
