(* System calls for files and processes, as in C. Files may be longer than 2 GB. *)
INTERFACE Unix;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT char_star, char_star_star, const_char_star, int, unsigned;
FROM Utypes IMPORT dev_t, gid_t, mode_t, off_t, pid_t, uid_t;
IMPORT Utime;

CONST
  MSETUID = 8_4000;
  MSETGID = 8_2000;
  MSTICKY = 8_1000;
  MROWNER = 8_400;
  MWOWNER = 8_200;
  MXOWNER = 8_100;
  MRGROUP = 8_40;
  MWGROUP = 8_20;
  MXGROUP = 8_10;
  MROTHER = 8_4;
  MWOTHER = 8_2;
  MXOTHER = 8_1;
  Mrwrwrw = 8_666;
  F_OK = 0;
  X_OK = 1;
  W_OK = 2;
  R_OK = 4;
  F_DUPFD = 0;
  F_GETFD = 1;
  F_SETFD = 2;
  F_GETFL = 3;
  F_SETFL = 4;
  F_GETOWN = 9;
  F_SETOWN = 8;
  F_GETLK = 5;
  F_SETLK = 6;
  F_SETLKW = 7;
  FD_CLOEXEC = 1;
  F_RDLCK = 0;
  F_WRLCK = 1;
  F_UNLCK = 2;
  LOCK_SH = 1;
  LOCK_EX = 2;
  LOCK_NB = 4;
  LOCK_UN = 8;
  (* The third argument of lseek. *)
  L_SET = 0;
  L_INCR = 1;
  L_XTND = 2;
  FIONREAD = 21531;
  FIONBIO = 21537;
  FIOASYNC = 21586;
  FIOCLEX = 21585;
  FIONCLEX = 21584;
  O_RDONLY = 0;
  O_WRONLY = 1;
  O_RDWR = 2;
  O_ACCMODE = 3;
  O_NOCTTY = 256;
  O_CREAT = 64;
  O_EXCL = 128;
  O_TRUNC = 512;
  O_NONBLOCK = 2048;
  O_APPEND = 1024;
  O_NDELAY = 2048;
  O_SYNC = 1052672;
  FNDELAY = 2048;
  FAPPEND = 1024;
  FASYNC = 8192;
  M3_NONBLOCK = 2048;
  BS0 = 0;
  BS1 = 8192;
  CR0 = 0;
  CR1 = 512;
  CR2 = 1024;
  CR3 = 1536;
  ECHO = 8;
  FF0 = 0;
  FF1 = 32768;
  FLUSHO = 4096;
  NL0 = 0;
  NL1 = 256;
  NOFLSH = 128;
  PENDIN = 16384;
  TAB0 = 0;
  TAB1 = 2048;
  TAB2 = 4096;
  TIOCCBRK = 21544;
  TIOCCONS = 21533;
  TIOCEXCL = 21516;
  TIOCGETD = 21540;
  TIOCGPGRP = 21519;
  TIOCGSID = 21545;
  TIOCGWINSZ = 21523;
  TIOCM_CAR = 64;
  TIOCM_CD = 64;
  TIOCM_CTS = 32;
  TIOCM_DSR = 256;
  TIOCM_DTR = 2;
  TIOCM_LE = 1;
  TIOCM_RI = 128;
  TIOCM_RNG = 128;
  TIOCM_RTS = 4;
  TIOCM_SR = 16;
  TIOCM_ST = 8;
  TIOCMBIC = 21527;
  TIOCMBIS = 21526;
  TIOCMGET = 21525;
  TIOCMSET = 21528;
  TIOCNOTTY = 21538;
  TIOCNXCL = 21517;
  TIOCOUTQ = 21521;
  TIOCPKT = 21536;
  TIOCPKT_DATA = 0;
  TIOCPKT_DOSTOP = 32;
  TIOCPKT_FLUSHREAD = 1;
  TIOCPKT_FLUSHWRITE = 2;
  TIOCPKT_IOCTL = 64;
  TIOCPKT_NOSTOP = 16;
  TIOCPKT_START = 8;
  TIOCPKT_STOP = 4;
  TIOCSBRK = 21543;
  TIOCSCTTY = 21518;
  TIOCSETD = 21539;
  TIOCSIG = 1074025526;
  TIOCSPGRP = 21520;
  TIOCSTI = 21522;
  TIOCSWINSZ = 21524;
  TOSTOP = 256;
  XTABS = 6144;

CONST
  MaxPathLen = 1024;

<*EXTERNAL*> PROCEDURE access(path: const_char_star; mode: int): int;
<*EXTERNAL*> PROCEDURE sbrk(inc: INTEGER): char_star;
<*EXTERNAL*> PROCEDURE chdir(path: const_char_star): int;
<*EXTERNAL*> PROCEDURE close(d: int): int;
<*EXTERNAL*> PROCEDURE dup(oldd: int): int;
<*EXTERNAL*> PROCEDURE dup2(oldd, newd: int): int;
<*EXTERNAL*> PROCEDURE execve(name: const_char_star; argv, envp: char_star_star): int;
<*EXTERNAL*> PROCEDURE exit(i: int);
<*EXTERNAL "_exit"*> PROCEDURE underscore_exit(i: int);

TYPE
  struct_flock = RECORD
    l_len: LONGINT := 0L;
    l_start: LONGINT := 0L;
    l_pid: INTEGER := 0;
    l_type: INTEGER := 0;
    l_whence: INTEGER := 0;
  END;

