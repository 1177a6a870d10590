(* Lines about what a program does, with levels, fields and times, for people or for machines.

   Example:

       MODULE Main;
       IMPORT Instants, Log, Stdio;
       TYPE At = Log.Clock OBJECT OVERRIDES now := Noon END;
       PROCEDURE Noon(<*UNUSED*> self: At): Instants.T =
         BEGIN RETURN 1764504000000000 END Noon;
       VAR log, request: Log.T;
       BEGIN
         log := NEW(Log.T).init(Stdio.stdout, clock := NEW(At));
         log.info("started", Log.Fields{Log.Int("port", 8080)});
         log.debug("not shown");
         request := log.with(Log.Fields{Log.Text("user", "Ada L.")});
         request.warn("slow", Log.Fields{Log.LongReal("seconds", 2.5D0)});
         log := NEW(Log.T).init(Stdio.stdout, Log.Level.Debug, Log.Format.Json, NEW(At));
         log.debug("said \"ok\"", Log.Fields{Log.Bool("cached", TRUE)});
       END Main.

   It prints

       2025-11-30T12:00:00.000Z INFO  started port=8080
       2025-11-30T12:00:00.000Z WARN  slow user="Ada L." seconds=2.5
       {"time":"2025-11-30T12:00:00.000Z","level":"debug","message":"said \"ok\"","cached":true}

   Each line is written at once and then flushed, so lines of several threads, also of several loggers with one writer,
   do not mix. A line that cannot be written is dropped and counted. *)
INTERFACE Log;

IMPORT Instants, Wr;

TYPE
  Level = {Debug, Info, Warn, Error, Off};

  Format = {
    Text,  (* time, level, message, name=value; what is not plain is in quotes, with the escapes of JSON *)
    Json   (* an object a line, with time, level, message and the fields *)
  };

  (* A name and a value, made by the procedures below. *)
  Field = RECORD
    name: TEXT := NIL;   (* NIL: nothing is written *)
    value: TEXT := NIL;  (* as JSON has it, or, if isText, the characters *)
    isText := FALSE;
  END;
  Fields = ARRAY OF Field;

  Clock <: ClockPublic;
  ClockPublic = OBJECT METHODS
    now(): Instants.T;  (* by default Instants.Now *)
  END;

  (* A logger. Threads may share it. *)
  T <: Public;
  Public = OBJECT METHODS
    (* Writes lines of this level and above. *)
    init(wr: Wr.T; level := Level.Info; format := Format.Text; clock: Clock := NIL): T;

    debug(message: TEXT; READONLY fields := Fields{});
    info(message: TEXT; READONLY fields := Fields{});
    warn(message: TEXT; READONLY fields := Fields{});
    error(message: TEXT; READONLY fields := Fields{});

    (* Any of them; nothing for Off. *)
    put(level: Level; message: TEXT; READONLY fields := Fields{});

    (* Whether lines of this level are written: for fields that take long to make. *)
    writes(level: Level): BOOLEAN;

    (* A logger for the same writer that adds these fields to each line. Its level is that of this one. *)
    with(READONLY fields: Fields): T;

    (* Also of the loggers that `with` makes or has made of this one. *)
    setLevel(level: Level);

    (* The number of lines that could not be written. *)
    dropped(): CARDINAL;
  END;

(* Fields. A text need not be UTF-8: other bytes are written as if they were Latin-1. NIL is null. *)
PROCEDURE Text(name, value: TEXT): Field;
PROCEDURE Int(name: TEXT; value: INTEGER): Field;
PROCEDURE LongReal(name: TEXT; value: LONGREAL): Field;
PROCEDURE Bool(name: TEXT; value: BOOLEAN): Field;

(* Level by its name in small letters, `debug` to `off`; whether there is one. *)
PROCEDURE FromName(name: TEXT; VAR level: Level): BOOLEAN;

(* The logger of the program, which writes to standard error; other modules than the main one just use it. Its level is
   that of the environment's variable LOG_LEVEL, or Info. *)
PROCEDURE Default(): T;

END Log.
