(* Options, arguments and sub-commands of a command line, from declarations, which also make the text of --help.

   Example:

       MODULE Main;
       IMPORT CommandLine, Fmt, IO, Texts;
       VAR
         all := NEW(CommandLine.T).init("copy", "Copies files.");
         level := all.int("level", "How hard to compress.", 'l', default := 6, min := 0, max := 9);
         verbose := all.flag("verbose", "Say what is copied.", 'v');
         to := all.text("to", "DIR", "Where to copy to.", required := TRUE);
         files := all.rest("FILE", "What to copy.");
       PROCEDURE Try(line: TEXT) =
         BEGIN
           TRY
             all.parse(Texts.Words(line)^);
             IO.Put(to.value & " " & Fmt.Int(level.value) & " " & Fmt.Bool(verbose.value) & " "
                    & Texts.Join(files.value^, "+") & "\n");
           EXCEPT
           | CommandLine.Error (why) => IO.Put("copy: " & why & "\n");
           | CommandLine.Help (text) => IO.Put(text);
           END;
         END Try;
       BEGIN
         Try("-vl9 a --to=x -- --b");
         Try("--lvel 3 --to x");
         Try("--level ten --to x");
         Try("--help");
       END Main.

   It prints

       x 9 TRUE a+--b
       copy: there is no option --lvel; did you mean --level?
       copy: option --level: "ten" is not an integer from 0 to 9
       Usage: copy [OPTION...] --to=DIR [FILE...]

       Copies files.

         FILE             What to copy.

         -l, --level=N    How hard to compress. (default: 6)
         -v, --verbose    Say what is copied.
             --to=DIR     Where to copy to.
         -h, --help       Print this text.

   A main program calls parseProgram in place of parse: that prints what Help and Error have and ends the program.

   Options stand anywhere in front of `--`, long ones as --name=value or --name value, short ones as -n value or
   -nvalue; short flags may be joined (-vx). The beginning of a long name stands for it if it begins no other one. *)
INTERFACE CommandLine;

EXCEPTION
  (* The command line is wrong: the text says which word. *)
  Error(TEXT);

  (* The text of --help, or of --version. *)
  Help(TEXT);

CONST
  NoLetter = '\000';

TYPE
  (* What a declaration returns. `given`: the option or argument was on the command line; else the value is the
     default. *)
  Option <: OptionPublic;
  OptionPublic = OBJECT
    given := FALSE;
  END;

  Flag <: FlagPublic;
  FlagPublic = Option OBJECT value := FALSE END;

  Int <: IntPublic;
  IntPublic = Option OBJECT value := 0 END;

  Text <: TextPublic;
  TextPublic = Option OBJECT value: TEXT := NIL END;

  (* All values, in their order. *)
  Texts <: TextsPublic;
  TextsPublic = Option OBJECT value: REF ARRAY OF TEXT := NIL END;

  (* A command. Declare everything, then parse; parsing again begins with the defaults. Declarations that contradict
     each other are checked run-time errors: a name or letter twice, an argument behind `rest`, arguments beside
     sub-commands. *)
  T <: Public;
  Public = OBJECT METHODS
    (* The name of the program, and what it does, for --help. If version is not NIL, there is an option --version. *)
    init(name, summary: TEXT; version: TEXT := NIL): T;

    (* Options: their long name, for --help the name of the value and what they mean, and a letter. *)
    flag(name, help: TEXT; letter := NoLetter): Flag;
    int(name, help: TEXT; letter := NoLetter; default := 0; min := FIRST(INTEGER); max := LAST(INTEGER);
        required := FALSE): Int;
    text(name, value, help: TEXT; letter := NoLetter; default: TEXT := NIL; required := FALSE): Text;

    (* Its value must be one of these words. *)
    choice(name, help: TEXT; READONLY words: ARRAY OF TEXT; letter := NoLetter; default: TEXT := NIL;
           required := FALSE): Text;

    (* An option that may be given several times. *)
    texts(name, value, help: TEXT; letter := NoLetter): Texts;

    (* Words that are no options, in their order; at last, all others. If required, there must be at least one. *)
    argument(name, help: TEXT; required := TRUE; default: TEXT := NIL): Text;
    rest(name, help: TEXT; required := FALSE): Texts;

    (* A sub-command, with declarations of its own. The first word that is no option must be one; the options behind it
       may be those of both. *)
    command(name, summary: TEXT): T;

    (* Takes the words, without the program's name. *)
    parse(READONLY words: ARRAY OF TEXT) RAISES {Error, Help};

    (* Takes the parameters of the program (Params). Prints the text of Help and ends the program with status 0; prints
       what is wrong and ends it with status 2. *)
    parseProgram();

    (* The sub-command that was on the command line; NIL if none was, or if there are none. *)
    chosen(): T;

    (* The text of --help. *)
    help(): TEXT;
  END;

END CommandLine.
