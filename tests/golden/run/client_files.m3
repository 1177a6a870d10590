(* golden: run *)
(* A tree of directories made, walked, copied and removed; dates and ticks; a child as a filter. *)
MODULE Main;

IMPORT Atom, Date, FS, File, FileRd, FileWr, Fmt, IO, OSError, Pathname, Pipe, Process, Rd, RdCopy,
  RdUtils, RegularFile, Text, TextArraySort, TextSeq, Thread, Tick, Time, Wr;

<*FATAL Rd.Failure, Wr.Failure, Thread.Alerted, Pathname.Invalid*>

PROCEDURE Write(name, contents: TEXT) RAISES {OSError.E} =
  VAR wr := FileWr.Open(name);
  BEGIN
    TRY Wr.PutText(wr, contents) FINALLY Wr.Close(wr) END;
  END Write;

(* All names below directory, sorted, directories before their contents. *)
PROCEDURE Walk(directory: Pathname.T; names: TextSeq.T) RAISES {OSError.E} =
  VAR it := FS.Iterate(directory);  name: TEXT;  status: File.Status;  here := NEW(TextSeq.T).init();
      sorted: REF ARRAY OF TEXT;
  BEGIN
    TRY
      WHILE it.nextWithStatus(name, status) DO
        IF status.type = FS.DirectoryFileType THEN name := name & "/" END;
        here.addhi(name);
      END;
    FINALLY
      it.close();
    END;
    sorted := NEW(REF ARRAY OF TEXT, here.size());
    FOR i := 0 TO LAST(sorted^) DO sorted[i] := here.get(i) END;
    TextArraySort.Sort(sorted^);
    FOR i := 0 TO LAST(sorted^) DO
      WITH t = sorted[i], last = Text.Length(t) - 1 DO
        names.addhi(Pathname.Join(directory, t));
        IF Text.GetChar(t, last) = '/' THEN
          Walk(Pathname.Join(directory, Text.Sub(t, 0, last)), names);
        END;
      END;
    END;
  END Walk;

PROCEDURE Copy(from, to: Pathname.T) RAISES {OSError.E} =
  VAR rd := FileRd.Open(from);  wr := FileWr.OpenAppend(to);
  BEGIN
    EVAL RdCopy.ToWriter(rd, wr);
    Rd.Close(rd);
    Wr.Close(wr);
  END Copy;

