(* What shared memory, semaphores and messages of System V have in common: C's <sys/ipc.h>. *)
INTERFACE Uipc;

FROM Ctypes IMPORT const_char_star, int;

CONST
  IPC_CREAT = 512;
  IPC_EXCL = 1024;
  IPC_NOWAIT = 2048;
  IPC_RMID = 0;
  IPC_SET = 1;
  IPC_STAT = 2;
  IPC_PRIVATE = 0;

TYPE
  key_t = int;

<*EXTERNAL*> PROCEDURE ftok(path: const_char_star; project: int): key_t;

END Uipc.
