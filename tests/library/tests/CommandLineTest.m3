MODULE CommandLineTest;

IMPORT CommandLine, Fmt, RuntimeError, Test, Texts;

(* What parse makes of the words: "" or the error or text of help. *)
PROCEDURE Parsed(all: CommandLine.T; line: TEXT): TEXT =
  BEGIN
    TRY
      all.parse(Texts.Words(line)^);
      RETURN "";
    EXCEPT
    | CommandLine.Error (why) => RETURN why;
    | CommandLine.Help (text) => RETURN text;
    END;
  END Parsed;

PROCEDURE TestOptions(t: Test.T) =
  VAR
    all := NEW(CommandLine.T).init("p", "Does.", version := "p 1.0");
    verbose := all.flag("verbose", "Say more.", 'v');
    quiet := all.flag("quiet", "Say less.", 'q');
    level := all.int("level", "Level.", 'l', default := 3, min := -9, max := 9);
    name := all.text("name", "NAME", "A name.", default := "none");
    color := all.choice("color", "Colors.", ARRAY OF TEXT{"auto", "never"}, default := "auto");
    paths := all.texts("path", "DIR", "Where to look.", 'p');
    file := all.argument("FILE", "A file.", required := FALSE, default := "-");
  BEGIN
    t.equalText(Parsed(all, ""), "");
    t.check(NOT verbose.value AND level.value = 3 AND NOT level.given);
    t.equalText(name.value & color.value & file.value & Fmt.Int(NUMBER(paths.value^)), "noneauto-0");
    t.equalText(Parsed(all, "-vl-5 --name=a=b -pX --path Y x"), "");
    t.check(verbose.value AND NOT quiet.value AND level.value = -5 AND level.given);
    t.equalText(name.value & Texts.Join(paths.value^, "+") & file.value, "a=bX+Yx");
    t.equalText(Parsed(all, "-qv --lev -1 --color never -5"), "");
    t.check(quiet.value AND verbose.value AND level.value = -1);
    t.equalText(color.value & file.value, "never-5");
    t.equalText(Parsed(all, "-- --quiet"), "");
    t.check(NOT quiet.value);
    t.equalText(file.value, "--quiet");
    t.equalText(Parsed(all, "--version"), "p 1.0\n");
    t.equalText(Parsed(all, "--vebose"), "there is no option --vebose; did you mean --verbose?");
    t.equalText(Parsed(all, "--xyzzy"), "there is no option --xyzzy");
    t.equalText(Parsed(all, "--ve"), "");
    t.equalText(Parsed(all, "-vx"), "there is no option -x (in -vx)");
    t.equalText(Parsed(all, "--level"), "option --level needs a value: N");
    t.equalText(Parsed(all, "-l"), "option --level needs a value: N");
    t.equalText(Parsed(all, "--level=10"), "option --level: \"10\" is not an integer from -9 to 9");
    t.equalText(Parsed(all, "--level=x"), "option --level: \"x\" is not an integer from -9 to 9");
    t.equalText(Parsed(all, "--quiet=yes"), "option --quiet takes no value");
    t.equalText(Parsed(all, "--color=nver"), "option --color: \"nver\" is not one of auto, never; did you mean never?");
    t.equalText(Parsed(all, "a b"), "\"b\" is one argument too many");
    t.equalText(Parsed(all, "-h"), all.help());
    t.equalText(all.help(), "Usage: p [OPTION...] [FILE]\n\nDoes.\n\n"
                & "  FILE                      A file. (default: -)\n\n"
                & "  -v, --verbose             Say more.\n"
                & "  -q, --quiet               Say less.\n"
                & "  -l, --level=N             Level. (default: 3)\n"
                & "      --name=NAME           A name. (default: none)\n"
                & "      --color=auto|never    Colors. (default: auto)\n"
                & "  -p, --path=DIR            Where to look.\n"
                & "      --version             Print the version.\n"
                & "  -h, --help                Print this text.\n");
  END TestOptions;

PROCEDURE TestCommands(t: Test.T) =
  VAR
    all := NEW(CommandLine.T).init("db", "Looks after stores.");
    verbose := all.flag("verbose", "Say more.", 'v');
    list := all.command("list", "List what is there.");
    long := list.flag("long", "All of it.", 'l');
    copy := all.command("copy", "Copy a store.");
    from := copy.argument("FROM", "The store.");
    to := copy.rest("TO", "Its copies.", required := TRUE);
  BEGIN
    t.equalText(Parsed(all, "list -lv"), "");
    t.check(all.chosen() = list AND long.value AND verbose.value);
    t.equalText(Parsed(all, "-v copy a b c"), "");
    t.check(all.chosen() = copy AND NOT long.value AND NUMBER(to.value^) = 2);
    t.equalText(from.value, "a");
    t.equalText(Parsed(all, ""), "a command is missing: list, copy");
    t.check(all.chosen() = NIL);
    t.equalText(Parsed(all, "lst"), "there is no command lst; did you mean list?");
    t.equalText(Parsed(all, "--long list"), "there is no option --long");
    t.equalText(Parsed(all, "copy"), "argument FROM is missing");
    t.equalText(Parsed(all, "copy a"), "argument TO is missing");
    t.equalText(Parsed(all, "copy --help"), "Usage: db copy [OPTION...] FROM TO...\n\nCopy a store.\n\n"
                & "  FROM             The store.\n  TO               Its copies.\n\n"
                & "  -v, --verbose    Say more.\n  -h, --help       Print this text.\n");
    t.equalText(Parsed(all, "--help"), "Usage: db [OPTION...] COMMAND\n\nLooks after stores.\n\n"
                & "  list             List what is there.\n  copy             Copy a store.\n\n"
                & "  -v, --verbose    Say more.\n  -h, --help       Print this text.\n");
  END TestCommands;

PROCEDURE TestContradictions(t: Test.T) =
  VAR all := NEW(CommandLine.T).init("p", "Does.");
  PROCEDURE NameTwice() = BEGIN EVAL all.int("a", "") END NameTwice;
  PROCEDURE LetterTwice() = BEGIN EVAL all.flag("b", "", 'a') END LetterTwice;
  PROCEDURE BehindRest() = BEGIN EVAL all.argument("X", "") END BehindRest;
  PROCEDURE Both() = BEGIN EVAL all.command("c", "") END Both;
  BEGIN
    EVAL all.flag("a", "", 'a');
    EVAL all.text("need", "X", "", required := TRUE);
    EVAL all.rest("R", "");
    EVAL t.fails(NameTwice, RuntimeError.T.AssertFailed);
    EVAL t.fails(LetterTwice, RuntimeError.T.AssertFailed);
    EVAL t.fails(BehindRest, RuntimeError.T.AssertFailed);
    EVAL t.fails(Both, RuntimeError.T.AssertFailed);
    t.equalText(Parsed(all, "x y"), "option --need is missing");
  END TestContradictions;

BEGIN
END CommandLineTest.
