(* The numbers of the process and of its parent. *)
INTERFACE Uprocess;

FROM Utypes IMPORT pid_t;

<*EXTERNAL "tn_unix_getpid"*> PROCEDURE getpid(): pid_t;

<*EXTERNAL "tn_unix_getppid"*> PROCEDURE getppid(): pid_t;

END Uprocess.
