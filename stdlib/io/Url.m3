MODULE Url;

IMPORT Fmt, Hex, Text, TextConv, TextRep, TextWr, Texts, Thread, Wr;

CONST
  Upper = ARRAY [0..15] OF CHAR{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};
  Letters = SET OF CHAR{'A'..'Z', 'a'..'z'};
  Digits = SET OF CHAR{'0'..'9'};
  SubDelimiters = SET OF CHAR{'!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '='};
  (* What may stand in the parts. *)
  InHost = Unreserved + SubDelimiters + SET OF CHAR{'%'};
  InUser = InHost + SET OF CHAR{':'};
  InBrackets = InUser;
  InPath = InUser + SET OF CHAR{'@', '/'};
  InQuery = InPath + SET OF CHAR{'?'};

PROCEDURE Encode(t: TEXT; READONLY keep := Unreserved): TEXT =
  VAR bytes := TextRep.Chars(t);  out := NEW(REF ARRAY OF CHAR, 3 * NUMBER(bytes^));  n: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(bytes^) DO
      WITH byte = bytes[i] DO
        IF byte IN keep THEN
          out[n] := byte;
          INC(n);
        ELSE
          out[n] := '%';
          out[n + 1] := Upper[ORD(byte) DIV 16];
          out[n + 2] := Upper[ORD(byte) MOD 16];
          INC(n, 3);
        END;
      END;
    END;
    RETURN Text.FromChars(SUBARRAY(out^, 0, n));
  END Encode;

PROCEDURE Decode(t: TEXT; plus := FALSE): TEXT RAISES {Error} =
  VAR out := TextRep.Chars(t);  n, i: CARDINAL := 0;
  BEGIN
    WHILE i < NUMBER(out^) DO
      IF out[i] = '%' THEN
        CheckCode(out^, i);
        out[n] := VAL(16 * Hex.Value(out[i + 1]) + Hex.Value(out[i + 2]), CHAR);
        INC(i, 2);
      ELSIF plus AND out[i] = '+' THEN
        out[n] := ' ';
      ELSE
        out[n] := out[i];
      END;
      INC(i);
      INC(n);
    END;
    RETURN Text.FromChars(SUBARRAY(out^, 0, n));
  END Decode;

(* Error if the % at chars[i] has no two digits. *)
PROCEDURE CheckCode(READONLY chars: ARRAY OF CHAR; i: CARDINAL) RAISES {Error} =
  BEGIN
    IF i + 2 > LAST(chars) OR Hex.Value(chars[i + 1]) < 0 OR Hex.Value(chars[i + 2]) < 0 THEN
      RAISE Error("character " & Fmt.Int(i) & " is a % without two hexadecimal digits");
    END;
  END CheckCode;

PROCEDURE Parse(t: TEXT): T RAISES {Error} =
  VAR
    url := T{};
    chars := TextRep.CharsOr(t, '\000');
    n := NUMBER(chars^);
    at: CARDINAL := 0;  (* the parts before it are known *)
    end, hostEnd, i: CARDINAL;

  (* The first character from `at` on, and before `most`, that is in `stops`; else `most`. *)
  PROCEDURE Until(READONLY stops: SET OF CHAR; most: CARDINAL): CARDINAL =
    BEGIN
      FOR k := at TO most - 1 DO
        IF chars[k] IN stops THEN RETURN k END;
      END;
      RETURN most;
    END Until;

  (* The characters from `at` up to `to`, all of which must be in `legal`. Moves `at` to `next`. *)
  PROCEDURE Part(to, next: CARDINAL; READONLY legal: SET OF CHAR; name: TEXT): TEXT RAISES {Error} =
    VAR start := at;
    BEGIN
      FOR k := at TO to - 1 DO
        IF NOT chars[k] IN legal THEN
          RAISE Error("character " & Fmt.Int(k) & " may not stand in the " & name & " of a URL: '"
                      & TextConv.Encode(Text.Sub(t, k, 1), quoted := FALSE) & "'");
        END;
        IF chars[k] = '%' THEN CheckCode(SUBARRAY(chars^, 0, to), k) END;
      END;
      at := next;
      RETURN Text.Sub(t, start, to - start);
    END Part;

  BEGIN
    end := Until(SET OF CHAR{':', '/', '?', '#'}, n);
    IF end < n AND chars[end] = ':' THEN
      IF end = 0 OR NOT chars[0] IN Letters THEN
        RAISE Error("character 0 must be the letter with which a scheme begins (a path whose first part has a colon"
                    & " begins with ./)");
      END;
      url.scheme := Part(end, end + 1, Letters + Digits + SET OF CHAR{'+', '-', '.'}, "scheme");
    END;
    IF at + 1 < n AND chars[at] = '/' AND chars[at + 1] = '/' THEN
      INC(at, 2);
      end := Until(SET OF CHAR{'/', '?', '#'}, n);
      i := Until(SET OF CHAR{'@'}, end);
      IF i < end THEN url.user := Part(i, i + 1, InUser, "user") END;
      IF at < end AND chars[at] = '[' THEN
        hostEnd := Until(SET OF CHAR{']'}, end);
        IF hostEnd = end THEN RAISE Error("character " & Fmt.Int(at) & " is a bracket that is not closed") END;
        INC(at);
        url.host := "[" & Part(hostEnd, hostEnd + 1, InBrackets, "host") & "]";
        IF at < end AND chars[at] # ':' THEN
          RAISE Error("character " & Fmt.Int(at) & " must be the colon in front of a port");
        END;
      ELSE
        hostEnd := Until(SET OF CHAR{':'}, end);
        url.host := Part(hostEnd, hostEnd, InHost, "host");
      END;
      IF at < end THEN
        INC(at);
        url.port := Part(end, end, Digits, "port");
      END;
    END;
    end := Until(SET OF CHAR{'?', '#'}, n);
    url.path := Part(end, end, InPath, "path");
    IF at < n AND chars[at] = '?' THEN
      INC(at);
      end := Until(SET OF CHAR{'#'}, n);
      url.query := Part(end, end, InQuery, "query");
    END;
    IF at < n THEN
      INC(at);
      url.fragment := Part(n, n, InQuery, "fragment");
    END;
    RETURN url;
  END Parse;

PROCEDURE ToText(READONLY url: T): TEXT =
  VAR t := "";
  BEGIN
    IF url.scheme # NIL THEN t := url.scheme & ":" END;
    IF url.host # NIL THEN
      t := t & "//";
      IF url.user # NIL THEN t := t & url.user & "@" END;
      t := t & url.host;
      IF url.port # NIL THEN t := t & ":" & url.port END;
    END;
    t := t & url.path;
    IF url.query # NIL THEN t := t & "?" & url.query END;
    IF url.fragment # NIL THEN t := t & "#" & url.fragment END;
    RETURN t;
  END ToText;

PROCEDURE Resolve(READONLY base, reference: T): T =
  VAR url := reference;
  BEGIN
    IF reference.scheme = NIL THEN
      url.scheme := base.scheme;
      IF reference.host = NIL THEN
        url.user := base.user;
        url.host := base.host;
        url.port := base.port;
        IF Text.Empty(reference.path) THEN
          url.path := base.path;
          IF reference.query = NIL THEN url.query := base.query END;
          RETURN url;
        ELSIF NOT Texts.StartsWith(reference.path, "/") THEN
          IF base.host # NIL AND Text.Empty(base.path) THEN
            url.path := "/" & reference.path;
          ELSE
            url.path := Text.Sub(base.path, 0, Text.FindCharR(base.path, '/') + 1) & reference.path;
          END;
        END;
      END;
    END;
    url.path := WithoutDots(url.path);
    RETURN url;
  END Resolve;

(* The path without the parts . and .., and without what .. takes back (RFC 3986, 5.2.4). *)
PROCEDURE WithoutDots(path: TEXT): TEXT =
  VAR
    absolute := Texts.StartsWith(path, "/");
    parts := Texts.Split(path, "/");
    kept: CARDINAL := 0;
    ends := FALSE;  (* the path ends with a part that is not kept, so with a slash *)
    result: TEXT;
  BEGIN
    FOR i := ORD(absolute) TO LAST(parts^) DO
      ends := FALSE;
      IF Text.Equal(parts[i], "..") THEN
        kept := MAX(kept - 1, 0);
        ends := TRUE;
      ELSIF Text.Equal(parts[i], ".") THEN
        ends := TRUE;
      ELSE
        parts[kept] := parts[i];
        INC(kept);
      END;
    END;
    result := Texts.Join(SUBARRAY(parts^, 0, kept), "/");
    IF ends AND kept > 0 THEN result := result & "/" END;
    IF absolute THEN result := "/" & result END;
    RETURN result;
  END WithoutDots;

PROCEDURE ParseQuery(t: TEXT): Query RAISES {Error} =
  VAR query := NEW(Query, 0);  pieces: Texts.Array;  count: CARDINAL := 0;
  BEGIN
    IF t = NIL THEN RETURN query END;
    EVAL Decode(t);  (* so that an error has its position in t *)
    pieces := Texts.Split(t, "&");
    FOR i := 0 TO LAST(pieces^) DO
      IF NOT Text.Empty(pieces[i]) THEN INC(count) END;
    END;
    query := NEW(Query, count);
    count := 0;
    FOR i := 0 TO LAST(pieces^) DO
      IF NOT Text.Empty(pieces[i]) THEN
        query[count] := Pair{Decode(Texts.Before(pieces[i], "="), plus := TRUE),
                             Decode(Texts.After(pieces[i], "="), plus := TRUE)};
        INC(count);
      END;
    END;
    RETURN query;
  END ParseQuery;

PROCEDURE FromQuery(READONLY pairs: Pairs): TEXT =
  VAR wr := TextWr.New();
  <*FATAL Wr.Failure, Thread.Alerted*>
  BEGIN
    FOR i := 0 TO LAST(pairs) DO
      IF i > 0 THEN Wr.PutChar(wr, '&') END;
      Wr.PutText(wr, Form(pairs[i].name));
      Wr.PutChar(wr, '=');
      Wr.PutText(wr, Form(pairs[i].value));
    END;
    RETURN TextWr.ToText(wr);
  END FromQuery;

PROCEDURE Form(t: TEXT): TEXT =
  BEGIN
    RETURN Texts.Replace(Encode(t, Unreserved + SET OF CHAR{' '}), " ", "+");
  END Form;

PROCEDURE Get(query: Query; name: TEXT; default: TEXT := NIL): TEXT =
  BEGIN
    FOR i := 0 TO LAST(query^) DO
      IF Text.Equal(query[i].name, name) THEN RETURN query[i].value END;
    END;
    RETURN default;
  END Get;

BEGIN
END Url.
