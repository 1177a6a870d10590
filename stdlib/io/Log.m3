MODULE Log;

IMPORT Env, Fmt, Instants, Json, Stdio, Text AS TextOf, Thread, Utf8, Wr;

TYPE
  (* What a logger and those that `with` makes of it share. *)
  Target = MUTEX OBJECT
    wr: Wr.T;
    format: Format;
    clock: Clock;
    (* Guarded by the mutex. *)
    level: Level;
    dropped: CARDINAL := 0;
  END;

REVEAL
  Clock = ClockPublic BRANDED "Log.Clock" OBJECT OVERRIDES now := Now END;

  T = Public BRANDED "Log.T" OBJECT
    target: Target;
    fields: REF Fields;  (* in each line *)
  OVERRIDES
    init := Init;
    debug := Debug;
    info := Info;
    warn := Warn;
    error := Error;
    put := Put;
    writes := Writes;
    with := With;
    setLevel := SetLevel;
    dropped := Dropped;
  END;

CONST
  Names = ARRAY Level OF TEXT{"debug", "info", "warn", "error", "off"};
  Columns = ARRAY Level OF TEXT{"DEBUG ", "INFO  ", "WARN  ", "ERROR ", "OFF   "};

PROCEDURE Now(<*UNUSED*> self: Clock): Instants.T =
  BEGIN
    RETURN Instants.Now();
  END Now;

PROCEDURE Init(self: T; wr: Wr.T; level: Level; format: Format; clock: Clock): T =
  BEGIN
    IF clock = NIL THEN clock := NEW(Clock) END;
    self.target := NEW(Target, wr := wr, format := format, clock := clock, level := level);
    self.fields := NEW(REF Fields, 0);
    RETURN self;
  END Init;

PROCEDURE Writes(self: T; level: Level): BOOLEAN =
  BEGIN
    LOCK self.target DO RETURN level >= self.target.level AND level # Level.Off END;
  END Writes;

PROCEDURE SetLevel(self: T; level: Level) =
  BEGIN
    LOCK self.target DO self.target.level := level END;
  END SetLevel;

PROCEDURE Dropped(self: T): CARDINAL =
  BEGIN
    LOCK self.target DO RETURN self.target.dropped END;
  END Dropped;

PROCEDURE With(self: T; READONLY fields: Fields): T =
  VAR new := NEW(T, target := self.target, fields := NEW(REF Fields, NUMBER(self.fields^) + NUMBER(fields)));
  BEGIN
    SUBARRAY(new.fields^, 0, NUMBER(self.fields^)) := self.fields^;
    SUBARRAY(new.fields^, NUMBER(self.fields^), NUMBER(fields)) := fields;
    RETURN new;
  END With;

PROCEDURE Debug(self: T; message: TEXT; READONLY fields: Fields) =
  BEGIN
    self.put(Level.Debug, message, fields);
  END Debug;

PROCEDURE Info(self: T; message: TEXT; READONLY fields: Fields) =
  BEGIN
    self.put(Level.Info, message, fields);
  END Info;

PROCEDURE Warn(self: T; message: TEXT; READONLY fields: Fields) =
  BEGIN
    self.put(Level.Warn, message, fields);
  END Warn;

PROCEDURE Error(self: T; message: TEXT; READONLY fields: Fields) =
  BEGIN
    self.put(Level.Error, message, fields);
  END Error;

