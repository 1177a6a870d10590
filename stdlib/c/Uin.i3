(* Addresses of the internet protocols, as in C's <netinet/in.h>; ports and addresses in records
   are in network byte order. *)
INTERFACE Uin;

FROM Ctypes IMPORT char_star, const_char_star, int, unsigned, unsigned_char, unsigned_short;

CONST
  IPPROTO_IP = 0;
  IPPROTO_ICMP = 1;
  IPPROTO_TCP = 6;
  IPPROTO_UDP = 17;
  IPPROTO_IPV6 = 41;
  IPPROTO_IGMP = 2;
  IPPROTO_EGP = 8;
  IPPROTO_PUP = 12;
  IPPROTO_IDP = 22;
  IPPROTO_ICMPV6 = 58;
  IPPROTO_RAW = 255;
  IPPROTO_MAX = 256;
  IPPORT_RESERVED = 1024;
  IPPORT_USERRESERVED = 5000;
  IP_TOS = 1;
  IP_TTL = 2;
  IP_HDRINCL = 3;
  IP_OPTIONS = 4;
  IP_MULTICAST_IF = 32;
  IP_MULTICAST_TTL = 33;
  IP_MULTICAST_LOOP = 34;
  IP_ADD_MEMBERSHIP = 35;
  IP_DROP_MEMBERSHIP = 36;
  IPV6_V6ONLY = 26;
  TCP_NODELAY = 1;
  TCP_MAXSEG = 2;
  TCP_KEEPIDLE = 4;
  TCP_KEEPINTVL = 5;
  TCP_KEEPCNT = 6;
  INADDR_ANY = 0;
  INADDR_LOOPBACK = 16_7F000001;
  INADDR_BROADCAST = 16_FFFFFFFF;
  INADDR_NONE = 16_FFFFFFFF;
  IN_LOOPBACKNET = 127;
  INET_ADDRSTRLEN = 16;
  INET6_ADDRSTRLEN = 46;

TYPE
  in_addr_t = unsigned;
  in_port_t = unsigned_short;
  struct_in_addr = RECORD
    s_addr: in_addr_t;
  END;
  in_addr = struct_in_addr;
  struct_sockaddr_in = RECORD
    sin_family: unsigned_short;
    sin_port: in_port_t;
    sin_addr: struct_in_addr;
    sin_zero: ARRAY [0..7] OF unsigned_char;
  END;
  sockaddr_in = struct_sockaddr_in;
  struct_sockaddr_in_star = UNTRACED REF struct_sockaddr_in;
  struct_in6_addr = RECORD
    s6_addr: ARRAY [0..15] OF unsigned_char;
  END;
  struct_sockaddr_in6 = RECORD
    sin6_family: unsigned_short;
    sin6_port: in_port_t;
    sin6_flowinfo: unsigned;
    sin6_addr: struct_in6_addr;
    sin6_scope_id: unsigned;
  END;
  struct_ip_mreq = RECORD
    imr_multiaddr: struct_in_addr;
    imr_interface: struct_in_addr;
  END;

(* From network byte order to the order of this machine, and back. *)
<*EXTERNAL*> PROCEDURE ntohl(x: unsigned): unsigned;
<*EXTERNAL*> PROCEDURE ntohs(x: unsigned_short): unsigned_short;
<*EXTERNAL*> PROCEDURE htonl(x: unsigned): unsigned;
<*EXTERNAL*> PROCEDURE htons(x: unsigned_short): unsigned_short;

(* Addresses as texts: "127.0.0.1". inet_addr gives INADDR_NONE for a text that is no address; the
   result of inet_ntoa lies in C's own memory, up to the next call. *)
<*EXTERNAL*> PROCEDURE inet_addr(name: const_char_star): in_addr_t;
<*EXTERNAL*> PROCEDURE inet_ntoa(address: struct_in_addr): char_star;
<*EXTERNAL*> PROCEDURE inet_aton(name: const_char_star; address: ADDRESS): int;
<*EXTERNAL*> PROCEDURE inet_pton(family: int; name: const_char_star; address: ADDRESS): int;
<*EXTERNAL*>
PROCEDURE inet_ntop(family: int; address: ADDRESS; name: char_star; size: unsigned): char_star;

END Uin.
