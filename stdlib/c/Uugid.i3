(* Users and groups of the process. *)
INTERFACE Uugid;

FROM Utypes IMPORT gid_t, uid_t;
FROM Ctypes IMPORT int;

<*EXTERNAL "tn_unix_geteuid"*> PROCEDURE geteuid(): uid_t;
<*EXTERNAL "tn_unix_getegid"*> PROCEDURE getegid(): gid_t;
<*EXTERNAL "tn_unix_getuid"*> PROCEDURE getuid(): uid_t;
<*EXTERNAL*> PROCEDURE setreuid(ruid: uid_t; euid: uid_t): int;
<*EXTERNAL "tn_unix_havegroup"*> PROCEDURE havegroup(qgid: gid_t): int;

END Uugid.
