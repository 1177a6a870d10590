(* golden: run, with lib/Check, @M3someflag=17 *)
(* File handles, names of files, the file system, errors of the system as atoms, the own process. *)
UNSAFE MODULE Main;

IMPORT Atom, Check, Ctypes, Cstdlib, Env, FS, File, FilePosix, Fmt, MutexRep, OSError, OSErrorPosix,
  Params, Pathname, Pipe, Process, RTFile, RTParams, RegularFile, Terminal, Text, Thread, ThreadF, Time,
  Uerror, Unix, Uprocess, Utime;

<*FATAL OSError.E*>

PROCEDURE Bytes(t: TEXT): REF ARRAY OF File.Byte =
  VAR a := NEW(REF ARRAY OF File.Byte, Text.Length(t));
  BEGIN
    FOR i := 0 TO LAST(a^) DO a[i] := ORD(Text.GetChar(t, i)) END;
    RETURN a;
  END Bytes;

(* The next n bytes of f, or fewer at the end. *)
PROCEDURE Read(f: File.T; n: CARDINAL): TEXT =
  VAR a := NEW(REF ARRAY OF File.Byte, n);  got := f.read(a^);  t := "";
  BEGIN
    FOR i := 0 TO got - 1 DO t := t & Text.FromChar(VAL(a[i], CHAR)) END;
    RETURN t;
  END Read;

PROCEDURE Handles() =
  VAR f: RegularFile.T := FS.OpenFile("file");  ro: RegularFile.T;  failed := FALSE;
  BEGIN
    f.write(Bytes("0123456789")^);
    Check.Int(f.seek(RegularFile.Origin.Beginning, 3), 3, "seek from the beginning");
    Check.Text(Read(f, 2), "34", "there");
    Check.Int(f.seek(RegularFile.Origin.Current, -1), 4, "seek from the position");
    Check.Text(Read(f, 2), "45", "there");
    Check.Int(f.seek(RegularFile.Origin.End, -1), 9, "seek from the end");
    Check.Text(Read(f, 20), "9", "there");
    TRY
      EVAL f.seek(RegularFile.Origin.Beginning, -1);
    EXCEPT
    | OSError.E (why) =>
      failed := TRUE;
      Check.Int(OSErrorPosix.AtomToErrno(why.head), Uerror.EINVAL, "why");
    END;
    Check.That(failed, "seek before the beginning");
    f.flush();
    Check.That(f.lock(), "lock");
    (* The lock belongs to the process: a child cannot get it meanwhile. *)
    Check.That(NOT ChildCanLock(), "a locked file");
    f.unlock();
    Check.That(ChildCanLock(), "a file that is no longer locked");
    Check.That(f.status().size = 10L AND f.status().type = RegularFile.FileType, "status");
    f.close();
    failed := FALSE;
    TRY f.flush() EXCEPT OSError.E => failed := TRUE END;
    Check.That(failed, "flush of a closed file");

    ro := FS.OpenFileReadonly("file");
    Check.Text(Read(ro, 4), "0123", "OpenFileReadonly");
    failed := FALSE;
    TRY ro.write(Bytes("x")^) EXCEPT OSError.E => failed := TRUE END;
    Check.That(failed, "writing to it");
    ro.close();
    failed := FALSE;
    TRY EVAL FS.OpenFileReadonly("no file") EXCEPT OSError.E => failed := TRUE END;
    Check.That(failed, "OpenFileReadonly of no file");
  END Handles;

(* In a child, which does not share our locks. *)
PROCEDURE ChildCanLock(): BOOLEAN =
  BEGIN
    RETURN Process.Wait(Process.Create("/proc/self/exe", ARRAY OF TEXT{"lock"})) = 0;
  END ChildCanLock;

(* That child. *)
PROCEDURE TryLock() =
  VAR f: RegularFile.T := FS.OpenFile("file", truncate := FALSE);
  BEGIN
    Process.Exit(1 - ORD(f.lock()));
  END TryLock;

