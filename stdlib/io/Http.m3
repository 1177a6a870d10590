UNSAFE MODULE Http;

IMPORT Cstdlib, Fmt, LibCurl, M3toC, Text, TextExtras, TextFlat, TextRep, Thread;
FROM Ctypes IMPORT char_star, int, long;

CONST
  PollMilliseconds = 100;  (* an alert is noticed within this time *)
  Protocols = "http,https";

TYPE
  (* What C may refer to while a request runs. *)
  Memory = UNTRACED REF RECORD
      easy, multi, list: ADDRESS := NIL;
      added := FALSE;
      body, header := Stream{};
      why: ARRAY [0 .. LibCurl.ERROR_SIZE - 1] OF CHAR;
    END;

  Stream = RECORD
      file: ADDRESS := NIL;
      text: char_star := NIL;
      size: INTEGER := 0;
    END;

PROCEDURE Get(address: TEXT; READONLY options: Options): Response RAISES {Error, Thread.Alerted} =
  BEGIN
    RETURN Send("GET", address, NIL, options);
  END Get;

PROCEDURE Send(method, address: TEXT; body: TEXT; READONLY options: Options): Response
  RAISES {Error, Thread.Alerted} =
  VAR m := NEW(Memory);
  BEGIN
    TRY
      m.easy := LibCurl.easy_init();
      m.multi := LibCurl.multi_init();
      m.body.file := LibCurl.open_memstream(m.body.text, m.body.size);
      m.header.file := LibCurl.open_memstream(m.header.text, m.header.size);
      IF m.easy = NIL OR m.multi = NIL OR m.body.file = NIL OR m.header.file = NIL THEN
        RAISE Error("no memory for a request");
      END;
      Prepare(m, method, address, body, options);
      Run(m, options.most);
      RETURN Result(m);
    FINALLY
      Free(m);
    END;
  END Send;

PROCEDURE Free(m: Memory) =
  BEGIN
    IF m.added THEN EVAL LibCurl.multi_remove(m.multi, m.easy) END;
    IF m.easy # NIL THEN LibCurl.easy_cleanup(m.easy) END;
    IF m.multi # NIL THEN EVAL LibCurl.multi_cleanup(m.multi) END;
    LibCurl.slist_free_all(m.list);
    Close(m.body);
    Close(m.header);
    Cstdlib.free(m.body.text);
    Cstdlib.free(m.header.text);
    DISPOSE(m);
  END Free;

PROCEDURE Close(VAR s: Stream) =
  BEGIN
    IF s.file # NIL THEN EVAL LibCurl.fclose(s.file) END;
    s.file := NIL;
  END Close;

PROCEDURE Check(m: Memory; code: int) RAISES {Error} =
  BEGIN
    IF code = 0 THEN RETURN END;
    IF m.why[0] # '\000' THEN RAISE Error(M3toC.CopyStoT(LOOPHOLE(ADR(m.why), char_star))) END;
    RAISE Error(M3toC.CopyStoT(LibCurl.strerror(code)));
  END Check;

(* --- The request *)

