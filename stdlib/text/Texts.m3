MODULE Texts;

IMPORT ASCII, Text, TextExtras, TextRep;

TYPE
  (* Texts that are collected: the first `count` of `texts`. *)
  Collected = RECORD
    texts: Array := NIL;
    count: CARDINAL := 0;
  END;

PROCEDURE Add(VAR all: Collected; t: TEXT) =
  VAR longer: Array;
  BEGIN
    IF all.texts = NIL THEN all.texts := NEW(Array, 8) END;
    IF all.count = NUMBER(all.texts^) THEN
      longer := NEW(Array, 2 * all.count);
      SUBARRAY(longer^, 0, all.count) := all.texts^;
      all.texts := longer;
    END;
    all.texts[all.count] := t;
    INC(all.count);
  END Add;

PROCEDURE Taken(READONLY all: Collected): Array =
  VAR result := NEW(Array, all.count);
  BEGIN
    IF all.count > 0 THEN result^ := SUBARRAY(all.texts^, 0, all.count) END;
    RETURN result;
  END Taken;

PROCEDURE Split(t, separator: TEXT; most: CARDINAL := LAST(CARDINAL)): Array =
  VAR all: Collected;  start: CARDINAL := 0;  end: INTEGER;
  BEGIN
    <*ASSERT NOT Text.Empty(separator), "the separator is empty"*>
    <*ASSERT most > 0, "Texts.Split cannot make 0 pieces"*>
    WHILE all.count < most - 1 DO
      end := Find(t, separator, start);
      IF end < 0 THEN EXIT END;
      Add(all, Text.Sub(t, start, end - start));
      start := end + Text.Length(separator);
    END;
    Add(all, Text.Sub(t, start));
    RETURN Taken(all);
  END Split;

<*INLINE*>
PROCEDURE IsIn(t: TEXT; i: CARDINAL; READONLY set: SET OF CHAR): BOOLEAN =
  VAR code := ORD(Text.GetWideChar(t, i));
  BEGIN
    RETURN code <= ORD(LAST(CHAR)) AND VAL(code, CHAR) IN set;
  END IsIn;

PROCEDURE Words(t: TEXT; READONLY blanks := Blanks): Array =
  VAR all: Collected;  n := Text.Length(t);  start, end: CARDINAL := 0;
  BEGIN
    LOOP
      start := end;
      WHILE start < n AND IsIn(t, start, blanks) DO INC(start) END;
      IF start = n THEN RETURN Taken(all) END;
      end := start;
      WHILE end < n AND NOT IsIn(t, end, blanks) DO INC(end) END;
      Add(all, Text.Sub(t, start, end - start));
    END;
  END Words;

PROCEDURE Lines(t: TEXT): Array =
  VAR all: Collected;  n := Text.Length(t);  start: CARDINAL := 0;  end, next: INTEGER;
  BEGIN
    WHILE start < n DO
      end := Text.FindChar(t, '\n', start);
      IF end < 0 THEN end := n END;
      next := end + 1;
      IF end < n AND end > start AND Text.GetWideChar(t, end - 1) = W'\r' THEN DEC(end) END;
      Add(all, Text.Sub(t, start, end - start));
      start := next;
    END;
    RETURN Taken(all);
  END Lines;

PROCEDURE Join(READONLY parts: ARRAY OF TEXT; separator := ""): TEXT =
  VAR result := "";
  BEGIN
    FOR i := 0 TO LAST(parts) DO
      IF i > 0 THEN result := result & separator END;
      result := result & parts[i];
    END;
    RETURN result;
  END Join;

(* By doubling, so that the result is a tree with few nodes. *)
PROCEDURE Repeat(t: TEXT; n: CARDINAL): TEXT =
  VAR half: TEXT;
  BEGIN
    IF n = 0 THEN RETURN "" END;
    IF n = 1 THEN RETURN t END;
    half := Repeat(t, n DIV 2);
    IF n MOD 2 = 0 THEN RETURN half & half END;
    RETURN half & half & t;
  END Repeat;