PROCEDURE Put(self: T; level: Level; message: TEXT; READONLY fields: Fields) =
  VAR line, time: TEXT;
  BEGIN
    IF NOT self.writes(level) THEN RETURN END;
    time := Instants.ToText(self.target.clock.now(), digits := 3);
    IF self.target.format = Format.Json THEN
      line := "{\"time\":\"" & time & "\",\"level\":\"" & Names[level] & "\",\"message\":" & Quoted(message)
              & InJson(self.fields^) & InJson(fields) & "}\n";
    ELSE
      line := time & " " & Columns[level] & OneLine(message) & InText(self.fields^) & InText(fields) & "\n";
    END;
    (* The writer's own lock would keep lines whole, but not put a flush behind each. *)
    LOCK self.target DO
      TRY
        Wr.PutText(self.target.wr, line);
        Wr.Flush(self.target.wr);
      EXCEPT
      | Wr.Failure, Thread.Alerted => INC(self.target.dropped);
      END;
    END;
  END Put;

PROCEDURE InJson(READONLY fields: Fields): TEXT =
  VAR result := "";
  BEGIN
    FOR i := 0 TO LAST(fields) DO
      WITH field = fields[i] DO
        IF field.name # NIL THEN
          result := result & "," & Quoted(field.name) & ":";
          IF field.isText THEN result := result & Quoted(field.value) ELSE result := result & field.value END;
        END;
      END;
    END;
    RETURN result;
  END InJson;

PROCEDURE InText(READONLY fields: Fields): TEXT =
  VAR result := "";
  BEGIN
    FOR i := 0 TO LAST(fields) DO
      WITH field = fields[i] DO
        IF field.name # NIL THEN
          result := result & " " & OneWord(field.name) & "=";
          IF field.isText THEN result := result & OneWord(field.value) ELSE result := result & field.value END;
        END;
      END;
    END;
    RETURN result;
  END InText;

(* t as a text of JSON. *)
PROCEDURE Quoted(t: TEXT): TEXT =
  <*FATAL Json.Error*>
  BEGIN
    RETURN Json.ToText(Json.Text(Clean(t)));
  END Quoted;

(* t if it is UTF-8 or UTF-16, else each character by its code; half of a surrogate pair becomes a ?. *)
PROCEDURE Clean(t: TEXT): TEXT =
  VAR result := "";  code: CARDINAL;
  BEGIN
    IF Utf8.Valid(t) THEN RETURN t END;
    IF Utf8.FirstUnpaired(t) < 0 THEN RETURN Utf8.FromWide(t) END;
    FOR i := 0 TO TextOf.Length(t) - 1 DO
      code := ORD(TextOf.GetWideChar(t, i));
      IF 16_D800 <= code AND code <= 16_DFFF THEN code := ORD('?') END;
      result := result & Utf8.FromCode(code);
    END;
    RETURN result;
  END Clean;

(* t, in quotes if it is empty or would not be one word. *)
PROCEDURE OneWord(t: TEXT): TEXT =
  BEGIN
    IF NOT TextOf.Empty(t) AND IsPlain(t, SET OF CHAR{'!'..'~'} - SET OF CHAR{'\"', '=', '\\'}) THEN RETURN t END;
    RETURN Quoted(t);
  END OneWord;

(* t, in quotes if it has characters that begin a line or move a terminal's cursor. *)
PROCEDURE OneLine(t: TEXT): TEXT =
  BEGIN
    IF NOT IsPlain(t, SET OF CHAR{' '..'~', '\200'..'\377'}) THEN RETURN Quoted(t) END;
    RETURN t;
  END OneLine;

PROCEDURE IsPlain(t: TEXT; READONLY plain: SET OF CHAR): BOOLEAN =
  BEGIN
    FOR i := 0 TO TextOf.Length(t) - 1 DO
      WITH code = ORD(TextOf.GetWideChar(t, i)) DO
        IF code > ORD(LAST(CHAR)) OR NOT VAL(code, CHAR) IN plain THEN RETURN FALSE END;
      END;
    END;
    RETURN TRUE;
  END IsPlain;

PROCEDURE Text(name, value: TEXT): Field =
  BEGIN
    IF value = NIL THEN RETURN Field{name, "null"} END;
    RETURN Field{name, value, isText := TRUE};
  END Text;

PROCEDURE Int(name: TEXT; value: INTEGER): Field =
  BEGIN
    RETURN Field{name, Fmt.Int(value)};
  END Int;

(* JSON has no numbers for NaN and infinities. *)
PROCEDURE LongReal(name: TEXT; value: LONGREAL): Field =
  BEGIN
    RETURN Field{name, Fmt.LongReal(value), isText := value - value # 0.0D0};
  END LongReal;

PROCEDURE Bool(name: TEXT; value: BOOLEAN): Field =
  CONST Words = ARRAY BOOLEAN OF TEXT{"false", "true"};
  BEGIN
    RETURN Field{name, Words[value]};
  END Bool;

PROCEDURE FromName(name: TEXT; VAR level: Level): BOOLEAN =
  BEGIN
    FOR l := FIRST(Level) TO LAST(Level) DO
      IF TextOf.Equal(Names[l], name) THEN
        level := l;
        RETURN TRUE;
      END;
    END;
    RETURN FALSE;
  END FromName;

VAR
  mutex := NEW(MUTEX);
  default: T := NIL;  (* guarded by mutex *)

PROCEDURE Default(): T =
  VAR level := Level.Info;  name: TEXT;
  BEGIN
    LOCK mutex DO
      IF default = NIL THEN
        name := Env.Get("LOG_LEVEL");
        IF name # NIL THEN EVAL FromName(name, level) END;
        default := NEW(T).init(Stdio.stderr, level);
      END;
      RETURN default;
    END;
  END Default;

BEGIN
END Log.
