MODULE LogTest;

IMPORT Fmt, Instants, Json, Log, Test, Text, TextWr, Texts, Thread, Wr, WrClass;

TYPE
  Clock = Log.Clock OBJECT OVERRIDES now := Now END;

PROCEDURE Now(<*UNUSED*> self: Clock): Instants.T =
  BEGIN
    RETURN 0;
  END Now;

CONST
  Time = "1970-01-01T00:00:00.000Z ";

PROCEDURE TestTextLines(t: Test.T) =
  VAR wr := TextWr.New();  log := NEW(Log.T).init(wr, Log.Level.Info, clock := NEW(Clock));  child: Log.T;
  BEGIN
    log.debug("no");
    log.info("plain words", Log.Fields{Log.Text("a", "word"), Log.Text("b", "two words"), Log.Text("c", ""),
                                       Log.Text("d", NIL), Log.Field{}, Log.Bool("e", FALSE)});
    t.equalText(TextWr.ToText(wr), Time & "INFO  plain words a=word b=\"two words\" c=\"\" d=null e=false\n");
    child := log.with(Log.Fields{Log.Int("id", -7)});
    child.error("two\nlines \033[2J", Log.Fields{Log.Text("x=y", "a\"b")});
    t.equalText(TextWr.ToText(wr), Time & "ERROR \"two\\nlines \\u001b[2J\" id=-7 \"x=y\"=\"a\\\"b\"\n");
    log.setLevel(Log.Level.Off);
    child.error("no");
    child.put(Log.Level.Off, "no");
    t.check(NOT child.writes(Log.Level.Off));
    log.setLevel(Log.Level.Debug);
    child.debug("yes");
    t.equalText(TextWr.ToText(wr), Time & "DEBUG yes id=-7\n");
  END TestTextLines;

PROCEDURE TestJsonLines(t: Test.T) RAISES {Json.Error} =
  VAR
    wr := TextWr.New();
    log := NEW(Log.T).init(wr, format := Log.Format.Json, clock := NEW(Clock));
    zero := 0.0D0;
    line: Json.T;
  BEGIN
    log.warn("caf\351 \"x\"\n", Log.Fields{Log.Text("latin", "\351"), Log.Text("utf", "\303\251"), Log.Int("n", 1),
                                           Log.LongReal("half", 0.5D0), Log.LongReal("none", zero / zero),
                                           Log.Text("nil", NIL)});
    line := Json.Parse(TextWr.ToText(wr));
    t.equalText(line.getText("time"), "1970-01-01T00:00:00.000Z");
    t.equalText(line.getText("level"), "warn");
    t.equalText(line.getText("message"), "caf\303\251 \"x\"\n");
    t.equalText(line.getText("latin"), "\303\251");
    t.equalText(line.getText("utf"), "\303\251");
    t.check(line.getInt("n") = 1 AND line.getLongReal("half") = 0.5D0);
    t.equalText(line.getText("none"), "NaN");
    t.check(line.get("nil").kind() = Json.Kind.Null);
    log.info(Text.FromWideChars(ARRAY OF WIDECHAR{W'a', VAL(16_20AC, WIDECHAR), VAL(16_D800, WIDECHAR)}));
    t.equalText(Json.Parse(TextWr.ToText(wr)).getText("message"), "a\342\202\254?");
  END TestJsonLines;

TYPE
  Closure = Thread.Closure OBJECT
    log: Log.T;
    id: CARDINAL;
  OVERRIDES
    apply := WriteLines;
  END;

PROCEDURE WriteLines(self: Closure): REFANY =
  BEGIN
    FOR i := 1 TO 200 DO
      self.log.info("line", Log.Fields{Log.Int("thread", self.id), Log.Int("i", i)});
    END;
    RETURN NIL;
  END WriteLines;

PROCEDURE TestThreads(t: Test.T) RAISES {Json.Error} =
  CONST Threads = 4;
  VAR
    wr := TextWr.New();
    log := NEW(Log.T).init(wr, format := Log.Format.Json);
    threads: ARRAY [1..Threads] OF Thread.T;
    lines: Texts.Array;
    last := ARRAY [1..Threads] OF INTEGER{0, ..};
  BEGIN
    FOR i := 1 TO Threads DO threads[i] := Thread.Fork(NEW(Closure, log := log.with(Log.Fields{}), id := i)) END;
    FOR i := 1 TO Threads DO EVAL Thread.Join(threads[i]) END;
    lines := Texts.Lines(TextWr.ToText(wr));
    t.equalInt(NUMBER(lines^), Threads * 200);
    FOR i := 0 TO LAST(lines^) DO
      WITH line = Json.Parse(lines[i]), thread = line.getInt("thread") DO
        t.equalInt(line.getInt("i"), last[thread] + 1);
        INC(last[thread]);
      END;
    END;
  END TestThreads;

PROCEDURE TestWhatCannotBeWritten(t: Test.T) RAISES ANY =
  VAR log := NEW(Log.T).init(NEW(Broken).init(), clock := NEW(Clock));  level: Log.Level;
  BEGIN
    FOR i := 1 TO 3 DO log.info(Fmt.Int(i)) END;
    t.equalInt(log.dropped(), 3);
    t.check(Log.FromName("warn", level) AND level = Log.Level.Warn AND NOT Log.FromName("WARN", level));
    t.check(Log.Default() = Log.Default());
  END TestWhatCannotBeWritten;

TYPE
  (* A writer whose target fails. *)
  Broken = TextWr.T OBJECT OVERRIDES flush := Fail END;

PROCEDURE Fail(<*UNUSED*> self: Broken) RAISES {Wr.Failure} =
  BEGIN
    RAISE Wr.Failure(NIL);
  END Fail;

BEGIN
END LogTest.
