(* Sockets, as in C's <sys/socket.h>. A result of -1 is an error; Cerrno says which. Lengths of
   addresses have 4 bytes, or 8 bytes of which the upper 4 are 0. Buffers may lie in the pages of
   a database; the other pointers must not point there. *)
INTERFACE Usocket;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT char, int, unsigned, unsigned_char, unsigned_short;
FROM Utypes IMPORT ssize_t;
IMPORT Utypes, Uuio;

CONST
  SOCK_STREAM = 1;
  SOCK_DGRAM = 2;
  SOCK_RAW = 3;
  SOCK_RDM = 4;
  SOCK_SEQPACKET = 5;
  SOCK_PACKET = 10;
  SOCK_NONBLOCK = 2048;
  SOCK_CLOEXEC = 524288;
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
  SO_NO_CHECK = 11;
  SO_PRIORITY = 12;
  SO_LINGER = 13;
  SO_BSDCOMPAT = 14;
  SO_REUSEPORT = 15;
  SO_PASSCRED = 16;
  SO_PEERCRED = 17;
  SO_RCVLOWAT = 18;
  SO_SNDLOWAT = 19;
  SO_RCVTIMEO = 20;
  SO_SNDTIMEO = 21;
  SO_ACCEPTCONN = 30;
  SO_PROTOCOL = 38;
  SO_DOMAIN = 39;
  AF_UNSPEC = 0;
  AF_UNIX = 1;
  AF_LOCAL = AF_UNIX;
  AF_INET = 2;
  AF_AX25 = 3;
  AF_IPX = 4;
  AF_APPLETALK = 5;
  AF_X25 = 9;
  AF_INET6 = 10;
  AF_DECnet = 12;
  AF_PACKET = 17;
  AF_SNA = 22;
  AF_MAX = 46;
  PF_UNSPEC = AF_UNSPEC;
  PF_UNIX = AF_UNIX;
  PF_LOCAL = AF_UNIX;
  PF_INET = AF_INET;
  PF_AX25 = AF_AX25;
  PF_IPX = AF_IPX;
  PF_APPLETALK = AF_APPLETALK;
  PF_X25 = AF_X25;
  PF_INET6 = AF_INET6;
  PF_DECnet = AF_DECnet;
  PF_PACKET = AF_PACKET;
  PF_SNA = AF_SNA;
  PF_MAX = AF_MAX;
  SOMAXCONN = 4096;
  MSG_OOB = 1;
  MSG_PEEK = 2;
  MSG_DONTROUTE = 4;
  MSG_CTRUNC = 8;
  MSG_TRUNC = 32;
  MSG_DONTWAIT = 64;
  MSG_EOR = 128;
  MSG_WAITALL = 256;
  MSG_NOSIGNAL = 16384;
  SHUT_RD = 0;
  SHUT_WR = 1;
  SHUT_RDWR = 2;
  SCM_RIGHTS = 1;
  SCM_CREDENTIALS = 2;

TYPE
  socklen_t = Utypes.socklen_t;
  socklen_t_star = UNTRACED REF socklen_t;
  sa_family_t = unsigned_short;
  struct_linger = RECORD
    l_onoff: int;
    l_linger: int;
  END;
  struct_sockaddr = RECORD
    sa_family: unsigned_short;
    sa_data: ARRAY [0..13] OF unsigned_char;
  END;
  sockaddr = struct_sockaddr;
  (* The address of a record of any address family. *)
  struct_sockaddr_star = ADDRESS;
  (* A path in the file system; its name in C is struct sockaddr_un of <sys/un.h>. *)
  struct_sockaddr_un = RECORD
    sun_family: sa_family_t;
    sun_path: ARRAY [0..107] OF char;
  END;
  sockaddr_un = struct_sockaddr_un;
  (* Large enough for an address of any family. *)
  struct_sockaddr_storage = RECORD
    ss_family: sa_family_t;
    ss_padding: ARRAY [0..117] OF unsigned_char;
    ss_align: size_t;
  END;
  struct_msghdr = RECORD
    msg_name: ADDRESS;
    msg_namelen: unsigned;
    msg_iov: Uuio.struct_iovec_star;
    msg_iovlen: size_t;
    msg_control: ADDRESS;
    msg_controllen: size_t;
    msg_flags: int;
  END;
  struct_msghdr_star = UNTRACED REF struct_msghdr;
  (* The head of one item of the control data of a message; its data follow. *)
  struct_cmsghdr = RECORD
    cmsg_len: size_t;
    cmsg_level: int;
    cmsg_type: int;
  END;
  struct_cmsghdr_star = UNTRACED REF struct_cmsghdr;

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

(* The buffers of a message must not lie in the pages of a database. *)
<*EXTERNAL*> PROCEDURE sendmsg(s: int; msg: ADDRESS; flags: int): ssize_t;
<*EXTERNAL*> PROCEDURE recvmsg(s: int; msg: ADDRESS; flags: int): ssize_t;

END Usocket.
