(* Addresses of the internet protocols, as in C's <netinet/in.h>; ports and addresses in records
   are in network byte order. *)
INTERFACE Uin;

FROM Ctypes IMPORT unsigned, unsigned_char, unsigned_short;

CONST
  IPPROTO_IP = 0;
  IPPROTO_ICMP = 1;
  IPPROTO_TCP = 6;
  IPPROTO_UDP = 17;
  IPPROTO_IPV6 = 41;
  IPPROTO_RAW = 255;
  IPPORT_RESERVED = 1024;
  IPPORT_USERRESERVED = 5000;
  INADDR_ANY = 0;
  INADDR_LOOPBACK = 16_7F000001;
  INADDR_BROADCAST = 16_FFFFFFFF;
  INADDR_NONE = 16_FFFFFFFF;

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

(* From network byte order to the order of this machine, and back. *)
<*EXTERNAL*> PROCEDURE ntohl(x: unsigned): unsigned;
<*EXTERNAL*> PROCEDURE ntohs(x: unsigned_short): unsigned_short;
<*EXTERNAL*> PROCEDURE htonl(x: unsigned): unsigned;
<*EXTERNAL*> PROCEDURE htons(x: unsigned_short): unsigned_short;

END Uin.
