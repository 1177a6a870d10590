(* Running programs, as in C. *)
INTERFACE Uexec;

FROM Ctypes IMPORT char_star_star, const_char_star, int;
FROM Utypes IMPORT pid_t;

<*EXTERNAL*> PROCEDURE execv(name: const_char_star; argv: char_star_star): int RAISES {};
<*EXTERNAL*> PROCEDURE execvp(name: const_char_star; argv: char_star_star): int RAISES {};
<*EXTERNAL*>
PROCEDURE execve(name: const_char_star; argv: char_star_star; envp: char_star_star): int;

TYPE
  wait_queue_star = ADDRESS;

CONST
  WNOHANG = 1;
  WUNTRACED = 2;

<*EXTERNAL "tn_unix_waitpid"*>
PROCEDURE waitpid(pid: pid_t; status: UNTRACED REF int; options: int): pid_t;

<*EXTERNAL "tn_unix_wait"*> PROCEDURE wait(status: UNTRACED REF int): pid_t;

(* Converts a status of waitpid to signal + 256 * exit code, independent of the system's own
   form. *)
<*EXTERNAL "tn_unix_repack_status"*> PROCEDURE RepackStatus(VAR status: int);

END Uexec.
