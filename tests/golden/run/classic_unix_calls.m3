(* golden: run, with lib/Check *)
(* Udir, Ugrp, Umman, Unetdb, Upwd, Utermio, Uutsname, and what Unix and Usocket have beside files and
   streams, as programs written for SRC's and CM3's Unix interfaces use them. *)
UNSAFE MODULE Main;

IMPORT Check, Cerrno, Ctypes, M3toC, Text, Udir, Uerror, Uexec, Ugrp, Uin, Uipc, Umman, Unetdb,
       Unix, Uprocess, Upwd, Ushm, Usocket, Utermio, Utime, Uutsname, Uuio, Umsg, Usem, Uugid;

PROCEDURE TextAt(a: ADDRESS): TEXT =
  BEGIN
    RETURN M3toC.CopyStoT(a);
  END TextAt;

PROCEDURE Folders() =
  VAR
    path := M3toC.CopyTtoS("/");
    dir := Udir.opendir(path);
    entry: Udir.struct_dirent_star;
    found := FALSE;
  BEGIN
    Check.That(dir # NIL, "opendir");
    LOOP
      entry := Udir.readdir(dir);
      IF entry = NIL THEN EXIT END;
      IF Text.Equal(TextAt(ADR(entry.d_name)), "proc") THEN found := TRUE END;
    END;
    Check.That(found, "the folder has an entry that each system has");
    Check.Int(Udir.closedir(dir), 0, "closedir");
  END Folders;

PROCEDURE Names() =
  VAR
    user := Upwd.getpwuid(0);
    group := Ugrp.getgrgid(0);
    system: Uutsname.struct_utsname;
    hints: Unetdb.struct_addrinfo;
    result: Unetdb.struct_addrinfo_star;
    address: Uin.struct_in_addr;
    host := M3toC.CopyTtoS("127.0.0.1");
    port := M3toC.CopyTtoS("80");
  BEGIN
    Check.Text(TextAt(user.pw_name), "root", "the first user");
    Check.Text(TextAt(group.gr_name), "root", "the first group");
    Check.Int(Uutsname.uname(ADR(system)), 0, "uname");
    Check.Text(TextAt(ADR(system.sysname)), "Linux", "the system");
    hints := Unetdb.struct_addrinfo{
               ai_flags := Unetdb.AI_NUMERICHOST + Unetdb.AI_NUMERICSERV, ai_family := Usocket.AF_INET,
               ai_socktype := Usocket.SOCK_STREAM, ai_protocol := 0, ai_addrlen := 0,
               ai_addr := NIL, ai_canonname := NIL, ai_next := NIL};
    Check.Int(Unetdb.getaddrinfo(host, port, ADR(hints), result), 0, "getaddrinfo");
    WITH in = LOOPHOLE(result.ai_addr, Uin.struct_sockaddr_in_star) DO
      Check.Int(Uin.ntohs(in.sin_port), 80, "the port");
      Check.Int(Uin.ntohl(in.sin_addr.s_addr), Uin.INADDR_LOOPBACK, "the address");
      Check.Text(TextAt(Uin.inet_ntoa(in.sin_addr)), "127.0.0.1", "inet_ntoa");
    END;
    Unetdb.freeaddrinfo(result);
    Check.Int(Uin.inet_aton(host, ADR(address)), 1, "inet_aton");
    Check.Int(address.s_addr, Uin.inet_addr(host), "inet_addr");
  END Names;

PROCEDURE Memory() =
  VAR
    page := Unix.getpagesize();
    at := Umman.mmap(NIL, 2 * page, Umman.PROT_READ + Umman.PROT_WRITE,
                     Umman.MAP_PRIVATE + Umman.MAP_ANONYMOUS, -1, 0L);
    word := LOOPHOLE(at, UNTRACED REF INTEGER);
    id := Ushm.shmget(Uipc.IPC_PRIVATE, page, Uipc.IPC_CREAT + 8_600);
    semaphore := Usem.semget(Uipc.IPC_PRIVATE, 1, Uipc.IPC_CREAT + 8_600);
    queue := Umsg.msgget(Uipc.IPC_PRIVATE, Uipc.IPC_CREAT + 8_600);
    shared: UNTRACED REF INTEGER;
    one: Usem.struct_sembuf;
    message, back: RECORD type: Ctypes.long; text: ARRAY [0..7] OF CHAR END;
  BEGIN
    Check.Int(word^, 0, "new memory");
    word^ := 5;
    Check.Int(Umman.munmap(at, 2 * page), 0, "munmap");
    IF id >= 0 THEN  (* not every container has it *)
      shared := Ushm.shmat(id, NIL, 0);
      shared^ := 7;
      Check.Int(Ushm.shmdt(shared), 0, "shmdt");
      Check.Int(Ushm.shmctl(id, Uipc.IPC_RMID, NIL), 0, "shmctl");
    END;
    IF semaphore >= 0 THEN
      Check.Int(Usem.semctl(semaphore, 0, Usem.SETVAL, 2), 0, "SETVAL");
      one := Usem.struct_sembuf{sem_num := 0, sem_op := -1, sem_flg := 0};
      Check.Int(Usem.semop(semaphore, ADR(one), 1), 0, "semop");
      Check.Int(Usem.semctl(semaphore, 0, Usem.GETVAL, 0), 1, "GETVAL");
      Check.Int(Usem.semctl(semaphore, 0, Uipc.IPC_RMID, 0), 0, "IPC_RMID");
    END;
    IF queue >= 0 THEN
      message.type := 3;
      message.text := ARRAY [0..7] OF CHAR{'a', 'b', ..};
      Check.Int(Umsg.msgsnd(queue, ADR(message), 8, 0), 0, "msgsnd");
      Check.Int(Umsg.msgrcv(queue, ADR(back), 8, 0, 0), 8, "msgrcv");
      Check.That(back.text = message.text AND back.type = 3, "the message");
      Check.Int(Umsg.msgctl(queue, Uipc.IPC_RMID, NIL), 0, "msgctl");
    END;
  END Memory;

PROCEDURE Descriptors() =
  VAR
    pair, ends: ARRAY [0..1] OF Ctypes.int;
    out := ARRAY [0..3] OF CHAR{'a', 'b', 'c', 'd'};
    in: ARRAY [0..3] OF CHAR;
    iov: Uuio.struct_iovec;
    head: Usocket.struct_msghdr;
    set: Unix.FDSet;
    limit := Utime.struct_timeval{tv_sec := 0, tv_usec := 0};
    term: Utermio.struct_termios;
    length: Usocket.socklen_t := 0;
  BEGIN
    Check.Int(BYTESIZE(Unix.FDSet), 128, "the size of a set of descriptors");
    Check.Int(length, 0, "a length");
    Check.Int(Usocket.socketpair(Usocket.AF_UNIX, Usocket.SOCK_DGRAM, 0, ADR(pair)), 0, "socketpair");
    iov := Uuio.struct_iovec{iov_base := ADR(out), iov_len := 4};
    head := Usocket.struct_msghdr{msg_name := NIL, msg_namelen := 0, msg_iov := ADR(iov),
                                  msg_iovlen := 1, msg_control := NIL, msg_controllen := 0,
                                  msg_flags := 0};
    Check.Int(Usocket.sendmsg(pair[0], ADR(head), 0), 4, "sendmsg");
    iov.iov_base := ADR(in);
    Check.Int(Usocket.recvmsg(pair[1], ADR(head), 0), 4, "recvmsg");
    Check.That(in = out, "the message");
    Check.Int(Utermio.tcgetattr(pair[0], ADR(term)), -1, "a socket is no terminal");
    Check.Int(Cerrno.GetErrno(), Uerror.ENOTTY, "ENOTTY");

    Check.Int(Unix.pipe(ends), 0, "pipe");
    set := Unix.FDSet{ends[0]};
    Check.Int(Unix.select(ends[0] + 1, ADR(set), NIL, NIL, ADR(limit)), 0, "nothing to read");
    Check.That(set = Unix.FDSet{}, "no descriptor");
    Check.Int(Uuio.write(ends[1], ADR(out), 4), 4, "write");
    set := Unix.FDSet{ends[0]};
    Check.Int(Unix.select(ends[0] + 1, ADR(set), NIL, NIL, ADR(limit)), 1, "something to read");
    Check.That(set = Unix.FDSet{ends[0]}, "the descriptor");
  END Descriptors;

PROCEDURE Children() =
  VAR
    parent := Uprocess.getpid();
    status: Ctypes.int;
    child := Unix.fork();
  BEGIN
    IF child = 0 THEN
      Unix.underscore_exit(ORD(Uprocess.getppid() # parent) + 3);
    END;
    Check.That(Uexec.wait(ADR(status)) = child, "wait");
    Uexec.RepackStatus(status);
    Check.Int(status, 3 * 256, "the child's status");
  END Children;

PROCEDURE Processes() =
  VAR
    path := M3toC.CopyTtoS("/tmp");
    folder := Unix.open(path, Unix.O_RDONLY, 0);
    name: ARRAY [0..99] OF CHAR;
    short := Utime.struct_timespec{tv_sec := 0, tv_nsec := 1000};
  BEGIN
    Check.Int(Unix.fchdir(folder), 0, "fchdir");
    Check.Int(Unix.flock(folder, Unix.LOCK_SH), 0, "flock");
    Check.That(Unix.ttyname(folder) = NIL, "a folder is no terminal");
    Check.Int(Unix.lchown(path, -1, -1), 0, "lchown that changes nothing");
    Check.Int(Unix.getdomainname(ADR(name), NUMBER(name)), 0, "getdomainname");
    Check.Int(Unix.gethostid(), Unix.gethostid(), "gethostid");
    Check.That(Unix.getpgrp() > 0, "getpgrp");
    Check.That(Unix.nice(0) >= -20, "nice");
    Check.Int(Unix.alarm(0), 0, "no alarm was set");
    Check.Int(Unix.usleep(1), 0, "usleep");
    Check.Int(Utime.nanosleep(ADR(short), NIL), 0, "nanosleep");
    Check.That(Uugid.getgid() >= 0, "getgid");
    EVAL Unix.getlogin();  (* NIL without a terminal *)
  END Processes;

BEGIN
  Folders();
  Names();
  Memory();
  Descriptors();
  Children();
  Processes();
  Check.Done();
END Main.
(* expect: all checks hold *)
