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
  VAR n := Text.Length(sub);  at: INTEGER := index;  ti, si: TextClass.Info;
  BEGIN
    IF at > Text.Length(t) - n THEN RETURN Found(t, -1, index) END;
    IF n = 0 THEN RETURN Found(t, at, index) END;
    t.get_info(ti);
    sub.get_info(si);
    IF ti.wide OR si.wide THEN RETURN Found(t, FindWide(t, sub, at), index) END;
    IF ti.start = NIL OR si.start = NIL THEN RETURN Found(t, FindInPieces(t, sub, at), index) END;
    at := RTMemory.Search(ti.start + at, ti.length - at, si.start, n);
    IF at >= 0 THEN INC(at, index) END;
    RETURN Found(t, at, index);
  END FindSub;

(* The position of the first `sub` at or after `at`, or -1. Copies t piece by piece; two pieces
   share the characters with which an occurrence may begin that the first of them does not end. *)
PROCEDURE FindInPieces(t, sub: T; at: CARDINAL): INTEGER =
  CONST Piece = 1024;
  VAR wanted := TextRep.Chars(sub);  n := NUMBER(wanted^);  rest := Text.Length(t) - at;
      piece := NEW(REF ARRAY OF CHAR, MIN(rest, MAX(Piece, 2 * n)));  found: INTEGER;
  BEGIN
    WHILE rest >= n DO
      WITH count = MIN(rest, NUMBER(piece^)) DO
        t.get_chars(SUBARRAY(piece^, 0, count), at);
        found := RTMemory.Search(ADR(piece[0]), count, ADR(wanted[0]), n);
        IF found >= 0 THEN RETURN at + found END;
        INC(at, count - n + 1);
        DEC(rest, count - n + 1);
      END;
    END;
    RETURN -1;
  END FindInPieces;

(* The same for texts with wide characters (Knuth, Morris & Pratt 1977). *)
PROCEDURE FindWide(t, sub: T; at: CARDINAL): INTEGER =
  VAR
    wanted := NEW(REF ARRAY OF WIDECHAR, Text.Length(sub));
    (* border[i]: the length of the longest proper prefix of `wanted` that ends its first i + 1
       characters. *)
    border := NEW(REF ARRAY OF CARDINAL, NUMBER(wanted^));
    matched: CARDINAL := 0;
    piece: ARRAY [0..255] OF WIDECHAR;
    rest := Text.Length(t) - at;

  PROCEDURE Advance(ch: WIDECHAR) =
    BEGIN
      WHILE matched > 0 AND wanted[matched] # ch DO matched := border[matched - 1] END;
      IF wanted[matched] = ch THEN INC(matched) END;
    END Advance;

  BEGIN
    Text.SetWideChars(wanted^, sub);
    border[0] := 0;
    FOR i := 1 TO LAST(wanted^) DO
      Advance(wanted[i]);
      border[i] := matched;
    END;
    matched := 0;
    WHILE rest > 0 DO
      WITH count = MIN(rest, NUMBER(piece)) DO
        Text.SetWideChars(SUBARRAY(piece, 0, count), t, at);
        FOR i := 0 TO count - 1 DO
          Advance(piece[i]);
          IF matched = NUMBER(wanted^) THEN RETURN at + i + 1 - matched END;
        END;
        INC(at, count);
        DEC(rest, count);
      END;
    END;
    RETURN -1;
  END FindWide;

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
    star := -1;  (* the place behind the last *, and the position in t that belongs to it *)
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
