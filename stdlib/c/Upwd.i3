(* Users, as in C's <pwd.h>. NIL is "not found"; the results lie in C's own memory, up to the next
   call in any thread. *)
INTERFACE Upwd;

FROM Ctypes IMPORT char_star, const_char_star, unsigned;

TYPE
  struct_passwd = RECORD
    pw_name: char_star;
    pw_passwd: char_star;
    pw_uid: unsigned;
    pw_gid: unsigned;
    pw_gecos: char_star;
    pw_dir: char_star;
    pw_shell: char_star;
  END;
  struct_passwd_star = UNTRACED REF struct_passwd;

<*EXTERNAL*> PROCEDURE getpwent(): struct_passwd_star;
<*EXTERNAL*> PROCEDURE getpwuid(uid: unsigned): struct_passwd_star;
<*EXTERNAL*> PROCEDURE getpwnam(name: const_char_star): struct_passwd_star;
<*EXTERNAL*> PROCEDURE setpwent();
<*EXTERNAL*> PROCEDURE endpwent();

END Upwd.
