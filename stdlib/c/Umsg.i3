(* Messages of System V: C's <sys/msg.h>. *)
INTERFACE Umsg;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int, long;
FROM Uipc IMPORT key_t;
FROM Utypes IMPORT ssize_t;

CONST
  MSG_NOERROR = 4096;
  MSG_EXCEPT = 8192;

<*EXTERNAL*> PROCEDURE msgget(key: key_t; flags: int): int;
<*EXTERNAL*> PROCEDURE msgsnd(id: int; message: ADDRESS; size: size_t; flags: int): int;
<*EXTERNAL*>
PROCEDURE msgrcv(id: int; message: ADDRESS; size: size_t; type: long; flags: int): ssize_t;
<*EXTERNAL*> PROCEDURE msgctl(id, command: int; buf: ADDRESS): int;

END Umsg.
