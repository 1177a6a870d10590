(* "METHOD ADDRESS BODY HEADERS", the last two as bytes, the headers with | between them, among them perhaps "most=N",
   "seconds=N" or "redirections=N": the status, the body, the address, the header Content-Type.
   What failed is answered by what Http says, as bytes. *)
MODULE HttpWitness EXPORTS Main;

IMPORT Fmt, Http, Scan, Text, TextSeq, Witness;

PROCEDURE Answer(READONLY w: Witness.Words): TEXT RAISES ANY =
  VAR options := Http.Options{};  body: TEXT := NIL;
  BEGIN
    SetOptions(Witness.Bytes(w[3]), options);
    IF NOT Text.Equal(w[2], "-") THEN body := Witness.Bytes(w[2]) END;
    TRY
      WITH r = Http.Send(w[0], w[1], body, options) DO
        RETURN Fmt.FN("%s %s %s %s", ARRAY OF TEXT{Fmt.Int(r.status), Witness.Hex(r.body), r.address,
                                                  Http.Header(r, "CONTENT-type")});
      END;
    EXCEPT
    | Http.Error (why) => RETURN "error " & Witness.Hex(why);
    END;
  END Answer;

PROCEDURE SetOptions(text: TEXT; VAR options: Http.Options) RAISES ANY =
  VAR lines := NEW(TextSeq.T).init();  at: CARDINAL := 0;  end: INTEGER;
  BEGIN
    WHILE at < Text.Length(text) DO
      end := Text.FindChar(text, '|', at);
      IF end < 0 THEN end := Text.Length(text) END;
      WITH line = Text.Sub(text, at, end - at), equals = Text.FindChar(line, '='),
           number = Text.Sub(line, equals + 1) DO
        IF Text.Equal(Text.Sub(line, 0, equals + 1), "most=") THEN
          options.most := Scan.Int(number);
        ELSIF Text.Equal(Text.Sub(line, 0, equals + 1), "seconds=") THEN
          options.seconds := Scan.LongReal(number);
        ELSIF Text.Equal(Text.Sub(line, 0, equals + 1), "redirections=") THEN
          options.redirections := Scan.Int(number);
        ELSE
          lines.addhi(line);
        END;
      END;
      at := end + 1;
    END;
    options.headers := NEW(Http.Texts, lines.size());
    FOR i := 0 TO LAST(options.headers^) DO options.headers[i] := lines.get(i) END;
  END SetOptions;

BEGIN
  Witness.Run(Answer);
END HttpWitness.
