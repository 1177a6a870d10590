(* Does what tests/stdlib/witness.py asks for. Each line of the input is an operation and its arguments, in hexadecimal
   digits, with tabs between them; each line of the output is "ok" or "error" and the results in the same form. *)
MODULE Main;

IMPORT Base64, Csv, Days, Decimal, Durations, Fmt, Hex, Instants, Json, JsonReader, JsonWriter, Rd, Scan,
       Stdio, Text, TextWr, Texts, TinyRd, Url, Utf8, Wr;

<*FATAL ANY*>

EXCEPTION Wrong(TEXT);

VAR
  line: TEXT;
  words: Texts.Array;

(* Argument i, from 1 on. *)
PROCEDURE Arg(i: CARDINAL): TEXT =
  BEGIN
    RETURN Hex.Decode(words[i]);
  END Arg;

PROCEDURE IntArg(i: CARDINAL): INTEGER =
  BEGIN
    RETURN Scan.Int(Arg(i));
  END IntArg;

PROCEDURE Bool(b: BOOLEAN): TEXT =
  BEGIN
    IF b THEN RETURN "1" END;
    RETURN "0";
  END Bool;

(* Several results. *)
PROCEDURE List(READONLY texts: ARRAY OF TEXT): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 0 TO LAST(texts) DO
      IF texts[i] = NIL THEN t := t & "\t-" ELSE t := t & "\t" & Hex.Encode(texts[i]) END;
    END;
    RETURN t;
  END List;

PROCEDURE One(t: TEXT): TEXT =
  BEGIN
    RETURN List(ARRAY OF TEXT{t});
  END One;

PROCEDURE OfTexts(op: TEXT): TEXT =
  BEGIN
    IF Text.Equal(op, "split") THEN
      RETURN List(Texts.Split(Arg(1), Arg(2), IntArg(3))^);
    ELSIF Text.Equal(op, "words") THEN
      RETURN List(Texts.Words(Arg(1))^);
    ELSIF Text.Equal(op, "lines") THEN
      RETURN List(Texts.Lines(Arg(1))^);
    ELSIF Text.Equal(op, "trims") THEN
      RETURN List(ARRAY OF TEXT{Texts.Trim(Arg(1)), Texts.TrimLeft(Arg(1)), Texts.TrimRight(Arg(1)),
                                Texts.Lower(Arg(1)), Texts.Upper(Arg(1))});
    ELSIF Text.Equal(op, "find") THEN
      WITH t = Arg(1), part = Arg(2) DO
        RETURN List(ARRAY OF TEXT{Fmt.Int(Texts.Find(t, part)), Fmt.Int(Texts.FindLast(t, part)),
                                  Bool(Texts.Contains(t, part)), Bool(Texts.StartsWith(t, part)),
                                  Bool(Texts.EndsWith(t, part)), Texts.WithoutPrefix(t, part),
                                  Texts.WithoutSuffix(t, part), Texts.Before(t, part), Texts.After(t, part)});
      END;
    ELSIF Text.Equal(op, "replace") THEN
      RETURN List(ARRAY OF TEXT{Texts.Replace(Arg(1), Arg(2), Arg(3), IntArg(4)), Texts.Replace(Arg(1), Arg(2), Arg(3)),
                                Fmt.Int(Texts.Count(Arg(1), Arg(2)))});
    ELSE
      WITH t = Arg(1), n = IntArg(2) DO
        RETURN List(ARRAY OF TEXT{Texts.PadLeft(t, n, '.'), Texts.PadRight(t, n, '.'), Texts.Center(t, n, '.'),
                                  Texts.Repeat(t, n)});
      END;
    END;
  END OfTexts;