PROCEDURE FileSystem() =
  CONST Then = 1.0d9;
  VAR here := Process.GetWorkingDirectory();  failed := FALSE;
  BEGIN
    Check.That(Pathname.Absolute(here), "GetWorkingDirectory");
    Check.Text(FS.GetAbsolutePathname("."), FS.GetAbsolutePathname(here), "the same directory");
    FS.CreateDirectory("sub");
    Check.Text(FS.GetAbsolutePathname("./sub/../file"), FS.GetAbsolutePathname(here) & "/file",
               "without relative arcs");
    TRY EVAL FS.GetAbsolutePathname("no/file") EXCEPT OSError.E => failed := TRUE END;
    Check.That(failed, "GetAbsolutePathname of no file");
    FS.SetModificationTime("file", Then);
    Check.That(FS.Status("file").modificationTime = Then, "SetModificationTime");
    FS.SetModificationTime("file", -1.0d0);
    Check.That(ABS(FS.Status("file").modificationTime - Then) > 1.0d0, "another time");
    failed := FALSE;
    TRY FS.SetModificationTime("no file", Then) EXCEPT OSError.E => failed := TRUE END;
    Check.That(failed, "SetModificationTime of no file");
    failed := FALSE;
    TRY
      FS.SetModificationTime("file", 1.0d30);
    EXCEPT
    | OSError.E (why) => failed := OSErrorPosix.AtomToErrno(why.head) = Uerror.EINVAL;
    END;
    Check.That(failed, "a time that is none");
    Process.SetWorkingDirectory("sub");
    Check.Text(Process.GetWorkingDirectory(), here & "/sub", "SetWorkingDirectory");
    Process.SetWorkingDirectory("..");
    Check.Text(Process.GetWorkingDirectory(), here, "and back");
    failed := FALSE;
    TRY Process.SetWorkingDirectory("file") EXCEPT OSError.E => failed := TRUE END;
    Check.That(failed, "SetWorkingDirectory of a file");
  END FileSystem;

PROCEDURE Names() =
  BEGIN
    Check.That(Pathname.Valid("/a b/c.d") AND Pathname.Valid("") AND NOT Pathname.Valid("a\000"),
               "Valid");
    Check.Text(Pathname.Base("/x.y/name.ext"), "/x.y/name", "Base");
    Check.Text(Pathname.Base("/x.y/name"), "/x.y/name", "Base without an extension");
    Check.Text(Pathname.Base(".profile"), ".profile", "Base of a hidden file");
    Check.Text(Pathname.Base("a.b.c"), "a.b", "Base of two extensions");
    Check.Text(Pathname.Base(""), "", "Base of nothing");
  END Names;

