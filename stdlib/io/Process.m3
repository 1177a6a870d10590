UNSAFE MODULE Process;

IMPORT File, FilePosix, OSError, OSErrorPosix, Pathname, RTFile, RTSystem, Text, TextRep;

REVEAL
  T = BRANDED "Process.T" REF RECORD
    id: ID;
    waited := FALSE;
  END;

TYPE
  Chars = REF ARRAY OF CHAR;

CONST
  InvalidArgument = 22;  (* EINVAL *)

PROCEDURE Create(cmd: Pathname.T; READONLY params: ARRAY OF TEXT; env: REF ARRAY OF TEXT := NIL;
                 wd: Pathname.T := NIL; stdin, stdout, stderr: File.T := NIL): T
  RAISES {OSError.E} =
  VAR
    arguments := NEW(REF ARRAY OF TEXT, NUMBER(params) + 1);
    argumentList: Chars;
    environmentList := NEW(Chars, 0);
    directory := NEW(Chars, 0);
    command := StringList(ARRAY [0..0] OF TEXT{cmd}, cmd);
    id: INTEGER;
  BEGIN
    arguments[0] := cmd;
    SUBARRAY(arguments^, 1, NUMBER(params)) := params;
    argumentList := StringList(arguments^, cmd);
    IF env # NIL THEN environmentList := StringList(env^, cmd) END;
    IF wd # NIL THEN directory := FilePosix.PathChars(wd) END;
    id := RTSystem.CreateChild(SUBARRAY(command^, 0, LAST(command^)), argumentList^, ORD(env # NIL),
                               environmentList^, directory^, Descriptor(stdin),
                               Descriptor(stdout), Descriptor(stderr));
    IF id < 0 THEN
      IF wd # NIL AND NOT IsDirectory(directory^) THEN OSErrorPosix.Raise0T(-id, wd) END;
      OSErrorPosix.Raise0T(-id, cmd);
    END;
    RETURN NEW(T, id := id);
  END Create;

PROCEDURE IsDirectory(READONLY path: ARRAY OF CHAR): BOOLEAN =
  VAR kind, size: INTEGER;  modified: LONGREAL;
  BEGIN
    RETURN RTFile.Status(path, kind, size, modified) >= 0 AND kind = RTFile.Directory;
  END IsDirectory;

PROCEDURE Descriptor(f: File.T): INTEGER =
  BEGIN
    IF f = NIL THEN RETURN -1 ELSE RETURN f.fd END;
  END Descriptor;

(* The texts, with a zero after each; an error if a text contains a zero, where C would end it. *)
PROCEDURE StringList(READONLY texts: ARRAY OF TEXT; cmd: TEXT): Chars RAISES {OSError.E} =
  VAR length := NUMBER(texts);  result: Chars;  at := 0;
  BEGIN
    FOR i := 0 TO LAST(texts) DO
      INC(length, Text.Length(texts[i]));
      IF NOT TextRep.IsForC(texts[i]) THEN OSErrorPosix.Raise0T(InvalidArgument, cmd) END;
    END;
    result := NEW(Chars, length);
    FOR i := 0 TO LAST(texts) DO
      WITH n = Text.Length(texts[i]) DO
        Text.SetChars(SUBARRAY(result^, at, n), texts[i]);
        result[at + n] := '\000';
        INC(at, n + 1);
      END;
    END;
    RETURN result;
  END StringList;

PROCEDURE Wait(p: T): ExitCode =
  VAR result: INTEGER;
  BEGIN
    <*ASSERT NOT p.waited WITH "Process.Wait: the process has been waited for"*>
    p.waited := TRUE;
    result := RTSystem.WaitForChild(p.id);
    (* Other code has waited for all children by C's functions. *)
    <*ASSERT result >= 0 WITH "Process.Wait: there is no such child"*>
    RETURN result;
  END Wait;

PROCEDURE GetID(p: T): ID =
  BEGIN
    RETURN p.id;
  END GetID;

PROCEDURE Exit(n: ExitCode := 0) =
  BEGIN
    IF n # 0 AND n MOD 256 = 0 THEN n := 255 END;  (* the low 8 bits of n would be a success *)
    RTSystem.Exit(n);
  END Exit;

PROCEDURE Crash(msg: TEXT) =
  VAR message := TextRep.CharsOr(msg, '?');
  BEGIN
    RTSystem.Crash(message^);
  END Crash;

PROCEDURE RegisterExitor(p: PROCEDURE ()) =
  VAR exitor := p;  (* a checked run-time error if it is local *)
  BEGIN
    RTSystem.AtExit(exitor);
  END RegisterExitor;

PROCEDURE GetMyID(): ID =
  BEGIN
    RETURN RTSystem.ProcessId();
  END GetMyID;

PROCEDURE GetStandardFileHandles(VAR stdin, stdout, stderr: File.T) =
  BEGIN
    stdin := Handle(0, FilePosix.Read);
    stdout := Handle(1, FilePosix.Write);
    stderr := Handle(2, FilePosix.Write);
  END GetStandardFileHandles;

(* NIL if the descriptor is closed. *)
PROCEDURE Handle(fd: INTEGER; ds: FilePosix.DirectionSet): File.T =
  BEGIN
    TRY
      RETURN FilePosix.New(fd, ds);
    EXCEPT
    | OSError.E => RETURN NIL;
    END;
  END Handle;

PROCEDURE GetWorkingDirectory(): Pathname.T RAISES {OSError.E} =
  VAR result := RTFile.WorkingDirectory();
  BEGIN
    IF result = NIL THEN OSErrorPosix.Raise() END;
    RETURN result;
  END GetWorkingDirectory;

PROCEDURE SetWorkingDirectory(path: Pathname.T) RAISES {OSError.E} =
  VAR chars := FilePosix.PathChars(path);  result := RTFile.SetWorkingDirectory(chars^);
  BEGIN
    IF result < 0 THEN OSErrorPosix.Raise0T(-result, path) END;
  END SetWorkingDirectory;

BEGIN
END Process.