PROCEDURE OfCodings(op: TEXT): TEXT RAISES {Wrong} =
  CONST Kind = ARRAY BOOLEAN OF Base64.Alphabet{Base64.Alphabet.Standard, Base64.Alphabet.Url};
  BEGIN
    TRY
      IF Text.Equal(op, "hex") THEN
        RETURN One(Hex.Decode(Arg(1)));
      ELSIF Text.Equal(op, "encode64") THEN
        RETURN One(Base64.Encode(Arg(1), Kind[IntArg(2) = 1], IntArg(3) = 1, IntArg(4)));
      ELSIF Text.Equal(op, "decode64") THEN
        RETURN One(Base64.Decode(Arg(1), Kind[IntArg(2) = 1], IntArg(3) = 1));
      ELSIF Text.Equal(op, "quote") THEN
        RETURN One(Url.Encode(Arg(1)));
      ELSIF Text.Equal(op, "unquote") THEN
        RETURN List(ARRAY OF TEXT{Url.Decode(Arg(1)), Url.Decode(Arg(1), plus := TRUE)});
      ELSIF Text.Equal(op, "query") THEN
        WITH query = Url.ParseQuery(Arg(1)), texts = NEW(Texts.Array, 2 * NUMBER(query^) + 1) DO
          FOR i := 0 TO LAST(query^) DO
            texts[2 * i] := query[i].name;
            texts[2 * i + 1] := query[i].value;
          END;
          texts[LAST(texts^)] := Url.FromQuery(query^);
          RETURN List(texts^);
        END;
      ELSIF Text.Equal(op, "url") THEN
        WITH url = Url.Parse(Arg(1)) DO
          RETURN List(ARRAY OF TEXT{url.scheme, url.user, url.host, url.port, url.path, url.query, url.fragment,
                                    Url.ToText(url)});
        END;
      ELSE
        RETURN One(Url.ToText(Url.Resolve(Url.Parse(Arg(1)), Url.Parse(Arg(2)))));
      END;
    EXCEPT
    | Hex.Error, Base64.Error, Url.Error (why) => RAISE Wrong(why);
    END;
  END OfCodings;

PROCEDURE OfJson(op: TEXT): TEXT RAISES {Wrong} =
  BEGIN
    TRY
      IF Text.Equal(op, "parse") THEN
        WITH value = Json.Read(TinyRd.New(Arg(1), IntArg(2)), IntArg(3), VAL(IntArg(4), Json.Duplicates)),
             copy = Json.Copy(value) DO
          <*ASSERT Json.Equal(value, copy)*>
          RETURN List(ARRAY OF TEXT{Json.ToText(value), Json.ToText(copy, 2)});
        END;
      ELSIF Text.Equal(op, "events") THEN
        RETURN One(Rewritten(NEW(JsonReader.T).init(TinyRd.New(Arg(1), IntArg(2)), many := TRUE)));
      ELSIF Text.Equal(op, "int") THEN
        RETURN One(Fmt.Int(Json.Parse(Arg(1)).int()));
      ELSIF Text.Equal(op, "real") THEN
        RETURN One(Json.ToText(Json.LongReal(Json.Parse(Arg(1)).longReal())));
      ELSIF Text.Equal(op, "equal") THEN
        RETURN One(Bool(Json.Equal(Json.Parse(Arg(1)), Json.Parse(Arg(2)))));
      ELSE
        WITH t = Arg(1), wide = Utf8.ToWide(t) DO
          RETURN List(ARRAY OF TEXT{Fmt.Int(Utf8.Count(t)), Utf8.FromWide(wide), Json.ToText(Json.Text(wide))});
        END;
      END;
    EXCEPT
    | Json.Error (why) => RAISE Wrong(why);
    | Utf8.Error (at) => RAISE Wrong("byte " & Fmt.Int(at) & " is not UTF-8");
    END;
  END OfJson;

