(* Parses a text of JSON into objects, and walks over them. Usage: Main N times FILE. *)
MODULE Main;

IMPORT FileRd, Fmt, IO, Params, Rd, Scan, Text, TextRefTbl, RefSeq, TextWr, Wr;

<*FATAL ANY*>

TYPE
  Number = REF RECORD value: INTEGER END;
  String = REF RECORD value: TEXT END;

VAR text: TEXT;  at: CARDINAL;

PROCEDURE Blanks() =
  BEGIN
    WHILE Text.GetChar(text, at) IN SET OF CHAR{' ', '\n'} DO INC(at) END;
  END Blanks;

PROCEDURE Take(ch: CHAR): BOOLEAN =
  BEGIN
    Blanks();
    IF Text.GetChar(text, at) = ch THEN INC(at); RETURN TRUE ELSE RETURN FALSE END;
  END Take;

PROCEDURE ParseString(): TEXT =
  VAR start, end: CARDINAL;  wr: TextWr.T;
  BEGIN
    INC(at);
    start := at;
    WHILE Text.GetChar(text, at) # '"' AND Text.GetChar(text, at) # '\\' DO INC(at) END;
    end := at;
    IF Text.GetChar(text, at) = '"' THEN
      INC(at);
      RETURN Text.Sub(text, start, end - start);
    END;
    wr := TextWr.New();
    Wr.PutText(wr, Text.Sub(text, start, end - start));
    WHILE Text.GetChar(text, at) # '"' DO
      IF Text.GetChar(text, at) = '\\' THEN INC(at) END;
      Wr.PutChar(wr, Text.GetChar(text, at));
      INC(at);
    END;
    INC(at);
    RETURN TextWr.ToText(wr);
  END ParseString;

PROCEDURE ParseNumber(): INTEGER =
  VAR n := 0;
  BEGIN
    WHILE Text.GetChar(text, at) IN SET OF CHAR{'0'..'9'} DO
      n := 10 * n + ORD(Text.GetChar(text, at)) - ORD('0');
      INC(at);
    END;
    RETURN n;
  END ParseNumber;

PROCEDURE Parse(): REFANY =
  VAR table: TextRefTbl.T;  seq: RefSeq.T;  key: TEXT;
  BEGIN
    Blanks();
    CASE Text.GetChar(text, at) OF
    | '{' =>
      INC(at);
      table := NEW(TextRefTbl.Default).init();
      IF Take('}') THEN RETURN table END;
      REPEAT
        Blanks();
        key := ParseString();
        EVAL Take(':');
        EVAL table.put(key, Parse());
      UNTIL NOT Take(',');
      EVAL Take('}');
      RETURN table;
    | '[' =>
      INC(at);
      seq := NEW(RefSeq.T).init();
      IF Take(']') THEN RETURN seq END;
      REPEAT seq.addhi(Parse()) UNTIL NOT Take(',');
      EVAL Take(']');
      RETURN seq;
    | '"' => RETURN NEW(String, value := ParseString());
    ELSE RETURN NEW(Number, value := ParseNumber());
    END;
  END Parse;

PROCEDURE Sum(r: REFANY): INTEGER =
  VAR sum := 0;  key: TEXT;  value: REFANY;  i: TextRefTbl.Iterator;
  BEGIN
    TYPECASE r OF
    | Number (n) => RETURN n.value;
    | String (s) => RETURN Text.Length(s.value);
    | RefSeq.T (seq) => FOR k := 0 TO seq.size() - 1 DO INC(sum, Sum(seq.get(k))) END;
    | TextRefTbl.T (table) =>
      i := table.iterate();
      WHILE i.next(key, value) DO INC(sum, Text.Length(key) + Sum(value)) END;
    ELSE <*ASSERT FALSE*>
    END;
    RETURN sum;
  END Sum;

VAR sum := 0;  rd := FileRd.Open(Params.Get(2));
BEGIN
  text := Rd.GetText(rd, LAST(CARDINAL));
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO
    at := 0;
    INC(sum, Sum(Parse()));
  END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
