(* Semaphores of System V: C's <sys/sem.h>. *)
INTERFACE Usem;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int, short, unsigned_short;
FROM Uipc IMPORT key_t;

CONST
  SEM_UNDO = 4096;
  GETPID = 11;
  GETVAL = 12;
  GETALL = 13;
  GETNCNT = 14;
  GETZCNT = 15;
  SETVAL = 16;
  SETALL = 17;

TYPE
  struct_sembuf = RECORD
    sem_num: unsigned_short;
    sem_op: short;
    sem_flg: short;
  END;
  struct_sembuf_star = UNTRACED REF struct_sembuf;

<*EXTERNAL*> PROCEDURE semget(key: key_t; count, flags: int): int;
<*EXTERNAL*> PROCEDURE semop(id: int; operations: struct_sembuf_star; count: size_t): int;
(* The argument is a number, or an address by LOOPHOLE. *)
<*EXTERNAL "tn_unix_semctl"*> PROCEDURE semctl(id, number, command: int; argument: INTEGER): int;

END Usem.
