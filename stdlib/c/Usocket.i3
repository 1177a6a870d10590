(* Sockets, as in C's <sys/socket.h>. A result of -1 is an error; Cerrno says which. Lengths of
   addresses have 4 bytes, or 8 bytes of which the upper 4 are 0. Buffers may lie in the pages of
   a database; the other pointers must not point there. *)
INTERFACE Usocket;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int, unsigned_char, unsigned_short;
FROM Utypes IMPORT ssize_t;

CONST
  SOCK_STREAM = 1;
  SOCK_DGRAM = 2;
  SOCK_RAW = 3;
  SOCK_RDM = 4;
  SOCK_SEQPACKET = 5;
  SOL_SOCKET = 1;
  SO_DEBUG = 1;
  SO_REUSEADDR = 2;
  SO_TYPE = 3;
  SO_ERROR = 4;
  SO_DONTROUTE = 5;
  SO_BROADCAST = 6;
  SO_SNDBUF = 7;
  SO_RCVBUF = 8;
  SO_KEEPALIVE = 9;
  SO_OOBINLINE = 10;
  SO_LINGER = 13;
  SO_REUSEPORT = 15;
  SO_RCVLOWAT = 18;
  SO_SNDLOWAT = 19;
  SO_RCVTIMEO = 20;
  SO_SNDTIMEO = 21;
  AF_UNSPEC = 0;
  AF_UNIX = 1;
  AF_INET = 2;
  AF_INET6 = 10;
  PF_UNSPEC = AF_UNSPEC;
  PF_UNIX = AF_UNIX;
  PF_INET = AF_INET;
  PF_INET6 = AF_INET6;
  SOMAXCONN = 4096;
  MSG_OOB = 1;
  MSG_PEEK = 2;
  MSG_DONTROUTE = 4;
  MSG_WAITALL = 256;
  MSG_NOSIGNAL = 16384;
  SHUT_RD = 0;
  SHUT_WR = 1;
  SHUT_RDWR = 2;

TYPE
  struct_linger = RECORD
    l_onoff: int;
    l_linger: int;
  END;
  struct_sockaddr = RECORD
    sa_family: unsigned_short;
    sa_data: ARRAY [0..13] OF unsigned_char;
  END;
  (* The address of a record of any address family. *)
  struct_sockaddr_star = ADDRESS;

<*EXTERNAL*> PROCEDURE socket(af, type, protocol: int): int;
<*EXTERNAL*> PROCEDURE socketpair(d, type, protocol: int; sv: ADDRESS): int;
<*EXTERNAL*> PROCEDURE bind(s: int; name: ADDRESS; namelen: size_t): int;
<*EXTERNAL*> PROCEDURE listen(s, backlog: int): int;
<*EXTERNAL*> PROCEDURE accept(s: int; addr, addrlen: ADDRESS): int;
<*EXTERNAL*> PROCEDURE connect(s: int; name: ADDRESS; namelen: size_t): int;
<*EXTERNAL*> PROCEDURE getpeername(s: int; name, namelen: ADDRESS): int;
<*EXTERNAL*> PROCEDURE getsockname(s: int; name, namelen: ADDRESS): int;
<*EXTERNAL*>
PROCEDURE getsockopt(s, level, optname: int; optval, optlen: ADDRESS): int;
<*EXTERNAL*>
PROCEDURE setsockopt(s, level, optname: int; optval: ADDRESS; optlen: size_t): int;
<*EXTERNAL*> PROCEDURE shutdown(s, how: int): int;

<*EXTERNAL "tn_unix_send"*>
PROCEDURE send(s: int; msg: ADDRESS; len: size_t; flags: int): ssize_t;
<*EXTERNAL "tn_unix_sendto"*>
PROCEDURE sendto(s: int; msg: ADDRESS; len: size_t; flags: int; to: ADDRESS; tolen: size_t): ssize_t;
<*EXTERNAL "tn_unix_recv"*>
PROCEDURE recv(s: int; buf: ADDRESS; len: size_t; flags: int): ssize_t;
<*EXTERNAL "tn_unix_recvfrom"*>
PROCEDURE recvfrom(s: int; buf: ADDRESS; len: size_t; flags: int; from, fromlen: ADDRESS): ssize_t;

END Usocket.
