MODULE CommandLine;

IMPORT FloatMode, Fmt, Lex, Params, Process, Scan, Stdio, Text AS TextOf, TextConv, Texts AS TextsOf, Thread, Wr;

REVEAL
  Option = OptionPublic BRANDED "CommandLine.Option" OBJECT
    name, about: TEXT;
    letter: CHAR;
    valueName: TEXT;  (* NIL: takes no value *)
    required: BOOLEAN;
  METHODS
    reset();
    take(word: TEXT) RAISES {Error};  (* the value, NIL if the option takes none *)
    note(): TEXT := NoNote;           (* what --help says behind `about` *)
  END;

  Flag = FlagPublic BRANDED "CommandLine.Flag" OBJECT OVERRIDES
    reset := ResetFlag;
    take := TakeFlag;
  END;

  Int = IntPublic BRANDED "CommandLine.Int" OBJECT
    default, min, max: INTEGER;
  OVERRIDES
    reset := ResetInt;
    take := TakeInt;
    note := NoteInt;
  END;

  Text = TextPublic BRANDED "CommandLine.Text" OBJECT
    default: TEXT;
    words: TextsOf.Array := NIL;  (* the only ones that are allowed, or NIL *)
  OVERRIDES
    reset := ResetText;
    take := TakeText;
    note := NoteText;
  END;

  Texts = TextsPublic BRANDED "CommandLine.Texts" OBJECT OVERRIDES
    reset := ResetTexts;
    take := TakeTexts;
  END;

  T = Public BRANDED "CommandLine.T" OBJECT
    name, summary, version: TEXT;
    above: T;  (* whose sub-command this is, or NIL *)
    options, arguments: REF ARRAY OF Option;
    others: Texts;  (* takes all other words, or NIL *)
    commands: REF ARRAY OF T;
    chosenOne: T;
  OVERRIDES
    init := Init;
    flag := DeclareFlag;
    int := DeclareInt;
    text := DeclareText;
    choice := DeclareChoice;
    texts := DeclareTexts;
    argument := DeclareArgument;
    rest := DeclareRest;
    command := DeclareCommand;
    parse := Parse;
    parseProgram := ParseProgram;
    chosen := Chosen;
    help := HelpText;
  END;

(* Declarations *)

PROCEDURE Init(self: T; name, summary, version: TEXT): T =
  BEGIN
    self.name := name;
    self.summary := summary;
    self.version := version;
    self.above := NIL;
    self.options := NEW(REF ARRAY OF Option, 0);
    self.arguments := NEW(REF ARRAY OF Option, 0);
    self.others := NIL;
    self.commands := NEW(REF ARRAY OF T, 0);
    self.chosenOne := NIL;
    RETURN self;
  END Init;

PROCEDURE Appended(options: REF ARRAY OF Option; option: Option): REF ARRAY OF Option =
  VAR longer := NEW(REF ARRAY OF Option, NUMBER(options^) + 1);
  BEGIN
    SUBARRAY(longer^, 0, NUMBER(options^)) := options^;
    longer[LAST(longer^)] := option;
    RETURN longer;
  END Appended;

PROCEDURE Complete(option: Option; name, about, valueName: TEXT; letter: CHAR; required: BOOLEAN) =
  BEGIN
    option.name := name;
    option.about := about;
    option.valueName := valueName;
    option.letter := letter;
    option.required := required;
    option.reset();
  END Complete;

PROCEDURE Add(self: T; option: Option; name, about, valueName: TEXT; letter: CHAR; required := FALSE) =
  BEGIN
    FOR i := 0 TO LAST(self.options^) DO
      <*ASSERT NOT TextOf.Equal(self.options[i].name, name), "the option --" & name & " is declared twice"*>
      <*ASSERT letter = NoLetter OR self.options[i].letter # letter, "the letter of --" & name & " has been taken"*>
    END;
    Complete(option, name, about, valueName, letter, required);
    self.options := Appended(self.options, option);
  END Add;