(* The documents, written event by event; every third value is read as a whole. *)
PROCEDURE Rewritten(reader: JsonReader.T): TEXT RAISES {Json.Error} =
  VAR wr := TextWr.New();  writer := NEW(JsonWriter.T).init(wr);  count := 0;
  BEGIN
    LOOP
      EVAL reader.next();
      INC(count);
      CASE reader.event OF
      | JsonReader.Event.ObjectStart =>
        IF count MOD 3 = 0 THEN writer.value(reader.value()) ELSE writer.beginObject() END;
      | JsonReader.Event.ObjectEnd => writer.endObject();
      | JsonReader.Event.ArrayStart =>
        IF count MOD 3 = 0 THEN writer.value(reader.value()) ELSE writer.beginArray() END;
      | JsonReader.Event.ArrayEnd => writer.endArray();
      | JsonReader.Event.Name => writer.name(reader.text);
      | JsonReader.Event.Text => writer.text(reader.text);
      | JsonReader.Event.Number => writer.number(reader.text);
      | JsonReader.Event.True => writer.bool(TRUE);
      | JsonReader.Event.False => writer.bool(FALSE);
      | JsonReader.Event.Null => writer.null();
      | JsonReader.Event.End =>
        <*ASSERT writer.depth() = 0*>
        RETURN TextWr.ToText(wr);
      END;
    END;
  END Rewritten;

(* The rows: of each the line, the number of its fields, and the fields. *)
PROCEDURE OfCsv(op: TEXT): TEXT RAISES {Wrong} =
  VAR reader: Csv.Reader;  result := "";  fields: Texts.Array;  wr := TextWr.New();
  BEGIN
    IF Text.Equal(op, "put") THEN
      fields := NEW(Texts.Array, NUMBER(words^) - 1);
      FOR i := 0 TO LAST(fields^) DO fields[i] := Arg(i + 1) END;
      NEW(Csv.Writer).init(wr).put(fields^);
      RETURN One(TextWr.ToText(wr));
    END;
    TRY
      reader := NEW(Csv.Reader).init(TinyRd.New(Arg(1), IntArg(2)), separator := Text.GetChar(Arg(3), 0),
                                     ragged := IntArg(4) = 1);
      WHILE reader.next() DO
        fields := NEW(Texts.Array, reader.count() + 2);
        fields[0] := Fmt.Int(reader.line());
        fields[1] := Fmt.Int(reader.count());
        FOR i := 0 TO reader.count() - 1 DO fields[i + 2] := reader.get(i) END;
        result := result & List(fields^);
      END;
      RETURN result;
    EXCEPT
    | Csv.Error (why) => RAISE Wrong(why);
    END;
  END OfCsv;

PROCEDURE OfDays(op: TEXT): TEXT RAISES {Wrong} =
  VAR year: INTEGER;  offset: Instants.Offset;
  BEGIN
    TRY
      IF Text.Equal(op, "split") THEN
        WITH t = IntArg(1), parts = Days.Split(t), week = Days.Week(t, year) DO
          <*ASSERT Days.Of(parts.year, parts.month, parts.day) = t*>
          RETURN List(ARRAY OF TEXT{Days.ToText(t), Days.Names[Days.WeekDayOf(t)], Fmt.Int(Days.DayOfYear(t)),
                                    Fmt.Int(year), Fmt.Int(week), Bool(Days.IsLeap(parts.year))});
        END;
      ELSIF Text.Equal(op, "parse") THEN
        RETURN One(Fmt.Int(Days.Parse(Arg(1))));
      ELSIF Text.Equal(op, "of") THEN
        RETURN One(Fmt.Int(Days.Of(IntArg(1), IntArg(2), IntArg(3))));
      ELSIF Text.Equal(op, "plus") THEN
        RETURN One(Fmt.Int(Days.Plus(IntArg(1), IntArg(2))));
      ELSIF Text.Equal(op, "add_months") THEN
        RETURN One(Fmt.Int(Days.AddMonths(IntArg(1), IntArg(2))));
      ELSIF Text.Equal(op, "months") THEN
        RETURN One(Fmt.Int(Days.Months(IntArg(1), IntArg(2))));
      ELSIF Text.Equal(op, "instant") THEN
        RETURN One(Instants.ToText(IntArg(1), IntArg(2), IntArg(3)));
      ELSIF Text.Equal(op, "parse_instant") THEN
        WITH instant = Instants.ParseWithOffset(Arg(1), offset) DO
          RETURN List(ARRAY OF TEXT{Fmt.Int(instant), Fmt.Int(offset)});
        END;
      ELSIF Text.Equal(op, "duration") THEN
        RETURN One(Durations.ToText(IntArg(1)));
      ELSE
        RETURN One(Fmt.Int(Durations.Parse(Arg(1))));
      END;
    EXCEPT
    | Days.Error, Instants.Error, Durations.Error (why) => RAISE Wrong(why);
    END;
  END OfDays;

