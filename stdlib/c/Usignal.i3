(* Signals. Signals that do not exist on this system have negative numbers. *)
INTERFACE Usignal;

FROM Ctypes IMPORT int;
FROM Utypes IMPORT pid_t;

CONST
  NSIG = 65;
  SA_NOCLDSTOP = 1;
  SA_RESETHAND = 2147483648;
  SA_RESTART = 268435456;
  SIGABRT = 6;
  SIGALRM = 14;
  SIGBUS = 7;
  SIGCANCEL = -1;
  SIGCHLD = 17;
  SIGCLD = 17;
  SIGCONT = 18;
  SIGEXCEPT = -2;
  SIGFPE = 8;
  SIGHUP = 1;
  SIGILL = 4;
  SIGINT = 2;
  SIGIO = 29;
  SIGIOT = 6;
  SIGKILL = 9;
  SIGPIPE = 13;
  SIGPOLL = 29;
  SIGPROF = 27;
  SIGQUIT = 3;
  SIGSEGV = 11;
  SIGSTOP = 19;
  SIGSYS = 31;
  SIGTERM = 15;
  SIGTRAP = 5;
  SIGTSTP = 20;
  SIGTTIN = 21;
  SIGTTOU = 22;
  SIGURG = 23;
  SIGUSR1 = 10;
  SIGUSR2 = 12;
  SIGVTALRM = 26;
  SIGWINCH = 28;
  SIGXCPU = 24;
  SIGXFSZ = 25;
  SIG_BLOCK = 0;
  SIG_SETMASK = 2;
  SIG_UNBLOCK = 1;

TYPE
  SignalHandler = PROCEDURE (sig: int);
  SignalActionHandler = PROCEDURE (sig: int; sip: siginfo_t_star; uap: ADDRESS);
  siginfo_t_star = ADDRESS;

<*EXTERNAL*> PROCEDURE kill(pid: pid_t; sig: int): int;

END Usignal.
