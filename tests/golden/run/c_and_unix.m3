(* golden: run, with lib/Check *)
(* The bindings to C and Unix. *)
UNSAFE MODULE Main;

IMPORT Cerrno, Check, Cstddef, Cstdint, Cstdlib, Cstring, Ctypes, Fmt, M3toC, Text, Uerror, Uexec,
  Unix, Uprocess, Uresource, Usignal, Ustat, Utime, Utypes, Uugid;

TYPE
  Chars = UNTRACED REF ARRAY [0..99] OF CHAR;

PROCEDURE S(t: TEXT): Ctypes.char_star =
  BEGIN
    RETURN M3toC.CopyTtoS(t);
  END S;

PROCEDURE T(s: Ctypes.const_char_star): TEXT =
  BEGIN
    RETURN M3toC.CopyStoT(s);
  END T;

PROCEDURE Sizes() =
  BEGIN
    Check.Int(BYTESIZE(Ctypes.char), 1, "char");
    Check.Int(BYTESIZE(Ctypes.short), 2, "short");
    Check.Int(BYTESIZE(Ctypes.int), 4, "int");
    Check.Int(BYTESIZE(Ctypes.unsigned_int), 4, "unsigned");
    Check.Int(BYTESIZE(Ctypes.long), 8, "long");
    Check.Int(BYTESIZE(Ctypes.long_long), 8, "long long");
    Check.Int(BYTESIZE(Ctypes.float), 4, "float");
    Check.Int(BYTESIZE(Ctypes.double), 8, "double");
    Check.Int(BYTESIZE(Ctypes.char_star), 8, "char*");
    Check.Int(BYTESIZE(Cstddef.size_t), 8, "size_t");
    Check.Int(BYTESIZE(Cstdint.uint16_t), 2, "uint16_t");
    Check.Int(BYTESIZE(Utypes.off_t), 8, "off_t");
    Check.Int(BYTESIZE(Utime.struct_tm), 56, "struct tm");
    Check.Int(BYTESIZE(Uresource.struct_rusage), 144, "struct rusage");
  END Sizes;

PROCEDURE Strings() =
  VAR
    a: Ctypes.char_star := S("one");
    b: Ctypes.char_star := Cstdlib.calloc(100, 1);
    t: TEXT;
  BEGIN
    Check.Int(Cstring.strlen(a), 3, "strlen");
    Check.Text(T(Cstring.strcpy(b, a)), "one", "strcpy");
    Check.Text(T(Cstring.strcat(b, a)), "oneone", "strcat");
    Check.Text(T(Cstring.strncat(b, S("xyz"), 2)), "oneonexy", "strncat");
    Check.Int(Cstring.strspn(b, S("eno")), 6, "strspn");
    Check.Int(Cstring.strcspn(b, S("x")), 6, "strcspn");
    Check.That(Cstring.strcmp(a, b) < 0, "strcmp");
    Check.That(Cstring.strcoll(a, a) = 0, "strcoll");
    Check.Int(Cstring.strxfrm(NIL, a, 0), 3, "strxfrm");
    Check.Int(Cstring.strncmp(a, b, 3), 0, "strncmp");
    Check.Int(Cstring.memcmp(a, b, 3), 0, "memcmp");
    EVAL Cstring.memcpy(b, S("abcdef"), 7);
    EVAL Cstring.memmove(b + ADRSIZE(Ctypes.char), b, 5);
    Check.Text(T(b), "aabcde", "memcpy and memmove");
    EVAL Cstring.memset(b, ORD('z'), 2);
    Check.Text(T(b), "zzbcde", "memset");
    EVAL Cstring.strncpy(b, a, 2);
    Check.Text(T(b), "onbcde", "strncpy");
    Check.Text(T(Cstring.strtok(b, S("b"))), "on", "strtok");
    Check.Text(T(Cstring.strtok(NIL, S("b"))), "cde", "strtok again");
    Check.Text(T(Cstring.strerror(Uerror.ENOENT)), "No such file or directory", "strerror");
    Cstdlib.free(b);
    Check.That(Cstdlib.atof(S("2.5")) = 2.5d0, "atof");
    Check.That(Cstdlib.strtod(S("-1e3"), NIL) = -1000.0d0, "strtod");
    Check.That(Cstdlib.getenv(S("NO_SUCH_VARIABLE")) = NIL, "getenv");
    Check.Int(Cstdlib.system(S("exit 3")), 3 * 256, "system");

    t := "sha" & "red";
    a := M3toC.SharedTtoS(t);
    Check.Text(M3toC.StoT(a), "shared", "SharedTtoS");
    M3toC.FreeSharedS(t, a);
    Check.Text(T(M3toC.FlatTtoS("literal")), "literal", "FlatTtoS");
    Check.That(M3toC.CopyStoT(NIL) = NIL, "CopyStoT(NIL)");
    a := M3toC.CopyTtoS("");
    Check.Text(T(a), "", "the empty text");
    M3toC.FreeCopiedS(a);
  END Strings;