(* A decimal number as its units and its scale. *)
PROCEDURE Decimal2(a: Decimal.T): TEXT =
  BEGIN
    RETURN List(ARRAY OF TEXT{Fmt.Int(a.units), Fmt.Int(a.scale)});
  END Decimal2;

PROCEDURE OfDecimals(op: TEXT): TEXT RAISES {Wrong} =
  VAR a, b: Decimal.T;  scale: Decimal.Scale;  rounding: Decimal.Rounding;
  BEGIN
    TRY
      IF Text.Equal(op, "parse") THEN
        a := Decimal.Parse(Arg(1), Arg(2), Arg(3));
        RETURN Decimal2(a) & List(ARRAY OF TEXT{Decimal.ToText(a), Decimal.ToText(a, ",")});
      ELSIF Text.Equal(op, "share") THEN
        WITH weights = NEW(REF ARRAY OF CARDINAL, NUMBER(words^) - 2) DO
          FOR i := 0 TO LAST(weights^) DO weights[i] := IntArg(i + 2) END;
          WITH shares = Decimal.Share(Decimal.Of(IntArg(1), 2), weights^), texts = NEW(Texts.Array, NUMBER(shares^)) DO
            FOR i := 0 TO LAST(shares^) DO texts[i] := Fmt.Int(shares[i].units) END;
            RETURN List(texts^);
          END;
        END;
      END;
      a := Decimal.Of(IntArg(1), IntArg(2));
      b := Decimal.Of(IntArg(3), IntArg(4));
      IF Text.Equal(op, "add") THEN
        RETURN Decimal2(Decimal.Add(a, b));
      ELSIF Text.Equal(op, "subtract") THEN
        RETURN Decimal2(Decimal.Subtract(a, b));
      ELSIF Text.Equal(op, "multiply") THEN
        RETURN Decimal2(Decimal.Multiply(a, b));
      ELSIF Text.Equal(op, "compare") THEN
        RETURN List(ARRAY OF TEXT{Fmt.Int(Decimal.Compare(a, b)), Bool(Decimal.Equal(a, b)),
                                  Bool(Decimal.Hash(a) = Decimal.Hash(b)), Fmt.LongReal(Decimal.ToLongReal(a))});
      END;
      scale := IntArg(5);
      rounding := VAL(IntArg(6), Decimal.Rounding);
      IF Text.Equal(op, "times") THEN
        RETURN Decimal2(Decimal.Times(a, b, scale, rounding));
      ELSIF Text.Equal(op, "divide") THEN
        RETURN Decimal2(Decimal.Divide(a, b, scale, rounding));
      ELSE
        RETURN Decimal2(Decimal.Round(a, scale, rounding));
      END;
    EXCEPT
    | Decimal.Error (why) => RAISE Wrong(why);
    END;
  END OfDecimals;

PROCEDURE Answer(group, op: TEXT): TEXT RAISES {Wrong} =
  BEGIN
    IF Text.Equal(group, "texts") THEN
      RETURN OfTexts(op);
    ELSIF Text.Equal(group, "json") THEN
      RETURN OfJson(op);
    ELSIF Text.Equal(group, "csv") THEN
      RETURN OfCsv(op);
    ELSIF Text.Equal(group, "decimals") THEN
      RETURN OfDecimals(op);
    ELSIF Text.Equal(group, "days") THEN
      RETURN OfDays(op);
    ELSE
      RETURN OfCodings(op);
    END;
  END Answer;

BEGIN
  LOOP
    TRY
      line := Rd.GetLine(Stdio.stdin);
    EXCEPT
    | Rd.EndOfFile => EXIT;
    END;
    words := Texts.Split(line, "\t");
    TRY
      line := "ok" & Answer(Texts.Before(words[0], "."), Texts.After(words[0], "."));
    EXCEPT
    | Wrong (why) => line := "error" & One(why);
    END;
    Wr.PutText(Stdio.stdout, line & "\n");
  END;
END Main.