PROCEDURE DeclareFlag(self: T; name, help: TEXT; letter: CHAR): Flag =
  VAR flag := NEW(Flag);
  BEGIN
    Add(self, flag, name, help, NIL, letter);
    RETURN flag;
  END DeclareFlag;

PROCEDURE DeclareInt(self: T; name, help: TEXT; letter: CHAR; default, min, max: INTEGER; required: BOOLEAN): Int =
  VAR int := NEW(Int, default := default, min := min, max := max);
  BEGIN
    Add(self, int, name, help, "N", letter, required);
    RETURN int;
  END DeclareInt;

PROCEDURE DeclareText(self: T; name, value, help: TEXT; letter: CHAR; default: TEXT; required: BOOLEAN): Text =
  VAR text := NEW(Text, default := default);
  BEGIN
    Add(self, text, name, help, value, letter, required);
    RETURN text;
  END DeclareText;

PROCEDURE DeclareChoice(self: T; name, help: TEXT; READONLY words: ARRAY OF TEXT; letter: CHAR; default: TEXT;
                        required: BOOLEAN): Text =
  VAR text := NEW(Text, default := default, words := NEW(TextsOf.Array, NUMBER(words)));
  BEGIN
    text.words^ := words;
    Add(self, text, name, help, TextsOf.Join(words, "|"), letter, required);
    RETURN text;
  END DeclareChoice;

PROCEDURE DeclareTexts(self: T; name, value, help: TEXT; letter: CHAR): Texts =
  VAR texts := NEW(Texts);
  BEGIN
    Add(self, texts, name, help, value, letter);
    RETURN texts;
  END DeclareTexts;

PROCEDURE CheckArguments(self: T) =
  BEGIN
    <*ASSERT self.others = NIL, "`rest` takes all words, so it must be the last argument of " & self.name*>
    <*ASSERT NUMBER(self.commands^) = 0, self.name & " has sub-commands, so it has no arguments"*>
  END CheckArguments;

PROCEDURE DeclareArgument(self: T; name, help: TEXT; required: BOOLEAN; default: TEXT): Text =
  VAR text := NEW(Text, default := default);
  BEGIN
    CheckArguments(self);
    Complete(text, name, help, name, NoLetter, required);
    self.arguments := Appended(self.arguments, text);
    RETURN text;
  END DeclareArgument;

PROCEDURE DeclareRest(self: T; name, help: TEXT; required: BOOLEAN): Texts =
  VAR texts := NEW(Texts);
  BEGIN
    CheckArguments(self);
    Complete(texts, name, help, name, NoLetter, required);
    self.others := texts;
    RETURN texts;
  END DeclareRest;

PROCEDURE DeclareCommand(self: T; name, summary: TEXT): T =
  VAR command := NEW(T).init(name, summary);  longer := NEW(REF ARRAY OF T, NUMBER(self.commands^) + 1);
  BEGIN
    <*ASSERT NUMBER(self.arguments^) = 0 AND self.others = NIL,
             self.name & " has arguments, so it has no sub-commands"*>
    <*ASSERT CommandNamed(self, name) = NIL, "the command " & name & " is declared twice"*>
    command.above := self;
    SUBARRAY(longer^, 0, NUMBER(self.commands^)) := self.commands^;
    longer[LAST(longer^)] := command;
    self.commands := longer;
    RETURN command;
  END DeclareCommand;

PROCEDURE CommandNamed(self: T; name: TEXT): T =
  BEGIN
    FOR i := 0 TO LAST(self.commands^) DO
      IF TextOf.Equal(self.commands[i].name, name) THEN RETURN self.commands[i] END;
    END;
    RETURN NIL;
  END CommandNamed;

(* Values *)

PROCEDURE NoNote(<*UNUSED*> self: Option): TEXT = BEGIN RETURN "" END NoNote;

(* "option --name" or "argument NAME". *)
PROCEDURE Named(option: Option): TEXT =
  BEGIN
    IF option.valueName # NIL AND TextOf.Equal(option.valueName, option.name) THEN RETURN "argument " & option.name END;
    RETURN "option --" & option.name;
  END Named;

