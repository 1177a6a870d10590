UNSAFE MODULE Regex;

IMPORT Fmt, LibPcre2, M3toC, Text, TextRep, Utf8, WeakRef, Word;
FROM Ctypes IMPORT char_star, int, unsigned_int;

REVEAL
  T = <*TRANSIENT*> BRANDED "Regex.T" REF RECORD
      code: ADDRESS := NIL;      (* PCRE2's, read only *)
      context: ADDRESS := NIL;   (* has the limit; read only *)
      groups: CARDINAL := 0;
      options := Options{};
      (* As many bytes as PCRE2 has allocated, so that the collector knows what it can free. *)
      weight: REF ARRAY OF CHAR := NIL;
    END;

TYPE
  Offsets = UNTRACED REF ARRAY [0 .. 16_FFFFF] OF INTEGER;
  Names = UNTRACED REF ARRAY [0 .. 16_FFFFFF] OF CHAR;

  (* A text as PCRE2 gets it. *)
  Subject = RECORD
      bytes: REF ARRAY OF CHAR;                (* and one more, so that there is an address *)
      length: CARDINAL;
      positions: REF ARRAY OF CARDINAL := NIL; (* of a text with wide characters, for each byte *)
      checked := FALSE;                        (* PCRE2 has found the bytes valid *)
    END;

PROCEDURE Compile(pattern: TEXT; options: Options; limit: CARDINAL): T RAISES {Error} =
  CONST Bits = ARRAY Option OF unsigned_int{LibPcre2.CASELESS, LibPcre2.MULTILINE, LibPcre2.DOTALL,
                                            LibPcre2.EXTENDED_, 0};
  VAR
    re := NEW(T, options := options);
    subject := SubjectOf(options, pattern);
    bits: Word.T := 0;
    error: int;
    at: INTEGER;
  BEGIN
    IF NOT Option.Bytes IN options THEN bits := LibPcre2.UTF + LibPcre2.UCP END;
    FOR o := FIRST(Option) TO LAST(Option) DO
      IF o IN options THEN bits := Word.Or(bits, Bits[o]) END;
    END;
    EVAL WeakRef.FromRef(re, Free);
    re.code := LibPcre2.compile(ADR(subject.bytes[0]), subject.length, bits, error, at, NIL);
    IF re.code = NIL THEN
      RAISE Error(Message(error) & " at position "
                  & Fmt.Int(PositionOf(subject, MAX(0, MIN(at, subject.length)))) & " of the pattern");
    END;
    (* Where there can be no machine code, matching is slower. *)
    EVAL LibPcre2.jit_compile(re.code, LibPcre2.JIT_COMPLETE);
    re.context := LibPcre2.match_context_create(NIL);
    <*ASSERT re.context # NIL WITH "Regex.Compile: no memory"*>
    EVAL LibPcre2.set_match_limit(re.context, MIN(limit, LAST(unsigned_int)));
    re.groups := Info32(re, LibPcre2.INFO_CAPTURECOUNT);
    re.weight := NEW(REF ARRAY OF CHAR,
                     InfoSize(re, LibPcre2.INFO_SIZE) + InfoSize(re, LibPcre2.INFO_JITSIZE));
    RETURN re;
  END Compile;

PROCEDURE Free(<*UNUSED*> READONLY w: WeakRef.T; r: REFANY) =
  VAR re: T := r;
  BEGIN
    LibPcre2.code_free(re.code);
    LibPcre2.match_context_free(re.context);
  END Free;

PROCEDURE Message(code: int): TEXT =
  VAR a: ARRAY [0 .. 255] OF CHAR;
  BEGIN
    EVAL LibPcre2.get_error_message(code, a);
    RETURN M3toC.CopyStoT(LOOPHOLE(ADR(a), char_star));
  END Message;

PROCEDURE Info32(re: T; what: unsigned_int): CARDINAL =
  VAR found: unsigned_int := 0;
  BEGIN
    EVAL LibPcre2.pattern_info(re.code, what, ADR(found));
    RETURN found;
  END Info32;

PROCEDURE InfoSize(re: T; what: unsigned_int): CARDINAL =
  VAR found: INTEGER := 0;
  BEGIN
    EVAL LibPcre2.pattern_info(re.code, what, ADR(found));
    RETURN found;
  END InfoSize;

(* --- Subjects *)

PROCEDURE SubjectOf(options: Options; t: TEXT): Subject RAISES {Error} =
  VAR subject: Subject;  wide := NOT TextRep.IsNarrow(t);
  BEGIN
    IF wide AND Option.Bytes IN options THEN
      RAISE Error("the text has wide characters, and the option is Bytes");
    END;
    IF wide THEN t := Utf8.FromWide(t) END;
    subject.length := Text.Length(t);
    subject.bytes := NEW(REF ARRAY OF CHAR, subject.length + 1);
    Text.SetChars(subject.bytes^, t);
    IF wide THEN Locate(subject) END;
    RETURN subject;
  END SubjectOf;

(* For each byte the position of its character: two of UTF-16 for four bytes, one for fewer. *)
PROCEDURE Locate(VAR subject: Subject) =
  VAR position: CARDINAL := 0;
  BEGIN
    subject.positions := NEW(REF ARRAY OF CARDINAL, subject.length + 1);
    FOR i := 0 TO subject.length - 1 DO
      WITH byte = ORD(subject.bytes[i]) DO
        subject.positions[i] := position;
        (* Counted at the last byte of a code point. *)
        IF i = subject.length - 1 OR Word.And(ORD(subject.bytes[i + 1]), 16_C0) # 16_80 THEN
          INC(position);
        ELSIF byte >= 16_F0 THEN
          INC(position);
        END;
      END;
    END;
    subject.positions[subject.length] := position;
  END Locate;

PROCEDURE PositionOf(READONLY subject: Subject; byte: INTEGER): INTEGER =
  BEGIN
    IF byte < 0 OR subject.positions = NIL THEN RETURN byte END;
    RETURN subject.positions[byte];
  END PositionOf;

(* The first byte at or behind a position. *)
PROCEDURE ByteOf(READONLY subject: Subject; position: CARDINAL): CARDINAL =
  VAR low: CARDINAL := 0;  high := subject.length + 1;
  BEGIN
    IF subject.positions = NIL THEN RETURN position END;
    WHILE low < high DO
      WITH middle = (low + high) DIV 2 DO
        IF subject.positions[middle] < position THEN low := middle + 1 ELSE high := middle END;
      END;
    END;
    RETURN low;
  END ByteOf;

(* The first match at or behind the byte `start`; NIL if there is none. *)
PROCEDURE Next(re: T; VAR subject: Subject; start: CARDINAL; options: Word.T): Match
  RAISES {Error} =
  VAR code := re.code;  data: ADDRESS;  count: int;  m: Match := NIL;
  BEGIN
    IF start > subject.length THEN RETURN NIL END;
    data := LibPcre2.match_data_create(code, NIL);
    <*ASSERT data # NIL WITH "Regex: no memory"*>
    TRY
      IF subject.checked THEN options := Word.Or(options, LibPcre2.NO_UTF_CHECK) END;
      count := LibPcre2.match(code, ADR(subject.bytes[0]), subject.length, start, options, data,
                              re.context);
      IF count = LibPcre2.ERROR_JIT_STACKLIMIT THEN
        (* The interpreter takes its memory from the heap. *)
        count := LibPcre2.match(code, ADR(subject.bytes[0]), subject.length, start,
                                Word.Or(options, LibPcre2.NO_JIT), data, re.context);
      END;
      IF count < LibPcre2.ERROR_NOMATCH THEN
        IF LibPcre2.ERROR_UTF8_LAST <= count AND count <= LibPcre2.ERROR_UTF8_FIRST THEN
          RAISE Error("the text is not UTF-8: " & Message(count) & ", at position "
                      & Fmt.Int(LibPcre2.get_startchar(data)));
        END;
        RAISE Error(Message(count));
      END;
      subject.checked := TRUE;
      IF count > 0 THEN
        m := NEW(Match, re.groups + 1);
        WITH offsets = LOOPHOLE(LibPcre2.get_ovector(data), Offsets) DO
          FOR i := 0 TO re.groups DO
            m[i] := Range{offsets[2 * i], offsets[2 * i + 1]};
          END;
        END;
      END;
    FINALLY
      LibPcre2.match_data_free(data);
      (* Until here `re` is in use, so that its clean-up does not free the code. *)
      <*ASSERT re.code = code*>
    END;
    RETURN m;
  END Next;

(* In place of bytes, the positions of the text. *)
PROCEDURE Positions(READONLY subject: Subject; m: Match): Match =
  BEGIN
    IF m # NIL AND subject.positions # NIL THEN
      FOR i := 0 TO LAST(m^) DO
        m[i] := Range{PositionOf(subject, m[i].start), PositionOf(subject, m[i].end)};
      END;
    END;
    RETURN m;
  END Positions;

(* --- Matching *)

PROCEDURE Matching(re: T; t: TEXT): BOOLEAN RAISES {Error} =
  VAR subject := SubjectOf(re.options, t);
  BEGIN
    RETURN Next(re, subject, 0, LibPcre2.ANCHORED + LibPcre2.ENDANCHORED) # NIL;
  END Matching;

PROCEDURE Find(re: T; t: TEXT; start: CARDINAL): Match RAISES {Error} =
  VAR subject := SubjectOf(re.options, t);
  BEGIN
    IF start > Text.Length(t) THEN RETURN NIL END;
    RETURN Positions(subject, Next(re, subject, ByteOf(subject, start), 0));
  END Find;

PROCEDURE FindAll(re: T; t: TEXT): Matches RAISES {Error} =
  BEGIN
    RETURN FindMost(re, t, LAST(CARDINAL));
  END FindAll;

PROCEDURE FindMost(re: T; t: TEXT; most: CARDINAL): Matches RAISES {Error} =
  VAR
    subject := SubjectOf(re.options, t);
    found := NEW(Matches, 8);
    n, at: CARDINAL := 0;
    options: Word.T := 0;
    m: Match;
  BEGIN
    WHILE n < most DO
      m := Next(re, subject, at, options);
      IF m = NIL THEN
        IF options = 0 THEN EXIT END;
        (* There is no other match where an empty one was. *)
        at := Behind(re, subject, at);
        options := 0;
        IF at > subject.length THEN EXIT END;
      ELSE
        IF n = NUMBER(found^) THEN
          WITH longer = NEW(Matches, 2 * n) DO
            SUBARRAY(longer^, 0, n) := found^;
            found := longer;
          END;
        END;
        found[n] := m;
        INC(n);
        (* \K in an assertion lets a match end before its start. *)
        at := MAX(at, m[0].end);
        IF m[0].end <= m[0].start THEN
          options := LibPcre2.NOTEMPTY_ATSTART + LibPcre2.ANCHORED;
        ELSE
          options := 0;
        END;
      END;
    END;
    WITH result = NEW(Matches, n) DO
      FOR i := 0 TO n - 1 DO result[i] := Positions(subject, found[i]) END;
      RETURN result;
    END;
  END FindMost;

(* The byte behind the character at a byte. *)
PROCEDURE Behind(re: T; READONLY subject: Subject; at: CARDINAL): CARDINAL =
  BEGIN
    INC(at);
    IF NOT Option.Bytes IN re.options THEN
      WHILE at < subject.length AND Word.And(ORD(subject.bytes[at]), 16_C0) = 16_80 DO INC(at) END;
    END;
    RETURN at;
  END Behind;

(* --- Groups *)

PROCEDURE Group(t: TEXT; m: Match; number: CARDINAL): TEXT =
  BEGIN
    WITH range = m[number] DO
      IF range.start < 0 THEN RETURN NIL END;
      RETURN Text.Sub(t, range.start, MAX(0, range.end - range.start));
    END;
  END Group;

PROCEDURE Named(re: T; t: TEXT; m: Match; name: TEXT): TEXT =
  VAR number := Number(re, name);
  BEGIN
    <*ASSERT number >= 0 WITH "Regex.Named: the pattern has no group with this name"*>
    RETURN Group(t, m, number);
  END Named;

PROCEDURE Groups(re: T): CARDINAL =
  BEGIN
    RETURN re.groups;
  END Groups;

PROCEDURE Number(re: T; name: TEXT): INTEGER =
  VAR
    count := Info32(re, LibPcre2.INFO_NAMECOUNT);
    size := Info32(re, LibPcre2.INFO_NAMEENTRYSIZE);
    table: ADDRESS := NIL;
  BEGIN
    EVAL LibPcre2.pattern_info(re.code, LibPcre2.INFO_NAMETABLE, ADR(table));
    FOR i := 0 TO count - 1 DO
      <*ASSERT re.code # NIL*>
      (* Two bytes of the number, the higher one first; the name; a zero. *)
      WITH entry = LOOPHOLE(table + i * size, Names) DO
        IF Text.Equal(M3toC.CopyStoT(LOOPHOLE(ADR(entry[2]), char_star)), name) THEN
          RETURN ORD(entry[0]) * 256 + ORD(entry[1]);
        END;
      END;
    END;
    RETURN -1;
  END Number;

(* --- Replacing, splitting *)

PROCEDURE Replace(re: T; t, by: TEXT; most: CARDINAL): TEXT RAISES {Error} =
  VAR
    matches := FindMost(re, t, most);
    parts := PartsOf(re, by);
    at: CARDINAL := 0;
    made := "";
  BEGIN
    IF NUMBER(matches^) = 0 THEN RETURN t END;
    FOR i := 0 TO LAST(matches^) DO
      WITH m = matches[i]^ DO
        IF m[0].start > at THEN made := made & Text.Sub(t, at, m[0].start - at) END;
        FOR p := 0 TO LAST(parts^) DO
          IF parts[p].text # NIL THEN
            made := made & parts[p].text;
          ELSIF m[parts[p].group].start >= 0 THEN
            made := made & Group(t, matches[i], parts[p].group);
          END;
        END;
        at := MAX(at, m[0].end);
      END;
    END;
    RETURN made & Text.Sub(t, at);
  END Replace;

TYPE
  (* Of a replacement: a text, or if that is NIL, a group. *)
  Part = RECORD
      text: TEXT := NIL;
      group: CARDINAL := 0;
    END;

PROCEDURE PartsOf(re: T; by: TEXT): REF ARRAY OF Part RAISES {Error} =
  VAR
    length := Text.Length(by);
    parts := NEW(REF ARRAY OF Part, length + 1);
    n, at: CARDINAL := 0;
    next: INTEGER;

  PROCEDURE Add(text: TEXT; group: CARDINAL := 0) RAISES {Error} =
    BEGIN
      IF text = NIL AND group > re.groups THEN
        RAISE Error("the replacement names group " & Fmt.Int(group) & ", and the pattern has "
                    & Fmt.Int(re.groups));
      END;
      parts[n] := Part{text, group};
      INC(n);
    END Add;

  BEGIN
    WHILE at < length DO
      next := Text.FindChar(by, '$', at);
      IF next < 0 THEN next := length END;
      IF next > at THEN Add(Text.Sub(by, at, next - at)) END;
      IF next = length THEN EXIT END;
      at := next + 1;
      next := at;
      WHILE next < length AND IsDigit(by, next) DO INC(next) END;
      IF next > at THEN
        Add(NIL, NumberIn(by, at, next));
        at := next;
      ELSIF at < length AND Text.GetWideChar(by, at) = W'$' THEN
        Add("$");
        INC(at);
      ELSIF at < length AND Text.GetWideChar(by, at) = W'{' THEN
        next := Text.FindChar(by, '}', at);
        IF next < 0 THEN RAISE Error("in the replacement, a ${ lacks its }") END;
        WITH name = Text.Sub(by, at + 1, next - at - 1), number = Number(re, name) DO
          IF number >= 0 THEN
            Add(NIL, number);
          ELSIF at + 1 < next AND AllDigits(name) THEN
            Add(NIL, NumberIn(by, at + 1, next));
          ELSE
            RAISE Error("the replacement names group " & name & ", which the pattern lacks");
          END;
        END;
        at := next + 1;
      ELSE
        RAISE Error("in the replacement, a $ is followed by neither a group nor another $");
      END;
    END;
    WITH result = NEW(REF ARRAY OF Part, n) DO
      result^ := SUBARRAY(parts^, 0, n);
      RETURN result;
    END;
  END PartsOf;

PROCEDURE IsDigit(t: TEXT; i: CARDINAL): BOOLEAN =
  VAR c := Text.GetWideChar(t, i);
  BEGIN
    RETURN W'0' <= c AND c <= W'9';
  END IsDigit;

PROCEDURE AllDigits(t: TEXT): BOOLEAN =
  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      IF NOT IsDigit(t, i) THEN RETURN FALSE END;
    END;
    RETURN TRUE;
  END AllDigits;

(* The number in the digits from .. to - 1; a large one if they are many. *)
PROCEDURE NumberIn(t: TEXT; from, to: CARDINAL): CARDINAL =
  VAR n: CARDINAL := 0;
  BEGIN
    FOR i := from TO to - 1 DO
      n := MIN(n * 10 + ORD(Text.GetWideChar(t, i)) - ORD('0'), LAST(CARDINAL) DIV 100);
    END;
    RETURN n;
  END NumberIn;

PROCEDURE Split(re: T; t: TEXT; most: CARDINAL): Texts RAISES {Error} =
  VAR
    matches: Matches;
    texts: Texts;
    n, at: CARDINAL := 0;
  BEGIN
    <*ASSERT most > 0 WITH "Regex.Split: into no texts"*>
    matches := FindAll(re, t);
    texts := NEW(Texts, NUMBER(matches^) + 1);
    FOR i := 0 TO LAST(matches^) DO
      IF n + 1 >= most THEN EXIT END;
      WITH range = matches[i][0] DO
        IF range.start < range.end OR (range.start > 0 AND range.start < Text.Length(t)) THEN
          texts[n] := Text.Sub(t, at, MAX(0, range.start - at));
          INC(n);
          at := MAX(at, range.end);
        END;
      END;
    END;
    texts[n] := Text.Sub(t, at);
    INC(n);
    WITH result = NEW(Texts, n) DO
      result^ := SUBARRAY(texts^, 0, n);
      RETURN result;
    END;
  END Split;

PROCEDURE Quote(t: TEXT): TEXT =
  VAR made := NEW(REF ARRAY OF WIDECHAR, 4 * Text.Length(t));  n: CARDINAL := 0;

  PROCEDURE Put(c: WIDECHAR) =
    BEGIN
      made[n] := c;
      INC(n);
    END Put;

  BEGIN
    FOR i := 0 TO Text.Length(t) - 1 DO
      WITH c = Text.GetWideChar(t, i) DO
        CASE c OF
        | W'\x0000' => Put('\\'); Put('x'); Put('0'); Put('0');
        | W'0' .. W'9', W'A' .. W'Z', W'a' .. W'z', W'_', W'\x0080' .. LAST(WIDECHAR) => Put(c);
        ELSE Put('\\'); Put(c);
        END;
      END;
    END;
    RETURN Text.FromWideChars(SUBARRAY(made^, 0, n));
  END Quote;

BEGIN
END Regex.