PROCEDURE Prepare(m: Memory; method, address, body: TEXT; READONLY options: Options) RAISES {Error} =

  PROCEDURE SetNumber(option: int; value: long) RAISES {Error} =
    BEGIN
      Check(m, LibCurl.set_number(m.easy, option, value));
    END SetNumber;

  PROCEDURE SetAddress(option: int; value: ADDRESS) RAISES {Error} =
    BEGIN
      Check(m, LibCurl.set_address(m.easy, option, value));
    END SetAddress;

  (* curl copies the text. *)
  PROCEDURE SetText(option: int; text: TEXT) RAISES {Error} =
    VAR c := CText(text);
    BEGIN
      TRY
        SetAddress(option, c);
      FINALLY
        M3toC.FreeCopiedS(c);
      END;
    END SetText;

  BEGIN
    m.why[0] := '\000';
    SetAddress(LibCurl.ERRORBUFFER, ADR(m.why));
    SetNumber(LibCurl.NOSIGNAL, 1);
    SetText(LibCurl.PROTOCOLS_STR, Protocols);
    SetText(LibCurl.REDIR_PROTOCOLS_STR, Protocols);
    SetText(LibCurl.URL, OneLine(address));
    SetText(LibCurl.ACCEPT_ENCODING, "");  (* all that curl can expand *)
    SetNumber(LibCurl.TIMEOUT_MS, MAX(1, ROUND(MIN(options.seconds, 1.0D6) * 1000.0D0)));
    SetNumber(LibCurl.FOLLOWLOCATION, ORD(options.redirections > 0));
    SetNumber(LibCurl.MAXREDIRS, MIN(options.redirections, LAST(int)));
    SetAddress(LibCurl.WRITEDATA, m.body.file);
    SetAddress(LibCurl.HEADERDATA, m.header.file);
    IF body # NIL THEN
      SetNumber(LibCurl.POSTFIELDSIZE_LARGE, Text.Length(body));
      SetText(LibCurl.COPYPOSTFIELDS, body);
    END;
    IF Text.Equal(method, "HEAD") THEN
      SetNumber(LibCurl.NOBODY, 1);
    ELSIF body = NIL AND NOT Text.Equal(method, "GET") OR body # NIL AND NOT Text.Equal(method, "POST") THEN
      (* Otherwise this is curl's own choice, which a redirection may change. *)
      SetText(LibCurl.CUSTOMREQUEST, OneLine(method));
    END;
    IF options.headers # NIL THEN
      FOR i := 0 TO LAST(options.headers^) DO AddHeader(m, OneLine(options.headers[i])) END;
      SetAddress(LibCurl.HTTPHEADER, m.list);
    END;
  END Prepare;

PROCEDURE CText(text: TEXT): char_star RAISES {Error} =
  BEGIN
    IF NOT TextRep.IsNarrow(text) THEN RAISE Error("a text of a request has wide characters") END;
    RETURN M3toC.CopyTtoS(text);
  END CText;

(* A line break would begin another header. *)
PROCEDURE OneLine(text: TEXT): TEXT RAISES {Error} =
  BEGIN
    IF Text.FindChar(text, '\n') >= 0 OR Text.FindChar(text, '\r') >= 0 OR Text.FindChar(text, '\000') >= 0 THEN
      RAISE Error("a header, method or address has more than one line");
    END;
    RETURN text;
  END OneLine;

PROCEDURE AddHeader(m: Memory; header: TEXT) RAISES {Error} =
  VAR c := CText(header);  list: ADDRESS;
  BEGIN
    TRY
      list := LibCurl.slist_append(m.list, c);
      IF list = NIL THEN RAISE Error("no memory for a header") END;
      m.list := list;
    FINALLY
      M3toC.FreeCopiedS(c);
    END;
  END AddHeader;

PROCEDURE Run(m: Memory; most: CARDINAL) RAISES {Error, Thread.Alerted} =
  VAR running, left: int := 1;  message: LibCurl.Message;
  BEGIN
    CheckMulti(LibCurl.multi_add(m.multi, m.easy));
    m.added := TRUE;
    LOOP
      CheckMulti(LibCurl.multi_perform(m.multi, running));
      IF LibCurl.ftell(m.body.file) > most THEN
        RAISE Error("the body has more than " & Fmt.Int(most) & " characters");
      END;
      IF running = 0 THEN EXIT END;
      CheckMulti(LibCurl.multi_poll(m.multi, NIL, 0, PollMilliseconds, NIL));
      IF Thread.TestAlert() THEN RAISE Thread.Alerted END;
    END;
    REPEAT
      message := LibCurl.multi_info_read(m.multi, left);
    UNTIL message = NIL OR message.msg = LibCurl.DONE;
    <*ASSERT message # NIL*>
    Check(m, message.result);
  END Run;

PROCEDURE CheckMulti(code: int) RAISES {Error} =
  BEGIN
    IF code # 0 THEN RAISE Error(M3toC.CopyStoT(LibCurl.multi_strerror(code))) END;
  END CheckMulti;

(* --- The response *)

PROCEDURE Result(m: Memory): Response =
  VAR r := NEW(Response);  status: long := 0;  address: char_star := NIL;
  BEGIN
    EVAL LibCurl.getinfo(m.easy, LibCurl.INFO_RESPONSE_CODE, ADR(status));
    EVAL LibCurl.getinfo(m.easy, LibCurl.INFO_EFFECTIVE_URL, ADR(address));
    Close(m.body);
    Close(m.header);
    r.status := status;
    r.address := M3toC.CopyStoT(address);
    r.body := TextOf(m.body);
    r.headers := HeadersIn(TextOf(m.header));
    RETURN r;
  END Result;

PROCEDURE TextOf(READONLY s: Stream): TEXT =
  BEGIN
    IF s.size = 0 THEN RETURN "" END;
    RETURN TextFlat.From8(s.text, s.size);
  END TextOf;

(* The headers of the last response in the text, each a line; an empty line ends those of a response. *)
PROCEDURE HeadersIn(text: TEXT): Texts =
  VAR headers := NEW(Texts, 16);  n, at: CARDINAL := 0;  end: INTEGER;  line: TEXT;
  BEGIN
    LOOP
      end := Text.FindChar(text, '\n', at);
      IF end < 0 THEN EXIT END;
      line := Text.Sub(text, at, end - at);
      at := end + 1;
      IF Text.FindCharR(line, '\r') = Text.Length(line) - 1 AND NOT Text.Empty(line) THEN
        line := Text.Sub(line, 0, Text.Length(line) - 1);
      END;
      IF Text.Equal(Text.Sub(line, 0, 5), "HTTP/") THEN
        n := 0;
      ELSIF NOT Text.Empty(line) THEN
        IF n = NUMBER(headers^) THEN
          WITH longer = NEW(Texts, 2 * n) DO
            SUBARRAY(longer^, 0, n) := headers^;
            headers := longer;
          END;
        END;
        headers[n] := line;
        INC(n);
      END;
    END;
    WITH result = NEW(Texts, n) DO
      result^ := SUBARRAY(headers^, 0, n);
      RETURN result;
    END;
  END HeadersIn;

PROCEDURE Header(r: Response; name: TEXT): TEXT =
  VAR length := Text.Length(name);  at: CARDINAL;
  BEGIN
    FOR i := 0 TO LAST(r.headers^) DO
      WITH line = r.headers[i] DO
        IF TextExtras.CIEqual(Text.Sub(line, 0, length + 1), name & ":") THEN
          at := length + 1;
          WHILE at < Text.Length(line) AND Text.GetChar(line, at) = ' ' DO INC(at) END;
          RETURN Text.Sub(line, at);
        END;
      END;
    END;
    RETURN NIL;
  END Header;

BEGIN
  EVAL LibCurl.global_init(LibCurl.GLOBAL_ALL);
END Http.
