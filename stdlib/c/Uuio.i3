(* Reading and writing by descriptor, as in C's <unistd.h> and <sys/uio.h>. A result of -1 is an error;
   Cerrno says which. Buffers may be in the pages of a database. *)
INTERFACE Uuio;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int;
FROM Utypes IMPORT ssize_t;

TYPE
  struct_iovec = RECORD
    iov_base: ADDRESS;
    iov_len: size_t;
  END;
  iovec = struct_iovec;
  struct_iovec_star = UNTRACED REF struct_iovec;

<*EXTERNAL "tn_unix_read"*> PROCEDURE read(d: int; buf: ADDRESS; nbytes: size_t): ssize_t;
<*EXTERNAL "tn_unix_write"*> PROCEDURE write(d: int; buf: ADDRESS; nbytes: size_t): ssize_t;

(* iov is the address of iovcnt records. *)
<*EXTERNAL "tn_unix_readv"*> PROCEDURE readv(d: int; iov: ADDRESS; iovcnt: int): ssize_t;
<*EXTERNAL "tn_unix_writev"*> PROCEDURE writev(d: int; iov: ADDRESS; iovcnt: int): ssize_t;

END Uuio.
