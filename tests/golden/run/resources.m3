(* golden: run, with lib/Check *)
(* Bundles as the build makes them, and resources in directories and bundles. *)
MODULE Main;

IMPORT Bundle, BundleRep, Check, FileWr, Rd, RefList, Rsrc, RuntimeError, Text, Thread, Wr;

<*FATAL ANY*>

TYPE
  Two = Bundle.T OBJECT OVERRIDES get := Get; getNames := Names END;

PROCEDURE Get(<*UNUSED*> b: Two; element: TEXT): TEXT =
  BEGIN
    IF Text.Equal(element, "one") THEN RETURN "first" END;
    IF Text.Equal(element, "dir/two") THEN RETURN "second" END;
    RETURN NIL;
  END Get;

PROCEDURE Names(<*UNUSED*> b: Two): REF ARRAY OF TEXT =
  VAR names := NEW(REF ARRAY OF TEXT, 2);
  BEGIN
    names[0] := "one";
    names[1] := "dir/two";
    RETURN names;
  END Names;

PROCEDURE Fails(name: TEXT; path: Rsrc.Path): TEXT =
  BEGIN
    TRY
      RETURN Rsrc.Get(name, path);
    EXCEPT
    | Rsrc.NotFound => RETURN "NotFound";
    | RuntimeError.E(e) => RETURN RuntimeError.Tag(e);
    | Rd.Failure, Thread.Alerted => RETURN "?";
    END;
  END Fails;

VAR
  bundle: Bundle.T := NEW(Two);
  path: Rsrc.Path;
  wr: Wr.T;
  rd: Rd.T;

BEGIN
  Check.Text(Bundle.Get(bundle, "one"), "first", "Bundle.Get");
  Check.That(Bundle.Get(bundle, "three") = NIL, "no such file");
  Check.Int(NUMBER(Bundle.EltNames(bundle)^), 2, "EltNames");
  Check.Text(Bundle.EltNames(bundle)[1], "dir/two", "its names");

  wr := FileWr.Open("one");
  Wr.PutText(wr, "file");
  Wr.Close(wr);
  path := Rsrc.BuildPath("/no/such/directory", NIL, bundle, ".");
  Check.Int(RefList.Length(path), 3, "BuildPath");
  Check.That(Rsrc.BuildPath() = NIL, "BuildPath of nothing");
  Check.Text(Rsrc.Get("one", path), "first", "the bundle comes first");
  Check.Text(Rsrc.Get("one", Rsrc.BuildPath(".", bundle)), "file", "the directory comes first");
  rd := Rsrc.Open("dir/two", path);
  Check.Text(Rd.GetText(rd, 100), "second", "Open");
  Rd.Close(rd);
  Check.Text(Fails("three", path), "NotFound", "NotFound");
  Check.Text(Fails("one", NIL), "NotFound", "an empty path");
  Check.Text(Fails("/dev/null", path), "NotFound", "an absolute name");
  Check.Text(Fails("one", Rsrc.BuildPath("$NO_SUCH_VARIABLE_IN_TESTS", ".")), "file",
             "a variable that is not set");
  Check.That(NOT Text.Equal(Fails("one", Rsrc.BuildPath(NEW(REF INTEGER))), "NotFound"),
             "what is not a directory");
  Check.Done();
END Main.
(* expect: all checks hold *)
