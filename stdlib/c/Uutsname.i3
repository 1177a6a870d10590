(* What the system is called, as in C's <sys/utsname.h>. *)
INTERFACE Uutsname;

FROM Ctypes IMPORT char, int;

TYPE
  Name = ARRAY [0..64] OF char;
  struct_utsname = RECORD
    sysname: Name;
    nodename: Name;
    release: Name;
    version: Name;
    machine: Name;
    domainname: Name;
  END;
  struct_utsname_star = UNTRACED REF struct_utsname;

<*EXTERNAL*> PROCEDURE uname(name: struct_utsname_star): int;

END Uutsname.
