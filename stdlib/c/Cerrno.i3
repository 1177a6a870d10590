(* C's errno, the calling thread's own. *)
INTERFACE Cerrno;

FROM Ctypes IMPORT int;

<*EXTERNAL "tn_c_get_errno"*> PROCEDURE GetErrno(): int;
<*EXTERNAL "tn_c_set_errno"*> PROCEDURE SetErrno(e: int);

END Cerrno.
