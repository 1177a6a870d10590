(* golden: run, with lib/Check *)
(* Process.Create and Wait, pipes, OSConfig, file types. *)
UNSAFE MODULE Main;

IMPORT Check, Env, FS, File, FilePosix, FileRd, FileWr, OSConfig, OSError, OSErrorPosix, Params,
  Pathname, Pipe, Process, Rd, RdUtils, RegularFile, RuntimeError, Terminal, Text, Uerror, Ustat, Wr;

<*FATAL ANY*>

TYPE
  Texts = REF ARRAY OF TEXT;

(* The output of the shell for command. *)
PROCEDURE Shell(command: TEXT; input := ""; env: Texts := NIL; wd: TEXT := NIL;
                wanted: Process.ExitCode := 0): TEXT =
  VAR inR, inW, outR, outW: Pipe.T;  p: Process.T;  result: TEXT;
  BEGIN
    Pipe.Open(inR, inW);
    Pipe.Open(outR, outW);
    p := Process.Create("/bin/sh", ARRAY OF TEXT{"-c", command}, env, wd, inR, outW, outW);
    inR.close();
    outW.close();
    Check.That(Process.GetID(p) # Process.NullID, "GetID");
    WITH wr = NEW(FileWr.T).init(inW), rd = NEW(FileRd.T).init(outR) DO
      Wr.PutText(wr, input);
      Wr.Close(wr);
      Check.That(Rd.Intermittent(rd) AND NOT Rd.Seekable(rd), "a reader of a pipe");
      Check.Int(Rd.Length(rd), -1, "its length");
      result := Rd.GetText(rd, LAST(CARDINAL));
      Rd.Close(rd);
    END;
    Check.Int(Process.Wait(p), wanted, "exit code of " & command);
    RETURN result;
  END Shell;

PROCEDURE Fails(cmd: TEXT; errno: INTEGER; param := ""; wd: TEXT := NIL) =
  BEGIN
    TRY
      EVAL Process.Wait(Process.Create(cmd, ARRAY OF TEXT{param}, NIL, wd));
      Check.That(FALSE, cmd & " does not fail");
    EXCEPT
    | OSError.E (why) =>
      Check.Int(OSErrorPosix.AtomToErrno(why.head), errno, cmd & ": " & RdUtils.FailureText(why));
    END;
  END Fails;

PROCEDURE Children() =
  VAR stdin, stdout, stderr: File.T;
  BEGIN
    Check.Text(Shell("echo a b; echo c >&2"), "a b\nc\n", "output");
    Check.Text(Shell("tr a-z A-Z", "some input"), "SOME INPUT", "input");
    Check.Text(Shell("exit 7", wanted := 7), "", "exit");
    Check.Text(Shell("kill -9 $$", wanted := 128 + 9), "", "a signal");
    Check.Text(Shell("echo $A $B; env | grep -c =", env := ArrayOf("A=1", "B=x y")),
               Shell("echo '1 x y'; echo 3"), "an environment");
    Check.Text(Shell("echo $PATH"), Env.Get("PATH") & "\n", "the own environment");
    FS.CreateDirectory("directory");
    Check.Text(Shell("basename `pwd`", wd := "directory"), "directory\n", "a working directory");

    (* A name without a slash is searched for along PATH. *)
    Process.GetStandardFileHandles(stdin, stdout, stderr);
    Check.Int(Process.Wait(Process.Create("true", ARRAY OF TEXT{})), 0, "true");
    Check.Int(Process.Wait(Process.Create("sh", ARRAY OF TEXT{"-c", "exit 3"}, NIL, NIL, stdin,
                                          stdout, stderr)), 3, "the own handles");
    (* The child's output goes to our standard error, and its errors to our standard output. *)
    Check.Int(Process.Wait(Process.Create("sh", ARRAY OF TEXT{"-c", "echo to stdout >&2"}, NIL, NIL,
                                          NIL, stderr, stdout)), 0, "swapped handles");
    Fails("/no/such/program", Uerror.ENOENT);
    Fails("no such program", Uerror.ENOENT);
    Fails("/", Uerror.EACCES);
    Fails("true", Uerror.EINVAL, "a\000b");
    Fails("true", Uerror.ENOENT, wd := "no such directory");
    WITH p = Process.Create("true", ARRAY OF TEXT{}) DO
      EVAL Process.Wait(p);
      TRY
        EVAL Process.Wait(p);
        Check.That(FALSE, "Wait again");
      EXCEPT
      | RuntimeError.E (e) => Check.That(e = RuntimeError.T.AssertFailed, "Wait again");
      END;
    END;
  END Children;

PROCEDURE ArrayOf(a, b: TEXT): Texts =
  VAR result := NEW(Texts, 2);
  BEGIN
    result[0] := a;
    result[1] := b;
    RETURN result;
  END ArrayOf;

PROCEDURE Pipes() =
  VAR r, w: Pipe.T;  bytes: ARRAY [0..9] OF File.Byte;
  BEGIN
    Pipe.Open(r, w);
    Check.Int(r.read(bytes, FALSE), -1, "reading from an empty pipe");
    w.write(ARRAY OF File.Byte{1, 2, 3});
    Check.Int(r.read(bytes), 3, "reading from a pipe");
    Check.Int(bytes[2], 3, "what was read");
    Check.That(r.status().type = Pipe.FileType, "type of a pipe");
    Check.That(ISTYPE(FilePosix.New(r.fd, FilePosix.Read), Pipe.T), "FilePosix.New");
    w.close();
    Check.Int(r.read(bytes), 0, "end of a pipe");
    r.close();
    Pipe.Open(r, w);
    r.close();
    TRY
      w.write(ARRAY OF File.Byte{1});
      Check.That(FALSE, "writing to a pipe without a reader");
    EXCEPT
    | OSError.E (why) =>
      Check.Int(OSErrorPosix.AtomToErrno(why.head), Uerror.EPIPE, "writing without a reader");
    END;
    WITH wr = NEW(FileWr.T).init(w) DO
      Wr.PutText(wr, "x");
      TRY Wr.Flush(wr); Check.That(FALSE, "Flush") EXCEPT Wr.Failure => Check.That(TRUE, "") END;
      TRY Wr.Close(wr) EXCEPT Wr.Failure => END;
    END;
  END Pipes;

PROCEDURE Types() =
  VAR stat: Ustat.struct_stat;
  BEGIN
    stat.st_mode := Ustat.S_IFREG + 8_644;
    Check.That(FilePosix.FileTypeFromStatbuf(stat) = RegularFile.FileType, "S_IFREG");
    stat.st_mode := Ustat.S_IFDIR + 8_755;
    Check.That(FilePosix.FileTypeFromStatbuf(stat) = FS.DirectoryFileType, "S_IFDIR");
    stat.st_mode := Ustat.S_IFIFO;
    Check.That(FilePosix.FileTypeFromStatbuf(stat) = Pipe.FileType, "S_IFIFO");
    stat.st_mode := Ustat.S_IFCHR;
    Check.That(FilePosix.FileTypeFromStatbuf(stat) = Terminal.FileType, "S_IFCHR");
    WITH secret = FS.OpenFile("secret", access := FS.AccessOption.OnlyOwnerCanRead),
         copy = FS.OpenFile("copy", template := secret) DO
      EVAL Ustat.fstat(copy.fd, ADR(stat));
      Check.Int(stat.st_mode MOD 8_1000, 8_600, "a template");
      secret.close();
      copy.close();
    END;
  END Types;

PROCEDURE Facts() =
  BEGIN
    Check.Text(OSConfig.HostName() & "\n", Shell("uname -n"), "HostName");
    Check.Text(OSConfig.HostArchitecture() & "\n", Shell("uname -m"), "HostArchitecture");
    Check.Text(OSConfig.OSName() & "\n", Shell("uname -s"), "OSName");
    Check.Text(OSConfig.OSVersion() & "\n", Shell("uname -r"), "OSVersion");
    Check.Text(OSConfig.UserName() & "\n", Shell("id -un"), "UserName");
    Check.That(Pathname.Absolute(OSConfig.UserHome()), "UserHome");
    Check.Text(Wr.EOL, OSConfig.LineSep, "EOL");
    Check.That(OSConfig.ArcSep = '/' AND OSConfig.PathSep = ':', "separators");
    Check.That(OSConfig.UnixEpoch = 0.0d0 AND Params.Count = 1, "UnixEpoch");
    Check.That(NOT Text.Empty(OSConfig.OSName()), "OSName");
  END Facts;

BEGIN
  Children();
  Pipes();
  Types();
  Facts();
  Check.Done();
END Main.
(* expect: to stdout *)
(* expect: all checks hold *)
