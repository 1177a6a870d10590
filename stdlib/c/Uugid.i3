(* Users and groups of the process. *)
INTERFACE Uugid;

FROM Utypes IMPORT gid_t, uid_t;
FROM Ctypes IMPORT int;

<*EXTERNAL "tn_unix_geteuid"*> PROCEDURE geteuid(): uid_t;
<*EXTERNAL "tn_unix_getegid"*> PROCEDURE getegid(): gid_t;
<*EXTERNAL "tn_unix_getuid"*> PROCEDURE getuid(): uid_t;
<*EXTERNAL "tn_unix_getgid"*> PROCEDURE getgid(): gid_t;
<*EXTERNAL*> PROCEDURE setuid(uid: uid_t): int;
<*EXTERNAL*> PROCEDURE setgid(gid: gid_t): int;
<*EXTERNAL*> PROCEDURE seteuid(uid: uid_t): int;
<*EXTERNAL*> PROCEDURE setegid(gid: gid_t): int;
<*EXTERNAL*> PROCEDURE setregid(rgid: gid_t; egid: gid_t): int;
<*EXTERNAL*> PROCEDURE setreuid(ruid: uid_t; euid: uid_t): int;
<*EXTERNAL "tn_unix_havegroup"*> PROCEDURE havegroup(qgid: gid_t): int;

END Uugid.