PROCEDURE Tree() RAISES {OSError.E} =
  VAR names := NEW(TextSeq.T).init();  name: TEXT;  status: File.Status;
  BEGIN
    FS.CreateDirectory("top");
    FS.CreateDirectory("top/sub.d");
    Write("top/a.txt", "one\n");
    Write("top/sub.d/b.txt", "two\n");
    Copy("top/a.txt", "top/sub.d/all");
    Copy("top/sub.d/b.txt", "top/sub.d/all");
    FS.Rename("top/sub.d/b.txt", "top/sub.d/c.txt");
    Walk("top", names);
    FOR i := 0 TO names.size() - 1 DO
      name := names.get(i);
      status := FS.Status(name);
      IO.Put(Fmt.F("%-16s %s", name, Fmt.Bool(ABS(status.modificationTime - Time.Now()) < 60.0d0)));
      IF status.type = RegularFile.FileType THEN
        IO.Put(Fmt.F(" %s %s.%s", Fmt.LongInt(status.size), Pathname.LastBase(name),
                     Pathname.LastExt(name)));
      END;
      IO.Put("\n");
    END;
    TRY
      FS.DeleteDirectory("top");
    EXCEPT
    | OSError.E (why) => IO.Put("not empty: " & Fmt.Bool(why # NIL) & "\n");
    END;
    FOR i := names.size() - 1 TO 0 BY -1 DO
      name := names.get(i);
      IF Text.GetChar(name, Text.Length(name) - 1) = '/' THEN
        FS.DeleteDirectory(name);
      ELSE
        FS.DeleteFile(name);
      END;
    END;
    FS.DeleteDirectory("top");
    TRY
      EVAL FileRd.Open("top/a.txt");
    EXCEPT
    | OSError.E (why) =>
      IO.Put(Atom.ToText(why.tail.head) & "\n");
      IO.Put(Fmt.Bool(Text.Length(RdUtils.FailureText(why)) > 0) & "\n");
    END;
  END Tree;

PROCEDURE Names() =
  VAR arcs := Pathname.Decompose("/usr//local/lib");
  BEGIN
    EVAL arcs.remhi();
    arcs.addhi("bin");
    IO.Put(Pathname.Compose(arcs) & " " & Pathname.Prefix("/usr/x") & " "
             & Pathname.ReplaceExt("dir.d/file.c", "o") & " " & Pathname.Join("a", "b", "c") & "\n");
  END Names;

PROCEDURE Filter(text: TEXT): TEXT RAISES {OSError.E} =
  VAR inR, inW, outR, outW: Pipe.T;  p: Process.T;  result: TEXT;
  BEGIN
    Pipe.Open(inR, inW);
    Pipe.Open(outR, outW);
    p := Process.Create("sort", ARRAY OF TEXT{"-r"}, NIL, NIL, inR, outW, NIL);
    inR.close();
    outW.close();
    WITH wr = NEW(FileWr.T).init(inW), rd = NEW(FileRd.T).init(outR) DO
      Wr.PutText(wr, text);
      Wr.Close(wr);
      result := Rd.GetText(rd, LAST(CARDINAL));
      Rd.Close(rd);
    END;
    IF Process.Wait(p) # 0 THEN result := "failed" END;
    RETURN result;
  END Filter;

PROCEDURE Times() =
  VAR d := Date.FromTime(1.0d9, Date.UTC);  start := Tick.Now();  passed: LONGREAL;
  <*FATAL Date.Error*>
  BEGIN
    IO.Put(Fmt.FN("%s-%02s-%02s %02s:%02s:%02s %s %s\n", ARRAY OF TEXT{
      Fmt.Int(d.year), Fmt.Int(ORD(d.month) + 1), Fmt.Int(d.day), Fmt.Int(d.hour),
      Fmt.Int(d.minute), Fmt.Int(d.second), Fmt.Int(ORD(d.weekDay)),
      Fmt.Bool(Date.ToTime(d) = 1.0d9)}));
    d.day := 29;
    d.month := Date.Month.Feb;
    d.year := 2000;
    d := Date.FromTime(Date.ToTime(d) + 86400.0d0, Date.UTC);
    IO.Put(Fmt.F("%s %s\n", Fmt.Int(ORD(d.month) + 1), Fmt.Int(d.day)));
    Thread.Pause(0.01d0);
    passed := Tick.ToSeconds(Tick.Now() - start);
    IO.Put(Fmt.Bool(0.0099d0 <= passed AND passed < 60.0d0) & "\n");
  END Times;

BEGIN
  TRY
    Tree();
    Names();
    IO.Put(Filter("a\nc\nb\n"));
    Times();
  EXCEPT
  | OSError.E (why) => IO.Put("failed: " & RdUtils.FailureText(why) & "\n");
  END;
END Main.
(* expect: top/a.txt        TRUE 4 a.txt *)
(* expect: top/sub.d/       TRUE *)
(* expect: top/sub.d/all    TRUE 8 all. *)
(* expect: top/sub.d/c.txt  TRUE 4 c.txt *)
(* expect: not empty: TRUE *)
(* expect: No such file or directory *)
(* expect: TRUE *)
(* expect: /usr//local/bin /usr dir.d/file.o a/b.c *)
(* expect: c *)
(* expect: b *)
(* expect: a *)
(* expect: 2001-09-09 01:46:40 0 TRUE *)
(* expect: 3 1 *)
(* expect: TRUE *)