PROCEDURE Errors() =
  TYPE Way = {Raise0, Raise0T, Raise, RaiseT};
  VAR failed: BOOLEAN;
  BEGIN
    Check.Int(OSErrorPosix.AtomToErrno(OSErrorPosix.ErrnoAtom(Uerror.EPIPE)), Uerror.EPIPE,
              "ErrnoAtom");
    Check.That(OSErrorPosix.ErrnoAtom(7) = OSErrorPosix.ErrnoAtom(7)
               AND OSErrorPosix.ErrnoAtom(7) # OSErrorPosix.ErrnoAtom(8), "atoms are unique");
    Check.Int(OSErrorPosix.AtomToErrno(Atom.FromText("else")), -1, "any other atom");
    FOR way := FIRST(Way) TO LAST(Way) DO
      failed := FALSE;
      TRY
        CASE way OF
        | Way.Raise0 => OSErrorPosix.Raise0(Uerror.ENOENT);
        | Way.Raise0T => OSErrorPosix.Raise0T(Uerror.ENOENT, "more");
        | Way.Raise => EVAL Unix.close(-1); OSErrorPosix.Raise();
        | Way.RaiseT => EVAL Unix.close(-1); OSErrorPosix.RaiseT("more");
        END;
      EXCEPT
      | OSError.E (why) =>
        failed := TRUE;
        IF way <= Way.Raise0T THEN
          Check.Int(OSErrorPosix.AtomToErrno(why.head), Uerror.ENOENT, "ENOENT");
          Check.Text(Atom.ToText(why.tail.head), "No such file or directory", "its text");
        ELSE
          Check.Int(OSErrorPosix.AtomToErrno(why.head), Uerror.EBADF, "EBADF");
        END;
        IF way = Way.Raise0T OR way = Way.RaiseT THEN
          Check.Text(Atom.ToText(why.tail.tail.head), "more", "the message");
        ELSE
          Check.That(why.tail.tail = NIL, "no message");
        END;
      END;
      Check.That(failed, "a way to raise: " & Fmt.Int(ORD(way)));
    END;
  END Errors;

PROCEDURE NoName(bad, ending: TEXT) =
  CONST
    Calls = 15;
  VAR refused, others := 0;
  BEGIN
    FOR call := 1 TO Calls DO
      TRY
        CASE call OF
        | 1 => EVAL FS.Status(bad);
        | 2 => EVAL FS.OpenFile(bad);
        | 3 => EVAL FS.OpenFileReadonly(bad);
        | 4 => FS.DeleteFile(bad);
        | 5 => FS.Rename(bad, "other");
        | 6 => FS.Rename("file", "other" & ending);
        | 7 => FS.CreateDirectory("new" & ending);
        | 8 => FS.DeleteDirectory("." & ending);
        | 9 => EVAL FS.Iterate("." & ending);
        | 10 => FS.SetModificationTime(bad, 1.0d9);
        | 11 => EVAL FS.GetAbsolutePathname(bad);
        | 12 => Process.SetWorkingDirectory("/" & ending);
        | 13 => EVAL FilePosix.PathChars(bad);
        | 14 => EVAL Process.Create(bad, ARRAY OF TEXT{});
        | 15 => EVAL Process.Create("true", ARRAY OF TEXT{bad});
        ELSE
        END;
      EXCEPT
      | OSError.E (why) =>
        INC(refused);
        IF OSErrorPosix.AtomToErrno(why.head) # Uerror.EINVAL THEN INC(others) END;
      END;
    END;
    Check.Int(refused, Calls, "names that are none");
    Check.Int(others, 0, "invalid arguments");
  END NoName;

(* The system would take a name with a NUL for the name of another file, and has no names with
   wide characters. *)
PROCEDURE NoNames() =
  BEGIN
    FS.OpenFile("file").close();
    NoName("file\000x", "\000x");
    NoName(W"file\x0416", W"\x0416");
    Check.That(FS.Status("file").size >= 0L, "the file is there");
    FS.DeleteFile("file");
    Check.That(Env.Get("PATH\000x") = NIL AND Env.Get(W"PATH\x0416") = NIL, "Env.Get");
    Check.That(Env.Get("PATH") # NIL, "Env.Get of a name");
    (* A child that cannot begin because of its directory. *)
    TRY
      EVAL Process.Create("/bin/true", ARRAY OF TEXT{}, wd := "missing");
    EXCEPT
    | OSError.E (why) => Check.Text(Atom.ToText(why.tail.tail.head), "missing", "what is missing");
    END;
  END NoNames;

PROCEDURE Kinds() =
  VAR ends: ARRAY [0..1] OF Ctypes.int;  r, w: Pipe.T;
  BEGIN
    Check.That(FilePosix.TypeOfKind(RTFile.Regular) = RegularFile.FileType
               AND FilePosix.TypeOfKind(RTFile.Terminal) = Terminal.FileType
               AND FilePosix.TypeOfKind(RTFile.Pipe) = Pipe.FileType
               AND FilePosix.TypeOfKind(RTFile.Directory) = FS.DirectoryFileType, "TypeOfKind");
    Check.Int(Unix.pipe(ends), 0, "pipe");
    r := FilePosix.NewPipe(ends[0], FilePosix.Read);
    w := FilePosix.NewPipe(ends[1], FilePosix.Write);
    w.write(Bytes("through")^);
    Check.Text(Read(r, 10), "through", "NewPipe");
    Check.That(r.fd = ends[0] AND r.ds = FilePosix.Read, "its fields");
    r.close();
    w.close();
    Check.Int(r.fd, -1, "a closed handle");
  END Kinds;

TYPE
  Counting = MUTEX OBJECT acquired, released := 0 OVERRIDES acquire := Count; release := Uncount END;

PROCEDURE Count(m: Counting) =
  BEGIN
    MUTEX.acquire(m);
    INC(m.acquired);
  END Count;

PROCEDURE Uncount(m: Counting) =
  BEGIN
    INC(m.released);
    MUTEX.release(m);
  END Uncount;

PROCEDURE Mutexes() =
  VAR m := NEW(Counting);
  BEGIN
    LOCK m DO Check.That(m.acquired = 1 AND m.released = 0, "LOCK calls acquire") END;
    Check.Int(m.released, 1, "the end of LOCK calls release");
    Thread.Acquire(m);
    Thread.Release(m);
    Check.That(m.acquired = 2 AND m.released = 2, "Acquire and Release");
    m.acquire();
    m.release();
    Check.That(m.acquired = 3 AND m.released = 3, "the methods themselves");
    TRY LOCK m DO RAISE Thread.Alerted END EXCEPT Thread.Alerted => END;
    Check.That(m.acquired = 4 AND m.released = 4, "an exception releases");
  END Mutexes;

TYPE
  Asker = Thread.Closure OBJECT id: ThreadF.Id OVERRIDES apply := Ask END;

PROCEDURE Ask(self: Asker): REFANY =
  BEGIN
    self.id := ThreadF.MyId();
    RETURN NIL;
  END Ask;

PROCEDURE Self() =
  VAR asker := NEW(Asker);  me := ThreadF.MyId();  name, value: TEXT;  path := FALSE;
      now, delta, old: Utime.struct_timeval;  zone: Utime.struct_timezone;  found := FALSE;
  BEGIN
    Check.Int(Process.GetMyID(), Uprocess.getpid(), "GetMyID");
    EVAL Thread.Join(Thread.Fork(asker));
    Check.That(asker.id # me AND ThreadF.MyId() = me, "MyId");

    FOR i := 0 TO Env.Count - 1 DO
      Env.GetNth(i, name, value);
      IF Text.FindChar(name, '=') >= 0 THEN Check.That(FALSE, "a name") END;
      IF Text.Equal(name, "PATH") THEN path := Text.Equal(value, Env.Get("PATH")) END;
    END;
    Check.That(path, "GetNth");

    FOR i := 0 TO RTParams.NumParameters - 1 DO
      IF Text.Equal(RTParams.Nth(i), "someflag=17") THEN found := TRUE END;
    END;
    Check.That(found AND RTParams.IsPresent("someflag"), "Nth");
    Check.Text(RTParams.Value("someflag"), "17", "Value");

    (* The clock does not change. *)
    now.tv_sec := 0;
    now.tv_usec := -1;
    zone.tz_minuteswest := 0;
    zone.tz_dsttime := 0;
    Check.Int(Utime.settimeofday(now, zone), -1, "settimeofday");
    delta.tv_sec := LAST(INTEGER) DIV 2;
    delta.tv_usec := 0;
    Check.Int(Utime.adjtime(delta, old), -1, "adjtime");
    Check.That(Time.Now() > 1.0d9, "the time");

    WITH p = LOOPHOLE(Cstdlib.malloc(16), UNTRACED REF ARRAY [0..15] OF File.Byte) DO
      Check.That(p # NIL, "malloc");
      FOR i := 0 TO 15 DO p[i] := i END;
      Check.Int(p[15], 15, "its memory");
      Cstdlib.free(p);
    END;
  END Self;

BEGIN
  IF Params.Count > 1 AND Text.Equal(Params.Get(1), "lock") THEN TryLock() END;
  Handles();
  FileSystem();
  Names();
  Errors();
  NoNames();
  Kinds();
  Mutexes();
  Self();
  Check.Done();
END Main.
(* expect: all checks hold *)
