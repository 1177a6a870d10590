(* The process's number. *)
INTERFACE Uprocess;

FROM Utypes IMPORT pid_t;

<*EXTERNAL "tn_unix_getpid"*> PROCEDURE getpid(): pid_t;

END Uprocess.