PROCEDURE Trim(t: TEXT; READONLY blanks := Blanks): TEXT =
  BEGIN
    RETURN TrimLeft(TrimRight(t, blanks), blanks);
  END Trim;

PROCEDURE TrimLeft(t: TEXT; READONLY blanks := Blanks): TEXT =
  VAR n := Text.Length(t);  start: CARDINAL := 0;
  BEGIN
    WHILE start < n AND IsIn(t, start, blanks) DO INC(start) END;
    RETURN Text.Sub(t, start);
  END TrimLeft;

PROCEDURE TrimRight(t: TEXT; READONLY blanks := Blanks): TEXT =
  VAR end := Text.Length(t);
  BEGIN
    WHILE end > 0 AND IsIn(t, end - 1, blanks) DO DEC(end) END;
    RETURN Text.Sub(t, 0, end);
  END TrimRight;

(* t with each character of ASCII replaced as `map` says. *)
PROCEDURE Mapped(t: TEXT; READONLY map: ARRAY ASCII.Range OF ASCII.Range): TEXT =
  VAR chars: REF ARRAY OF CHAR;  wide: REF ARRAY OF WIDECHAR;
  BEGIN
    IF Text.HasWideChars(t) THEN
      wide := TextRep.WideChars(t);
      FOR i := 0 TO LAST(wide^) DO
        IF ORD(wide[i]) < 128 THEN wide[i] := VAL(ORD(map[VAL(ORD(wide[i]), CHAR)]), WIDECHAR) END;
      END;
      RETURN Text.FromWideChars(wide^);
    END;
    chars := TextRep.Chars(t);
    FOR i := 0 TO LAST(chars^) DO chars[i] := map[chars[i]] END;
    RETURN Text.FromChars(chars^);
  END Mapped;

PROCEDURE Lower(t: TEXT): TEXT =
  BEGIN
    RETURN Mapped(t, ASCII.Lower);
  END Lower;

PROCEDURE Upper(t: TEXT): TEXT =
  BEGIN
    RETURN Mapped(t, ASCII.Upper);
  END Upper;

PROCEDURE Contains(t, part: TEXT): BOOLEAN =
  BEGIN
    RETURN Find(t, part) >= 0;
  END Contains;

PROCEDURE StartsWith(t, prefix: TEXT): BOOLEAN =
  VAR n := Text.Length(prefix);
  BEGIN
    RETURN n <= Text.Length(t) AND Text.Equal(Text.Sub(t, 0, n), prefix);
  END StartsWith;

PROCEDURE EndsWith(t, suffix: TEXT): BOOLEAN =
  VAR n := Text.Length(suffix);
  BEGIN
    RETURN n <= Text.Length(t) AND Text.Equal(Text.Sub(t, Text.Length(t) - n), suffix);
  END EndsWith;

PROCEDURE WithoutPrefix(t, prefix: TEXT): TEXT =
  BEGIN
    IF StartsWith(t, prefix) THEN RETURN Text.Sub(t, Text.Length(prefix)) END;
    RETURN t;
  END WithoutPrefix;

PROCEDURE WithoutSuffix(t, suffix: TEXT): TEXT =
  BEGIN
    IF EndsWith(t, suffix) THEN RETURN Text.Sub(t, 0, Text.Length(t) - Text.Length(suffix)) END;
    RETURN t;
  END WithoutSuffix;

PROCEDURE Find(t, part: TEXT; start: CARDINAL := 0): INTEGER =
  BEGIN
    IF TextExtras.FindSub(t, part, start) THEN RETURN start END;
    RETURN -1;
  END Find;

PROCEDURE FindLast(t, part: TEXT): INTEGER =
  VAR n := Text.Length(part);
  BEGIN
    FOR at := Text.Length(t) - n TO 0 BY -1 DO
      IF n = 0 OR Text.GetWideChar(t, at) = Text.GetWideChar(part, 0) AND Text.Equal(Text.Sub(t, at, n), part) THEN
        RETURN at;
      END;
    END;
    RETURN -1;
  END FindLast;