PROCEDURE ResetFlag(self: Flag) =
  BEGIN
    self.given := FALSE;
    self.value := FALSE;
  END ResetFlag;

PROCEDURE TakeFlag(self: Flag; <*UNUSED*> word: TEXT) =
  BEGIN
    self.value := TRUE;
  END TakeFlag;

PROCEDURE ResetInt(self: Int) =
  BEGIN
    self.given := FALSE;
    self.value := self.default;
  END ResetInt;

PROCEDURE TakeInt(self: Int; word: TEXT) RAISES {Error} =
  VAR range := "an integer";
  BEGIN
    IF self.min > FIRST(INTEGER) OR self.max < LAST(INTEGER) THEN
      range := "an integer from " & Fmt.Int(self.min) & " to " & Fmt.Int(self.max);
    END;
    TRY
      self.value := Scan.Int(word);
      IF self.min <= self.value AND self.value <= self.max THEN RETURN END;
    EXCEPT
    | Lex.Error, FloatMode.Trap =>
    END;
    RAISE Error(Named(self) & ": " & TextConv.Encode(word) & " is not " & range);
  END TakeInt;

PROCEDURE NoteInt(self: Int): TEXT =
  BEGIN
    IF self.required THEN RETURN "" END;
    RETURN " (default: " & Fmt.Int(self.default) & ")";
  END NoteInt;

PROCEDURE ResetText(self: Text) =
  BEGIN
    self.given := FALSE;
    self.value := self.default;
  END ResetText;

PROCEDURE TakeText(self: Text; word: TEXT) RAISES {Error} =
  BEGIN
    self.value := word;
    IF self.words = NIL THEN RETURN END;
    FOR i := 0 TO LAST(self.words^) DO
      IF TextOf.Equal(self.words[i], word) THEN RETURN END;
    END;
    RAISE Error(Named(self) & ": " & TextConv.Encode(word) & " is not one of " & TextsOf.Join(self.words^, ", ")
                & Proposal(word, self.words^));
  END TakeText;

PROCEDURE NoteText(self: Text): TEXT =
  BEGIN
    IF self.default = NIL THEN RETURN "" END;
    RETURN " (default: " & self.default & ")";
  END NoteText;

PROCEDURE ResetTexts(self: Texts) =
  BEGIN
    self.given := FALSE;
    self.value := NEW(TextsOf.Array, 0);
  END ResetTexts;

PROCEDURE TakeTexts(self: Texts; word: TEXT) =
  VAR longer := NEW(TextsOf.Array, NUMBER(self.value^) + 1);
  BEGIN
    SUBARRAY(longer^, 0, NUMBER(self.value^)) := self.value^;
    longer[LAST(longer^)] := word;
    self.value := longer;
  END TakeTexts;

(* Proposals *)