<*EXTERNAL "tn_unix_fcntl"*> PROCEDURE fcntl(fd: int; request, arg: INTEGER): int;
<*EXTERNAL*> PROCEDURE flock(fd, operation: int): int;
(* The child has only the thread that called: it may call exec procedures and underscore_exit, and
   nothing that allocates, waits or uses a database. Process.Create does more. *)
<*EXTERNAL "tn_unix_fork"*> PROCEDURE fork(): pid_t;
<*EXTERNAL*> PROCEDURE fsync(fd: int): int;
<*EXTERNAL*> PROCEDURE sync();
<*EXTERNAL "tn_unix_setsid"*> PROCEDURE setsid(): pid_t;
<*EXTERNAL "tn_unix_getpgrp"*> PROCEDURE getpgrp(): pid_t;
<*EXTERNAL "tn_unix_setpgid"*> PROCEDURE setpgid(pid, group: pid_t): int;
<*EXTERNAL*> PROCEDURE nice(increment: int): int;
<*EXTERNAL*> PROCEDURE pause(): int;
<*EXTERNAL*> PROCEDURE alarm(seconds: unsigned): unsigned;
<*EXTERNAL*> PROCEDURE usleep(microseconds: unsigned): int;
<*EXTERNAL*> PROCEDURE chroot(path: const_char_star): int;
<*EXTERNAL*> PROCEDURE lchown(path: const_char_star; owner: uid_t; group: gid_t): int;
<*EXTERNAL*> PROCEDURE fchdir(fd: int): int;
<*EXTERNAL*> PROCEDURE ttyname(fd: int): char_star;
<*EXTERNAL*> PROCEDURE getlogin(): char_star;
<*EXTERNAL*> PROCEDURE getdomainname(name: char_star; namelen: size_t): int;
<*EXTERNAL*> PROCEDURE gethostid(): INTEGER;
<*EXTERNAL*> PROCEDURE getdtablesize(): int;
<*EXTERNAL*> PROCEDURE gethostname(name: char_star; namelen: size_t): int;
<*EXTERNAL*> PROCEDURE getpagesize(): int;
<*EXTERNAL*> PROCEDURE getcwd(pathname: char_star; size: size_t): char_star;
<*EXTERNAL "tn_unix_ioctl"*> PROCEDURE ioctl(d: int; request: INTEGER; argp: ADDRESS): int;
<*EXTERNAL*> PROCEDURE lseek(d: int; offset: off_t; whence: int): off_t;
<*EXTERNAL "tn_unix_tell"*> PROCEDURE tell(d: int): off_t;
<*EXTERNAL*> PROCEDURE mkdir(path: const_char_star; mode: mode_t): int;
<*EXTERNAL "tn_unix_open"*> PROCEDURE open(name: const_char_star; flags: int; mode: mode_t): int;

CONST
  readEnd = 0;
  writeEnd = 1;

<*EXTERNAL*> PROCEDURE pipe(VAR fildes: ARRAY [0..1] OF int): int;
<*EXTERNAL*> PROCEDURE readlink(path: const_char_star; buf: ADDRESS; bufsize: INTEGER): INTEGER;
<*EXTERNAL*> PROCEDURE rename(from, to: const_char_star): int;
<*EXTERNAL*> PROCEDURE rmdir(path: const_char_star): int;
<*EXTERNAL*> PROCEDURE symlink(name1, name2: const_char_star): int;
<*EXTERNAL*> PROCEDURE truncate(file: const_char_star; length: off_t): int;
<*EXTERNAL*> PROCEDURE ftruncate(file: int; length: off_t): int;
<*EXTERNAL*> PROCEDURE unlink(path: const_char_star): int;
<*EXTERNAL*> PROCEDURE mknod(path: const_char_star; mode: mode_t; dev: dev_t): int;
<*EXTERNAL "tn_unix_umask"*> PROCEDURE umask(numask: mode_t): mode_t;
<*EXTERNAL*> PROCEDURE link(name1, name2: const_char_star): int;
<*EXTERNAL*> PROCEDURE chmod(path: const_char_star; mode: mode_t): int;
<*EXTERNAL*> PROCEDURE fchmod(fd: int; mode: mode_t): int;
<*EXTERNAL*> PROCEDURE chown(path: const_char_star; owner: uid_t; group: gid_t): int;
<*EXTERNAL*> PROCEDURE fchown(fd: int; owner: uid_t; group: gid_t): int;
<*EXTERNAL*> PROCEDURE creat(name: const_char_star; mode: mode_t): int;
<*EXTERNAL*> PROCEDURE isatty(file: int): int;
<*EXTERNAL*> PROCEDURE system(string: const_char_star): int;
<*EXTERNAL*> PROCEDURE sleep(a: unsigned): unsigned;

CONST
  MAX_FDSET = 1024;

TYPE
  (* Descriptors, for select. *)
  FDSet = SET OF [0..MAX_FDSET - 1];
  FDPtr = UNTRACED REF FDSet;

(* Waits for descriptors below nfds; NIL stands for no set, and for no limit of time. *)
<*EXTERNAL*>
PROCEDURE select(nfds: int; readfds, writefds, exceptfds: FDPtr;
                 timeout: UNTRACED REF Utime.struct_timeval): int;
<*EXTERNAL "tn_unix_assertions"*> PROCEDURE Assertions();

END Unix.