PROCEDURE Count(t, part: TEXT): CARDINAL =
  VAR count, start: CARDINAL := 0;  at: INTEGER;
  BEGIN
    <*ASSERT NOT Text.Empty(part), "the part is empty"*>
    LOOP
      at := Find(t, part, start);
      IF at < 0 THEN RETURN count END;
      INC(count);
      start := at + Text.Length(part);
    END;
  END Count;

PROCEDURE Before(t, separator: TEXT): TEXT =
  VAR at := Find(t, separator);
  BEGIN
    IF at < 0 THEN RETURN t END;
    RETURN Text.Sub(t, 0, at);
  END Before;

PROCEDURE After(t, separator: TEXT): TEXT =
  VAR at := Find(t, separator);
  BEGIN
    IF at < 0 THEN RETURN "" END;
    RETURN Text.Sub(t, at + Text.Length(separator));
  END After;

PROCEDURE Replace(t, old, new: TEXT; most: CARDINAL := LAST(CARDINAL)): TEXT =
  VAR result := "";  start: CARDINAL := 0;  at: INTEGER;
  BEGIN
    <*ASSERT NOT Text.Empty(old), "the text to be replaced is empty"*>
    WHILE most > 0 DO
      at := Find(t, old, start);
      IF at < 0 THEN EXIT END;
      result := result & Text.Sub(t, start, at - start) & new;
      start := at + Text.Length(old);
      DEC(most);
    END;
    IF start = 0 THEN RETURN t END;
    RETURN result & Text.Sub(t, start);
  END Replace;

(* The `fill` that t lacks of the width. *)
PROCEDURE Missing(t: TEXT; width: CARDINAL; fill: CHAR): TEXT =
  BEGIN
    RETURN Repeat(Text.FromChar(fill), MAX(width - Text.Length(t), 0));
  END Missing;

PROCEDURE PadLeft(t: TEXT; width: CARDINAL; fill := ' '): TEXT =
  BEGIN
    RETURN Missing(t, width, fill) & t;
  END PadLeft;

PROCEDURE PadRight(t: TEXT; width: CARDINAL; fill := ' '): TEXT =
  BEGIN
    RETURN t & Missing(t, width, fill);
  END PadRight;

PROCEDURE Center(t: TEXT; width: CARDINAL; fill := ' '): TEXT =
  VAR n := Text.Length(t);
  BEGIN
    RETURN PadRight(PadLeft(t, n + MAX(width - n, 0) DIV 2, fill), width, fill);
  END Center;

PROCEDURE Columns(READONLY rows: ARRAY OF Array; aligns := ""; gap := "  "): TEXT =
  VAR result := "";  line: TEXT;  most: CARDINAL := 0;  widths: REF ARRAY OF CARDINAL;

  PROCEDURE Cell(row: Array; i: CARDINAL): TEXT =
    BEGIN
      IF row[i] = NIL THEN RETURN "" END;
      RETURN row[i];
    END Cell;

  BEGIN
    FOR i := 0 TO LAST(rows) DO most := MAX(most, NUMBER(rows[i]^)) END;
    widths := NEW(REF ARRAY OF CARDINAL, most);
    FOR i := 0 TO LAST(rows) DO
      FOR k := 0 TO LAST(rows[i]^) DO widths[k] := MAX(widths[k], Text.Length(Cell(rows[i], k))) END;
    END;
    FOR i := 0 TO LAST(rows) DO
      line := "";
      FOR k := 0 TO LAST(rows[i]^) DO
        IF k > 0 THEN line := line & gap END;
        WITH cell = Cell(rows[i], k) DO
          IF k < Text.Length(aligns) AND Text.GetChar(aligns, k) = '>' THEN
            line := line & PadLeft(cell, widths[k]);
          ELSIF k < Text.Length(aligns) AND Text.GetChar(aligns, k) = '^' THEN
            line := line & Center(cell, widths[k]);
          ELSE
            line := line & PadRight(cell, widths[k]);
          END;
        END;
      END;
      result := result & TrimRight(line, SET OF CHAR{' '}) & "\n";
    END;
    RETURN result;
  END Columns;

BEGIN
END Texts.
