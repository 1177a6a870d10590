MODULE Rsrc;

IMPORT Bundle, Env, FileRd, OSError, Pathname, Rd, RefList, RuntimeError, Text, TextRd, Thread;

PROCEDURE Open(name: TEXT; path: Path): Rd.T RAISES {NotFound} =
  VAR contents: TEXT;  directory: TEXT;
  BEGIN
    WHILE path # NIL DO
      TYPECASE path.head OF
      | NULL => RuntimeError.Raise(RuntimeError.T.BadMemoryReference);
      | TEXT (t) =>
        directory := t;
        IF Text.Length(t) > 0 AND Text.GetWideChar(t, 0) = W'$' THEN
          directory := Env.Get(Text.Sub(t, 1));
        END;
        (* An absolute name is not looked for in directories. *)
        IF directory # NIL AND NOT Pathname.Absolute(name) THEN
          TRY
            RETURN FileRd.Open(Pathname.Join(directory, name, NIL));
          EXCEPT
          | OSError.E =>  (* look on *)
          END;
        END;
      | Bundle.T (b) =>
        contents := Bundle.Get(b, name);
        IF contents # NIL THEN RETURN TextRd.New(contents) END;
      ELSE
        RuntimeError.Raise(RuntimeError.T.NarrowFailed);
      END;
      path := path.tail;
    END;
    RAISE NotFound;
  END Open;

PROCEDURE Get(name: TEXT; path: Path): TEXT RAISES {NotFound, Rd.Failure, Thread.Alerted} =
  VAR rd := Open(name, path);
  BEGIN
    TRY
      RETURN Rd.GetText(rd, LAST(CARDINAL));
    FINALLY
      Rd.Close(rd);
    END;
  END Get;

PROCEDURE BuildPath(a1, a2, a3, a4: REFANY := NIL): Path =
  VAR path: Path := NIL;
  BEGIN
    IF a4 # NIL THEN path := RefList.Cons(a4, path) END;
    IF a3 # NIL THEN path := RefList.Cons(a3, path) END;
    IF a2 # NIL THEN path := RefList.Cons(a2, path) END;
    IF a1 # NIL THEN path := RefList.Cons(a1, path) END;
    RETURN path;
  END BuildPath;

BEGIN
END Rsrc.
