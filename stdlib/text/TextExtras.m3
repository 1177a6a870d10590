UNSAFE MODULE TextExtras;

IMPORT ASCII, RTMemory, Text, TextClass, TextRep;

PROCEDURE Upper(t: T): T =
  VAR chars: REF ARRAY OF CHAR;  wide: REF ARRAY OF WIDECHAR;
  BEGIN
    IF Text.HasWideChars(t) THEN
      wide := TextRep.WideChars(t);
      FOR i := 0 TO LAST(wide^) DO
        IF W'a' <= wide[i] AND wide[i] <= W'z' THEN wide[i] := VAL(ORD(wide[i]) - ORD('a') + ORD('A'), WIDECHAR) END;
      END;
      RETURN Text.FromWideChars(wide^);
    END;
    chars := TextRep.Chars(t);
    FOR i := 0 TO LAST(chars^) DO chars[i] := ASCII.Upper[chars[i]] END;
    RETURN Text.FromChars(chars^);
  END Upper;

PROCEDURE CIEqual(t, u: T): BOOLEAN =
  BEGIN
    RETURN Text.Length(t) = Text.Length(u) AND Text.Equal(Upper(t), Upper(u));
  END CIEqual;

PROCEDURE CICompare(t, u: T): INTEGER =
  BEGIN
    RETURN Text.Compare(Upper(t), Upper(u));
  END CICompare;

PROCEDURE CIHash(t: T): INTEGER =
  BEGIN
    RETURN Text.Hash(Upper(t));
  END CIHash;

PROCEDURE Compare(t, u: T): INTEGER =
  BEGIN
    RETURN Text.Compare(t, u);
  END Compare;

(* The result of a search that found the position `at`, or nothing if at is negative. *)
PROCEDURE Found(t: T; at: INTEGER; VAR index: CARDINAL): BOOLEAN =
  BEGIN
    IF at < 0 THEN index := Text.Length(t) ELSE index := at END;
    RETURN at >= 0;
  END Found;

PROCEDURE FindChar(t: T; ch: CHAR; VAR index: CARDINAL): BOOLEAN =
  BEGIN
    RETURN Found(t, Text.FindChar(t, ch, index), index);
  END FindChar;

PROCEDURE FindCharSet(t: T; READONLY charSet: ASCII.Set; VAR index: CARDINAL): BOOLEAN =
  BEGIN
    FOR i := index TO Text.Length(t) - 1 DO
      WITH code = ORD(Text.GetWideChar(t, i)) DO
        IF code <= ORD(LAST(CHAR)) AND VAL(code, CHAR) IN charSet THEN RETURN Found(t, i, index) END;
      END;
    END;
    RETURN Found(t, -1, index);
  END FindCharSet;

PROCEDURE FindSub(t, sub: T; VAR index: CARDINAL): BOOLEAN =
  VAR n := Text.Length(sub);  last := Text.Length(t) - n;  at: INTEGER := index;
      ti, si: TextClass.Info;
  BEGIN
    IF at > last THEN RETURN Found(t, -1, index) END;
    IF n = 0 THEN RETURN Found(t, at, index) END;
    t.get_info(ti);
    sub.get_info(si);
    IF ti.start # NIL AND si.start # NIL AND NOT ti.wide AND NOT si.wide THEN
      at := RTMemory.Search(ti.start + at, ti.length - at, si.start, n);
      IF at < 0 THEN RETURN Found(t, -1, index) END;
      RETURN Found(t, index + at, index);
    END;
    WHILE at <= last DO
      at := Text.FindWideChar(t, Text.GetWideChar(sub, 0), at);
      IF at < 0 OR at > last THEN EXIT END;
      IF Text.Equal(Text.Sub(t, at, n), sub) THEN RETURN Found(t, at, index) END;
      INC(at);
    END;
    RETURN Found(t, -1, index);
  END FindSub;

PROCEDURE Extract(t: T; fx, tx: CARDINAL): T =
  BEGIN
    RETURN Text.Sub(t, fx, MAX(tx - fx, 0));
  END Extract;

PROCEDURE Join(t1, t2, t3, t4, t5: T := NIL): T =
  VAR result: T := "";
  BEGIN
    FOR i := 1 TO 5 DO
      WITH texts = ARRAY [1..5] OF T{t1, t2, t3, t4, t5} DO
        IF texts[i] = NIL THEN RETURN result END;
        result := result & texts[i];
      END;
    END;
    RETURN result;
  END Join;

PROCEDURE JoinN(READONLY texts: ARRAY OF TEXT): T =
  VAR result: T := "";
  BEGIN
    FOR i := 0 TO LAST(texts) DO result := result & texts[i] END;
    RETURN result;
  END JoinN;

PROCEDURE PatternMatch(t, pattern: TEXT): BOOLEAN =
  VAR
    chars := TextRep.WideChars(t);
    wanted := TextRep.WideChars(pattern);
    at, p: CARDINAL := 0;
    star := -1;          (* the place behind the last *, and the position in t that belongs to it *)
    starAt: CARDINAL := 0;
  BEGIN
    WHILE at < NUMBER(chars^) DO
      IF p < NUMBER(wanted^) AND wanted[p] = W'*' THEN
        INC(p);
        star := p;
        starAt := at;
      ELSIF p < NUMBER(wanted^) AND MatchesOne(wanted^, p, chars[at]) THEN
        INC(at);
      ELSIF star >= 0 THEN
        (* Let that * stand for one more character. *)
        INC(starAt);
        at := starAt;
        p := star;
      ELSE
        RETURN FALSE;
      END;
    END;
    WHILE p < NUMBER(wanted^) AND wanted[p] = W'*' DO INC(p) END;
    RETURN p = NUMBER(wanted^);
  END PatternMatch;

(* Whether the pattern at pattern[p], which is not a *, matches ch; if so, moves p behind it. *)
PROCEDURE MatchesOne(READONLY pattern: ARRAY OF WIDECHAR; VAR p: CARDINAL; ch: WIDECHAR): BOOLEAN =
  VAR at := p;
  BEGIN
    IF pattern[at] = W'\\' AND at < LAST(pattern) THEN
      INC(at);
    ELSIF pattern[at] = W'?' THEN
      INC(p);
      RETURN TRUE;
    END;
    IF pattern[at] # ch THEN RETURN FALSE END;
    p := at + 1;
    RETURN TRUE;
  END MatchesOne;

BEGIN
END TextExtras.
