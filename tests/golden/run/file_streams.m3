(* golden: run, with lib/Check *)
MODULE Main;

IMPORT Check, FS, File, FileRd, FileWr, Fmt, OSError, OSErrorPosix, Rd, RdUtils, RegularFile, Text,
  Thread, Wr;

<*FATAL OSError.E, Rd.Failure, Rd.EndOfFile, Wr.Failure, Thread.Alerted*>

CONST
  Lines = 5000;

VAR
  wr: Wr.T;
  rd: Rd.T;
  sum := 0;
  chars: ARRAY [0..9] OF CHAR;
  big := NEW(REF ARRAY OF CHAR, 100000);

PROCEDURE Opens(path: TEXT): BOOLEAN =
  BEGIN
    TRY
      Rd.Close(FileRd.Open(path));
      RETURN TRUE;
    EXCEPT
    | OSError.E (why) =>
      Check.Int(OSErrorPosix.AtomToErrno(why.head), 2, "errno");
      Check.Text(RdUtils.FailureText(why), "No such file or directory: " & path, "FailureText");
      RETURN FALSE;
    END;
  END Opens;

BEGIN
  wr := FileWr.Open("data");
  FOR i := 1 TO Lines DO Wr.PutText(wr, Fmt.Int(i) & "\n") END;
  Wr.Close(wr);
  Check.That(FS.Status("data").type = RegularFile.FileType, "type");
  Check.That(FS.Status("data").size = 23893L, "size");

  rd := FileRd.Open("data");
  Check.That(Rd.Seekable(rd), "Seekable");
  Check.Int(Rd.Length(rd), 23893, "Length");
  WHILE NOT Rd.EOF(rd) DO
    WITH line = Rd.GetLine(rd) DO
      FOR i := 0 TO Text.Length(line) - 1 DO INC(sum, ORD(Text.GetChar(line, i)) - ORD('0')) END;
    END;
  END;
  Check.Int(sum, 77505, "sum of digits");
  Rd.Seek(rd, 2);
  Check.Text(Rd.GetLine(rd), "2", "Seek back");
  Rd.Seek(rd, 23888);
  Check.Text(Rd.GetLine(rd), "5000", "Seek forward");
  Rd.Seek(rd, 8192);
  EVAL Rd.GetChar(rd);
  FOR i := 1 TO 3 DO Rd.UnGetChar(rd); EVAL Rd.GetChar(rd) END;
  Check.Int(Rd.Index(rd), 8193, "UnGetChar");
  Rd.Close(rd);

  (* Pushes characters back across the border of two buffers. *)
  rd := FileRd.Open("data");
  EVAL Rd.GetText(rd, 8190);
  Check.Int(Rd.GetSub(rd, chars), 10, "GetSub across buffers");
  Check.Int(Rd.UnGetCharMulti(rd, 8), 8, "UnGetCharMulti across buffers");
  Check.Text(Rd.GetText(rd, 8), Text.FromChars(SUBARRAY(chars, 2, 8)), "pushed back");
  Rd.Close(rd);

  wr := FileWr.OpenAppend("data");
  Check.Int(Wr.Index(wr), 23893, "Index is the position in the file");
  Wr.PutText(wr, "end");
  Check.Int(Wr.Index(wr), 23896, "Index after writing");
  Check.Int(Wr.Length(wr), 23896, "Length of the file");
  Wr.Close(wr);
  Check.That(FS.Status("data").size = 23896L, "size after appending");

  wr := FileWr.Open("data");
  Wr.PutText(wr, "0123456789");
  Wr.Seek(wr, 3);
  Wr.PutChar(wr, 'x');
  Wr.Seek(wr, 100);
  Wr.PutChar(wr, 'y');
  Wr.Close(wr);
  Check.Text(Rd.GetText(FileRd.Open("data"), 100), "012x456789y", "Wr.Seek");

  FOR i := 0 TO LAST(big^) DO big[i] := VAL(i MOD 256, CHAR) END;
  wr := FileWr.Open("big");
  Wr.PutChar(wr, '!');
  Wr.PutString(wr, big^);
  Wr.Close(wr);
  rd := FileRd.Open("big");
  Check.Int(ORD(Rd.GetChar(rd)), ORD('!'), "first of big");
  WITH read = NEW(REF ARRAY OF CHAR, 100001) DO
    Check.Int(Rd.GetSub(rd, read^), 100000, "GetSub stops at the end");
    Check.That(SUBARRAY(read^, 0, 100000) = big^, "contents of big");
  END;
  Rd.Close(rd);

  FS.Rename("big", "bigger");
  Check.That(Opens("bigger") AND NOT Opens("big"), "Rename");
  FS.DeleteFile("bigger");
  Check.That(NOT Opens("bigger"), "DeleteFile");
  FS.CreateDirectory("folder");
  Wr.Close(FileWr.Open("folder/a"));
  WITH i = FS.Iterate("folder") DO
    VAR name: TEXT; stat: File.Status; BEGIN
      Check.That(i.nextWithStatus(name, stat), "an entry");
      Check.Text(name, "a", "its name");
      Check.That(stat.size = 0L, "its size");
      Check.That(NOT i.next(name), "no more entries");
    END;
    i.close();
  END;
  FS.DeleteFile("folder/a");
  FS.DeleteDirectory("folder");
  Check.Done();
END Main.
(* expect: all checks hold *)
