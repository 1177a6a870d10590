(* Names of hosts, services, networks and protocols, as in C's <netdb.h>. NIL is "not found"; the
   results lie in C's own memory, up to the next call of the same procedure in any thread. *)
INTERFACE Unetdb;

FROM Ctypes IMPORT char_star, char_star_star, const_char_star, int, unsigned;

CONST
  HOST_NOT_FOUND = 1;
  TRY_AGAIN = 2;
  NO_RECOVERY = 3;
  NO_DATA = 4;
  NO_ADDRESS = 4;
  NETDB_SUCCESS = 0;
  NETDB_INTERNAL = -1;
  AI_PASSIVE = 1;
  AI_CANONNAME = 2;
  AI_NUMERICHOST = 4;
  AI_NUMERICSERV = 1024;
  EAI_AGAIN = -3;
  EAI_BADFLAGS = -1;
  EAI_FAIL = -4;
  EAI_FAMILY = -6;
  EAI_MEMORY = -10;
  EAI_NONAME = -2;
  EAI_SERVICE = -8;
  EAI_SOCKTYPE = -7;
  EAI_SYSTEM = -11;
  NI_MAXHOST = 1025;
  NI_MAXSERV = 32;
  NI_NUMERICHOST = 1;
  NI_NUMERICSERV = 2;
  NI_NAMEREQD = 8;
  NI_DGRAM = 16;

TYPE
  struct_hostent = RECORD
    h_name: char_star;
    h_aliases: char_star_star;
    h_addrtype: int;
    h_length: int;
    h_addr_list: char_star_star;
  END;
  struct_hostent_star = UNTRACED REF struct_hostent;
  struct_netent = RECORD
    n_name: char_star;
    n_aliases: char_star_star;
    n_addrtype: int;
    n_net: unsigned;
  END;
  struct_netent_star = UNTRACED REF struct_netent;
  struct_servent = RECORD
    s_name: char_star;
    s_aliases: char_star_star;
    s_port: int;
    s_proto: char_star;
  END;
  struct_servent_star = UNTRACED REF struct_servent;
  struct_protoent = RECORD
    p_name: char_star;
    p_aliases: char_star_star;
    p_proto: int;
  END;
  struct_protoent_star = UNTRACED REF struct_protoent;
  struct_addrinfo_star = UNTRACED REF struct_addrinfo;
  struct_addrinfo = RECORD
    ai_flags: int;
    ai_family: int;
    ai_socktype: int;
    ai_protocol: int;
    ai_addrlen: unsigned;
    ai_addr: ADDRESS;
    ai_canonname: char_star;
    ai_next: struct_addrinfo_star;
  END;

<*EXTERNAL*> PROCEDURE gethostbyname(name: const_char_star): struct_hostent_star;
<*EXTERNAL*>
PROCEDURE gethostbyaddr(addr: ADDRESS; length: unsigned; type: int): struct_hostent_star;
<*EXTERNAL*> PROCEDURE gethostent(): struct_hostent_star;
<*EXTERNAL*> PROCEDURE sethostent(stayopen: int);
<*EXTERNAL*> PROCEDURE endhostent();

<*EXTERNAL*> PROCEDURE getnetbyname(name: const_char_star): struct_netent_star;
<*EXTERNAL*> PROCEDURE getnetbyaddr(net: unsigned; type: int): struct_netent_star;
<*EXTERNAL*> PROCEDURE getnetent(): struct_netent_star;
<*EXTERNAL*> PROCEDURE setnetent(stayopen: int);
<*EXTERNAL*> PROCEDURE endnetent();

<*EXTERNAL*> PROCEDURE getservbyname(name, proto: const_char_star): struct_servent_star;
<*EXTERNAL*> PROCEDURE getservbyport(port: int; proto: const_char_star): struct_servent_star;
<*EXTERNAL*> PROCEDURE getservent(): struct_servent_star;
<*EXTERNAL*> PROCEDURE setservent(stayopen: int);
<*EXTERNAL*> PROCEDURE endservent();

<*EXTERNAL*> PROCEDURE getprotobyname(name: const_char_star): struct_protoent_star;
<*EXTERNAL*> PROCEDURE getprotobynumber(number: int): struct_protoent_star;
<*EXTERNAL*> PROCEDURE getprotoent(): struct_protoent_star;
<*EXTERNAL*> PROCEDURE setprotoent(stayopen: int);
<*EXTERNAL*> PROCEDURE endprotoent();

(* Results are EAI_*, or 0. *)
<*EXTERNAL*>
PROCEDURE getaddrinfo(node, service: const_char_star; hints: struct_addrinfo_star;
                      VAR result: struct_addrinfo_star): int;
<*EXTERNAL*> PROCEDURE freeaddrinfo(list: struct_addrinfo_star);
<*EXTERNAL*> PROCEDURE gai_strerror(error: int): char_star;
<*EXTERNAL*>
PROCEDURE getnameinfo(addr: ADDRESS; addrlen: unsigned; host: char_star; hostlen: unsigned;
                      serv: char_star; servlen: unsigned; flags: int): int;

(* What went wrong in the last call of gethostbyname or gethostbyaddr in this thread. *)
<*EXTERNAL "tn_unix_h_errno"*> PROCEDURE get_h_errno(): int;
<*EXTERNAL*> PROCEDURE hstrerror(error: int): char_star;

END Unetdb.
