(* Shared memory of System V: C's <sys/shm.h>. *)
INTERFACE Ushm;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int;
FROM Uipc IMPORT key_t;

CONST
  SHM_R = 256;
  SHM_W = 128;
  SHM_RDONLY = 4096;
  SHM_RND = 8192;
  SHM_REMAP = 16384;
  SHM_LOCK = 11;
  SHM_UNLOCK = 12;

<*EXTERNAL*> PROCEDURE shmget(key: key_t; size: size_t; flags: int): int;
(* The address -1 is an error. *)
<*EXTERNAL*> PROCEDURE shmat(id: int; addr: ADDRESS; flags: int): ADDRESS;
<*EXTERNAL*> PROCEDURE shmdt(addr: ADDRESS): int;
<*EXTERNAL*> PROCEDURE shmctl(id, command: int; buf: ADDRESS): int;

END Ushm.