(* The least number of characters to put in, take out or replace that makes b of a (Levenshtein). *)
PROCEDURE Distance(a, b: TEXT): CARDINAL =
  VAR row := NEW(REF ARRAY OF CARDINAL, TextOf.Length(b) + 1);  diagonal, above: CARDINAL;
  BEGIN
    FOR k := 0 TO LAST(row^) DO row[k] := k END;
    FOR i := 1 TO TextOf.Length(a) DO
      diagonal := row[0];
      row[0] := i;
      FOR k := 1 TO LAST(row^) DO
        above := row[k];
        row[k] := MIN(MIN(above, row[k - 1]) + 1,
                      diagonal + ORD(TextOf.GetWideChar(a, i - 1) # TextOf.GetWideChar(b, k - 1)));
        diagonal := above;
      END;
    END;
    RETURN row[LAST(row^)];
  END Distance;

(* "; did you mean X?" with the nearest name, or "". *)
PROCEDURE Proposal(word: TEXT; READONLY names: ARRAY OF TEXT): TEXT =
  VAR nearest: TEXT := NIL;  least := 2 + TextOf.Length(word) DIV 4;  distance: CARDINAL;
  BEGIN
    FOR i := 0 TO LAST(names) DO
      distance := Distance(word, names[i]);
      IF distance < MIN(least, TextOf.Length(names[i])) THEN
        nearest := names[i];
        least := distance;
      END;
    END;
    IF nearest = NIL THEN RETURN "" END;
    RETURN "; did you mean " & nearest & "?";
  END Proposal;

(* Parsing *)

PROCEDURE Reset(self: T) =
  BEGIN
    self.chosenOne := NIL;
    FOR i := 0 TO LAST(self.options^) DO self.options[i].reset() END;
    FOR i := 0 TO LAST(self.arguments^) DO self.arguments[i].reset() END;
    IF self.others # NIL THEN self.others.reset() END;
    FOR i := 0 TO LAST(self.commands^) DO Reset(self.commands[i]) END;
  END Reset;

(* The option with a long name, or with the beginning of one, of the command or of those above it. *)
PROCEDURE LongOption(command: T; name: TEXT): Option RAISES {Error, Help} =
  VAR found: Option := NIL;  names := NEW(TextsOf.Array, 0);  c := command;  count := 0;
  PROCEDURE AddName(t: TEXT) =
    VAR longer := NEW(TextsOf.Array, NUMBER(names^) + 1);
    BEGIN
      SUBARRAY(longer^, 0, NUMBER(names^)) := names^;
      longer[LAST(longer^)] := "--" & t;
      names := longer;
    END AddName;
  BEGIN
    WHILE c # NIL DO
      FOR i := 0 TO LAST(c.options^) DO
        WITH option = c.options[i] DO
          IF TextOf.Equal(option.name, name) THEN RETURN option END;
          IF TextsOf.StartsWith(option.name, name) THEN
            INC(count);
            found := option;
          END;
          AddName(option.name);
        END;
      END;
      IF c.version # NIL THEN
        IF TextOf.Equal(name, "version") THEN RAISE Help(c.version & "\n") END;
        AddName("version");
      END;
      c := c.above;
    END;
    IF TextOf.Equal(name, "help") THEN RAISE Help(command.help()) END;
    AddName("help");
    IF count = 1 THEN RETURN found END;
    IF count > 1 THEN RAISE Error("several options begin with --" & name) END;
    RAISE Error("there is no option --" & name & Proposal("--" & name, names^));
  END LongOption;

(* NIL if there is none. *)
PROCEDURE ShortOption(command: T; letter: WIDECHAR): Option =
  BEGIN
    WHILE command # NIL DO
      FOR i := 0 TO LAST(command.options^) DO
        WITH option = command.options[i] DO
          IF option.letter # NoLetter AND ORD(option.letter) = ORD(letter) THEN RETURN option END;
        END;
      END;
      command := command.above;
    END;
    RETURN NIL;
  END ShortOption;

(* -5 is a number, not an option, unless there is an option -5. *)
PROCEDURE IsOption(command: T; word: TEXT): BOOLEAN =
  BEGIN
    IF TextOf.Length(word) < 2 OR TextOf.GetWideChar(word, 0) # W'-' THEN RETURN FALSE END;
    WITH ch = TextOf.GetWideChar(word, 1) DO
      RETURN ch < W'0' OR W'9' < ch OR ShortOption(command, ch) # NIL;
    END;
  END IsOption;

PROCEDURE Parse(self: T; READONLY words: ARRAY OF TEXT) RAISES {Error, Help} =
  VAR command := self;  at, arguments: CARDINAL := 0;  onlyArguments := FALSE;  word: TEXT;

  (* Gives the option its value: `value`, or the next word. *)
  PROCEDURE Give(option: Option; value: TEXT) RAISES {Error} =
    BEGIN
      IF option.valueName # NIL AND value = NIL THEN
        IF at = NUMBER(words) THEN RAISE Error(Named(option) & " needs a value: " & option.valueName) END;
        value := words[at];
        INC(at);
      END;
      option.take(value);
      option.given := TRUE;
    END Give;

  PROCEDURE Long() RAISES {Error, Help} =
    VAR equals := TextOf.FindChar(word, '=');  option: Option;
    BEGIN
      IF equals < 0 THEN
        Give(LongOption(command, TextOf.Sub(word, 2)), NIL);
      ELSE
        option := LongOption(command, TextOf.Sub(word, 2, equals - 2));
        IF option.valueName = NIL THEN RAISE Error(Named(option) & " takes no value") END;
        Give(option, TextOf.Sub(word, equals + 1));
      END;
    END Long;

  PROCEDURE Short() RAISES {Error, Help} =
    VAR option: Option;  i := 1;
    BEGIN
      WHILE i < TextOf.Length(word) DO
        WITH letter = TextOf.GetWideChar(word, i) DO
          option := ShortOption(command, letter);
          IF option = NIL AND letter = W'h' THEN RAISE Help(command.help()) END;
          IF option = NIL THEN
            RAISE Error("there is no option -" & TextOf.FromWideChar(letter) & " (in " & word & ")");
          END;
        END;
        INC(i);
        IF option.valueName # NIL AND i < TextOf.Length(word) THEN
          Give(option, TextOf.Sub(word, i));
          RETURN;
        END;
        Give(option, NIL);
      END;
    END Short;

  PROCEDURE Argument() RAISES {Error} =
    VAR sub: T;
    BEGIN
      IF NUMBER(command.commands^) > 0 THEN
        sub := CommandNamed(command, word);
        IF sub = NIL THEN RAISE Error("there is no command " & word & Proposal(word, NamesOf(command)^)) END;
        command.chosenOne := sub;
        command := sub;
        arguments := 0;
      ELSIF arguments < NUMBER(command.arguments^) THEN
        Give(command.arguments[arguments], word);
        INC(arguments);
      ELSIF command.others # NIL THEN
        Give(command.others, word);
      ELSE
        RAISE Error(TextConv.Encode(word) & " is one argument too many");
      END;
    END Argument;

  BEGIN
    Reset(self);
    WHILE at < NUMBER(words) DO
      word := words[at];
      INC(at);
      IF onlyArguments OR NOT IsOption(command, word) THEN
        Argument();
      ELSIF TextOf.Equal(word, "--") THEN
        onlyArguments := TRUE;
      ELSIF TextsOf.StartsWith(word, "--") THEN
        Long();
      ELSE
        Short();
      END;
    END;
    CheckRequired(command);
  END Parse;

PROCEDURE NamesOf(command: T): TextsOf.Array =
  VAR names := NEW(TextsOf.Array, NUMBER(command.commands^));
  BEGIN
    FOR i := 0 TO LAST(names^) DO names[i] := command.commands[i].name END;
    RETURN names;
  END NamesOf;

PROCEDURE CheckRequired(command: T) RAISES {Error} =
  PROCEDURE Check(option: Option) RAISES {Error} =
    BEGIN
      IF option.required AND NOT option.given THEN RAISE Error(Named(option) & " is missing") END;
    END Check;
  BEGIN
    IF NUMBER(command.commands^) > 0 THEN
      RAISE Error("a command is missing: " & TextsOf.Join(NamesOf(command)^, ", "));
    END;
    FOR i := 0 TO LAST(command.arguments^) DO Check(command.arguments[i]) END;
    IF command.others # NIL THEN Check(command.others) END;
    WHILE command # NIL DO
      FOR i := 0 TO LAST(command.options^) DO Check(command.options[i]) END;
      command := command.above;
    END;
  END CheckRequired;

PROCEDURE ParseProgram(self: T) =
  VAR words := NEW(TextsOf.Array, Params.Count - 1);
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    FOR i := 0 TO LAST(words^) DO words[i] := Params.Get(i + 1) END;
    TRY
      self.parse(words^);
    EXCEPT
    | Help (text) =>
      Wr.PutText(Stdio.stdout, text);
      Process.Exit(0);
    | Error (why) =>
      Wr.PutText(Stdio.stderr, self.name & ": " & why & "\nTry " & self.name & " --help.\n");
      Process.Exit(2);
    END;
  END ParseProgram;

PROCEDURE Chosen(self: T): T =
  BEGIN
    RETURN self.chosenOne;
  END Chosen;

(* The text of --help *)

(* The command's name behind those of the commands above it. *)
PROCEDURE FullName(command: T): TEXT =
  BEGIN
    IF command.above = NIL THEN RETURN command.name END;
    RETURN FullName(command.above) & " " & command.name;
  END FullName;

PROCEDURE HelpText(self: T): TEXT =
  VAR
    rows := NEW(REF ARRAY OF TextsOf.Array, 8);
    count: CARDINAL := 0;
    c := self;
    lines: TextsOf.Array;
    result: TEXT;

  PROCEDURE Row(left, right: TEXT) =
    VAR row := NEW(TextsOf.Array, 2);  longer: REF ARRAY OF TextsOf.Array;
    BEGIN
      IF count = NUMBER(rows^) THEN
        longer := NEW(REF ARRAY OF TextsOf.Array, 2 * count);
        SUBARRAY(longer^, 0, count) := rows^;
        rows := longer;
      END;
      IF left = NIL THEN
        row := NEW(TextsOf.Array, 0);
      ELSE
        row[0] := left;
        row[1] := right;
      END;
      rows[count] := row;
      INC(count);
    END Row;

  PROCEDURE OptionRow(letter: CHAR; name, valueName, about: TEXT) =
    VAR left := "    --" & name;
    BEGIN
      IF letter # NoLetter THEN left := "-" & TextOf.FromChar(letter) & ", --" & name END;
      IF valueName # NIL THEN left := left & "=" & valueName END;
      Row(left, about);
    END OptionRow;

  BEGIN
    FOR i := 0 TO LAST(self.commands^) DO Row(self.commands[i].name, self.commands[i].summary) END;
    FOR i := 0 TO LAST(self.arguments^) DO
      WITH argument = self.arguments[i] DO Row(argument.name, argument.about & argument.note()) END;
    END;
    IF self.others # NIL THEN Row(self.others.name, self.others.about) END;
    IF count > 0 THEN Row(NIL, NIL) END;
    WHILE c # NIL DO
      FOR i := 0 TO LAST(c.options^) DO
        WITH option = c.options[i] DO
          OptionRow(option.letter, option.name, option.valueName, option.about & option.note());
        END;
      END;
      IF c.version # NIL THEN OptionRow(NoLetter, "version", NIL, "Print the version.") END;
      c := c.above;
    END;
    IF ShortOption(self, W'h') = NIL THEN
      OptionRow('h', "help", NIL, "Print this text.");
    ELSE
      OptionRow(NoLetter, "help", NIL, "Print this text.");
    END;
    lines := TextsOf.Lines(TextsOf.Columns(SUBARRAY(rows^, 0, count), gap := "    "));
    result := "Usage: " & FullName(self) & " [OPTION...]" & Usage(self) & "\n\n" & self.summary & "\n\n";
    FOR i := 0 TO LAST(lines^) DO
      IF NOT TextOf.Empty(lines[i]) THEN result := result & "  " & lines[i] END;
      result := result & "\n";
    END;
    RETURN result;
  END HelpText;

(* What must, and what may, stand on the command line besides options that need not. *)
PROCEDURE Usage(self: T): TEXT =
  VAR result := "";  c := self;
  BEGIN
    WHILE c # NIL DO
      FOR i := 0 TO LAST(c.options^) DO
        WITH option = c.options[i] DO
          IF option.required THEN result := result & " --" & option.name & "=" & option.valueName END;
        END;
      END;
      c := c.above;
    END;
    IF NUMBER(self.commands^) > 0 THEN result := result & " COMMAND" END;
    FOR i := 0 TO LAST(self.arguments^) DO
      WITH argument = self.arguments[i] DO
        IF argument.required THEN
          result := result & " " & argument.name;
        ELSE
          result := result & " [" & argument.name & "]";
        END;
      END;
    END;
    IF self.others # NIL THEN
      IF self.others.required THEN
        result := result & " " & self.others.name & "...";
      ELSE
        result := result & " [" & self.others.name & "...]";
      END;
    END;
    RETURN result;
  END Usage;

BEGIN
END CommandLine.