PROCEDURE Files() =
  VAR
    name := S("file");
    fd: Ctypes.int;
    buffer := NEW(Chars);
    stat: Ustat.struct_stat;
    ends: ARRAY [0..1] OF Ctypes.int;
    lock: Unix.struct_flock;
    bytes: Ctypes.int;
  BEGIN
    Check.Int(Unix.open(S("no such file"), Unix.O_RDONLY, 0), -1, "open");
    Check.Int(Cerrno.GetErrno(), Uerror.ENOENT, "errno");
    Cerrno.SetErrno(7);
    Check.Int(Cerrno.GetErrno(), Uerror.E2BIG, "SetErrno");

    fd := Unix.open(name, Unix.O_CREAT + Unix.O_RDWR + Unix.O_TRUNC, 8_640);
    Check.That(fd > 2, "open");
    Check.Int(Unix.ftruncate(fd, 1000L), 0, "ftruncate");
    Check.Int(VAL(Unix.lseek(fd, -10L, 2), INTEGER), 990, "lseek");
    Check.Int(VAL(Unix.tell(fd), INTEGER), 990, "tell");
    Check.Int(Unix.fsync(fd), 0, "fsync");
    Check.Int(Ustat.fstat(fd, ADR(stat)), 0, "fstat");
    Check.Int(VAL(stat.st_size, INTEGER), 1000, "st_size");
    Check.Int(stat.st_mode, Ustat.S_IFREG + 8_640, "st_mode");
    Check.Int(stat.st_uid, Uugid.getuid(), "st_uid");
    Check.Int(VAL(stat.st_nlink, INTEGER), 1, "st_nlink");
    lock.l_type := 1;
    Check.Int(Unix.fcntl(fd, Unix.F_SETLK, LOOPHOLE(ADR(lock), INTEGER)), 0, "F_SETLK");
    Check.Int(Unix.fcntl(fd, Unix.F_GETFL, 0) MOD 4, Unix.O_RDWR, "F_GETFL");
    Check.Int(Unix.isatty(fd), 0, "isatty");
    Check.Int(Unix.fchmod(fd, 8_600), 0, "fchmod");
    Check.Int(Unix.fchown(fd, Uugid.getuid(), -1), 0, "fchown");
    Check.Int(Unix.dup2(fd, 50), 50, "dup2");
    WITH other = Unix.dup(fd) DO
      Check.That(other > 2, "dup");
      Check.Int(Unix.close(other), 0, "close");
      Check.Int(Unix.close(other), -1, "close again");
    END;
    Check.Int(Unix.close(50), 0, "close 50");
    Check.Int(Unix.close(fd), 0, "close fd");

    Check.Int(Unix.chmod(name, 8_400), 0, "chmod");
    Check.Int(Unix.chown(name, Uugid.getuid(), -1), 0, "chown");
    Check.Int(Unix.access(name, Unix.R_OK), 0, "access");
    Check.Int(Unix.link(name, S("hard")), 0, "link");
    Check.Int(Unix.symlink(name, S("soft")), 0, "symlink");
    Check.Int(Unix.readlink(S("soft"), buffer, 100), 4, "readlink");
    Check.Int(Ustat.lstat(S("soft"), ADR(stat)), 0, "lstat");
    Check.Int(stat.st_mode DIV 4096, Ustat.S_IFLNK DIV 4096, "S_IFLNK");
    Check.Int(Ustat.stat(S("soft"), ADR(stat)), 0, "stat");
    Check.Int(stat.st_mode DIV 4096, Ustat.S_IFREG DIV 4096, "S_IFREG");
    Check.Int(Unix.rename(S("hard"), S("moved")), 0, "rename");
    Check.Int(Unix.unlink(S("moved")), 0, "unlink");
    Check.Int(Unix.truncate(S("moved"), 5L), -1, "truncate");
    Check.Int(Unix.mkdir(S("directory"), 8_700), 0, "mkdir");
    Check.Int(Unix.chdir(S("directory")), 0, "chdir");
    Check.That(Unix.getcwd(LOOPHOLE(buffer, Ctypes.char_star), 2) = NIL, "getcwd");
    Check.Int(Cerrno.GetErrno(), Uerror.ERANGE, "ERANGE");
    Check.Int(Unix.chdir(S("..")), 0, "chdir back");
    Check.Int(Unix.rmdir(S("directory")), 0, "rmdir");
    Check.Int(Unix.mknod(S("fifo"), 8_10000 + 8_600, 0L), 0, "mknod");
    fd := Unix.creat(S("created"), 8_600);
    Check.That(fd > 2, "creat");
    EVAL Unix.close(fd);

    Check.Int(Unix.pipe(ends), 0, "pipe");
    Check.Int(Unix.ioctl(ends[Unix.readEnd], Unix.FIONREAD, ADR(bytes)), 0, "ioctl");
    Check.Int(bytes, 0, "FIONREAD");
    EVAL Unix.close(ends[Unix.readEnd]);
    EVAL Unix.close(ends[Unix.writeEnd]);
    EVAL Unix.umask(8_27);
    Check.Int(Unix.umask(8_22), 8_27, "umask");
    Check.That(Unix.getpagesize() >= 4096, "getpagesize");
    Check.That(Unix.getdtablesize() > 3, "getdtablesize");
    Check.Int(Unix.gethostname(LOOPHOLE(buffer, Ctypes.char_star), 100), 0, "gethostname");
    Check.That(Unix.sbrk(0) # NIL, "sbrk");
    Check.Int(Unix.sleep(0), 0, "sleep");
    Check.Int(Unix.system(S("exit 2")), 512, "system");
    Unix.Assertions();
  END Files;

PROCEDURE Processes() =
  VAR
    usage: Uresource.struct_rusage;
    limit: Uresource.struct_rlimit;
    status: Ctypes.int;
    arguments := NEW(UNTRACED REF ARRAY [0..0] OF Ctypes.char_star);
  BEGIN
    Check.That(Uprocess.getpid() > 1, "getpid");
    Check.Int(Usignal.kill(Uprocess.getpid(), 0), 0, "kill");
    Check.Int(Uugid.geteuid(), Uugid.getuid(), "geteuid");
    Check.Int(Uugid.havegroup(Uugid.getegid()), 1, "havegroup");
    Check.Int(Uugid.havegroup(123456789), 0, "havegroup of another");
    Check.Int(Uugid.setreuid(-1, -1), 0, "setreuid");
    Check.Int(Uexec.waitpid(-1, ADR(status), Uexec.WNOHANG), -1, "waitpid");
    Check.Int(Cerrno.GetErrno(), Uerror.ECHILD, "ECHILD");
    status := Cstdlib.system(S("exit 9"));
    Uexec.RepackStatus(status);
    Check.Int(status, 9 * 256, "RepackStatus of an exit");
    status := Cstdlib.system(S("kill -9 $$"));
    Uexec.RepackStatus(status);
    Check.Int(status, Usignal.SIGKILL, "RepackStatus of a signal");
    arguments[0] := NIL;
    WITH argv = LOOPHOLE(arguments, Ctypes.char_star_star) DO
      Check.Int(Uexec.execv(S("/no such program"), argv), -1, "execv");
      Check.Int(Uexec.execvp(S("no such program"), argv), -1, "execvp");
      Check.Int(Uexec.execve(S("/no such program"), argv, argv), -1, "execve");
      Check.Int(Unix.execve(S("/no such program"), argv, argv), -1, "Unix.execve");
    END;
    Check.Int(Uresource.getrusage(Uresource.RUSAGE_SELF, usage), 0, "getrusage");
    Check.That(usage.ru_maxrss > 0, "ru_maxrss");
    Check.Int(Uresource.getrlimit(Uresource.RLIMIT_NOFILE, limit), 0, "getrlimit");
    Check.Int(limit.rlim_cur, Unix.getdtablesize(), "RLIMIT_NOFILE");
    Check.Int(Uresource.setrlimit(Uresource.RLIMIT_NOFILE, limit), 0, "setrlimit");
    Check.Int(Uresource.getpriority(Uresource.PRIO_PROCESS, 0), Uresource.nice(0), "nice");
    Check.Int(Uresource.setpriority(Uresource.PRIO_PROCESS, 0, Uresource.nice(0)), 0,
              "setpriority");
  END Processes;

PROCEDURE Times() =
  VAR
    day: Ctypes.long := 86400;
    now: Utime.struct_timeval;
    zone: Utime.struct_timezone;
    timer: Utime.struct_itimerval;
    buffer := LOOPHOLE(NEW(Chars), Ctypes.char_star);
    tm := NEW(Utime.struct_tm_star);
    tms := NEW(Utime.struct_tms_star);
  BEGIN
    Utime.tzset();
    Check.Int(Utime.gettimeofday(now, zone), 0, "gettimeofday");
    Check.That(ABS(Utime.time(NIL) - now.tv_sec) <= 1, "time");
    Check.That(Utime.gmtime_r(ADR(day), tm) = tm, "gmtime_r");
    Check.Int(tm.tm_mday, 2, "tm_mday");
    Check.Int(tm.tm_year, 70, "tm_year");
    Check.That(Utime.gmtime(ADR(day)).tm_wday = 5, "gmtime");
    Check.Text(T(Utime.asctime_r(tm, buffer, 100)), "Fri Jan  2 00:00:00 1970\n", "asctime_r");
    Check.Text(T(Utime.asctime(tm)), "Fri Jan  2 00:00:00 1970\n", "asctime");
    Check.That(Utime.asctime_r(tm, buffer, 10) = NIL, "a short buffer");
    Check.That(Utime.ctime_r(ADR(day), buffer, 10) = NIL, "a short buffer");
    Check.Text(T(Utime.ctime_r(ADR(day), buffer, 100)), T(Utime.ctime(ADR(day))), "ctime");
    EVAL Utime.localtime_r(ADR(day), tm);
    Check.Int(Utime.mktime(tm), day, "mktime");
    Check.Int(Utime.mktime(Utime.localtime(ADR(day))), day, "localtime");
    Check.That(Utime.times(tms) # -1, "times");
    Check.That(Utime.clock() >= 0, "clock");
    Check.Int(Utime.getitimer(Utime.ITIMER_REAL, timer), 0, "getitimer");
    Check.Int(timer.it_value.tv_sec, 0, "it_value");
    Check.Int(Utime.setitimer(Utime.ITIMER_REAL, timer, timer), 0, "setitimer");
    Check.That(Utime.tzname[0] # NIL, "tzname");
    Check.That(ABS(Utime.timezone) < 86400 AND Utime.daylight >= 0, "timezone");
  END Times;

BEGIN
  Sizes();
  Strings();
  Files();
  Processes();
  Times();
  Check.Text(Fmt.Int(Text.Length(T(Cstring.strerror(0)))), "7", "strerror(0)");
  Check.Done();
END Main.
(* expect: all checks hold *)
