(* Groups, as in C's <grp.h>. NIL is "not found"; the results lie in C's own memory, up to the next
   call in any thread. *)
INTERFACE Ugrp;

FROM Ctypes IMPORT char_star, char_star_star, const_char_star, unsigned;

TYPE
  struct_group = RECORD
    gr_name: char_star;
    gr_passwd: char_star;
    gr_gid: unsigned;
    gr_mem: char_star_star;
  END;
  struct_group_star = UNTRACED REF struct_group;

<*EXTERNAL*> PROCEDURE getgrent(): struct_group_star;
<*EXTERNAL*> PROCEDURE getgrgid(gid: unsigned): struct_group_star;
<*EXTERNAL*> PROCEDURE getgrnam(name: const_char_star): struct_group_star;
<*EXTERNAL*> PROCEDURE setgrent();
<*EXTERNAL*> PROCEDURE endgrent();

END Ugrp.
