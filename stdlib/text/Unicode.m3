UNSAFE MODULE Unicode;

IMPORT LibUtf8proc, M3toC, Text, Utf8;
FROM Ctypes IMPORT int;

CONST
  CodeBytes = BYTESIZE(int);

TYPE
  CaseProc = PROCEDURE (c: int): int;

PROCEDURE Normalize(t: TEXT; form: Form): TEXT RAISES {Utf8.Error} =
  CONST Options = ARRAY Form OF int{
    LibUtf8proc.COMPOSE, LibUtf8proc.DECOMPOSE, LibUtf8proc.COMPOSE + LibUtf8proc.COMPAT,
    LibUtf8proc.DECOMPOSE + LibUtf8proc.COMPAT};
  BEGIN
    RETURN Mapped(t, Options[form] + LibUtf8proc.STABLE);
  END Normalize;

PROCEDURE Fold(t: TEXT): TEXT RAISES {Utf8.Error} =
  BEGIN
    RETURN Mapped(t, LibUtf8proc.CASEFOLD);
  END Fold;

PROCEDURE Mapped(t: TEXT; options: int): TEXT RAISES {Utf8.Error} =
  VAR
    length := Text.Length(t);
    bytes := NEW(REF ARRAY OF CHAR, length + 1);
    codes := NEW(REF ARRAY OF int, length + 1);
    count: INTEGER;
  BEGIN
    Check(t);
    Text.SetChars(bytes^, t);
    LOOP
      count := LibUtf8proc.decompose(ADR(bytes[0]), length, ADR(codes[0]), LAST(codes^), options);
      IF count <= LAST(codes^) THEN EXIT END;
      codes := NEW(REF ARRAY OF int, count + 1);
    END;
    IF count >= 0 THEN count := LibUtf8proc.reencode(ADR(codes[0]), count, options) END;
    <*ASSERT count >= 0 WITH "Unicode: " & M3toC.CopyStoT(LibUtf8proc.errmsg(count))*>
    <*ASSERT count <= NUMBER(codes^) * CodeBytes*>
    WITH made = NEW(REF ARRAY OF CHAR, count) DO
      FOR i := 0 TO count - 1 DO made[i] := LOOPHOLE(ADR(codes[0]) + i, UNTRACED REF CHAR)^ END;
      RETURN Text.FromChars(made^);
    END;
  END Mapped;

PROCEDURE Check(t: TEXT) RAISES {Utf8.Error} =
  VAR bad := Utf8.FirstInvalid(t);
  BEGIN
    IF bad >= 0 THEN RAISE Utf8.Error(bad) END;
  END Check;

(* --- Case *)

PROCEDURE ToUpper(t: TEXT): TEXT RAISES {Utf8.Error} =
  BEGIN
    RETURN Each(t, LibUtf8proc.toupper);
  END ToUpper;

PROCEDURE ToLower(t: TEXT): TEXT RAISES {Utf8.Error} =
  BEGIN
    RETURN Each(t, LibUtf8proc.tolower);
  END ToLower;

PROCEDURE Each(t: TEXT; proc: CaseProc): TEXT RAISES {Utf8.Error} =
  VAR codes := Utf8.Decoded(t);
  BEGIN
    FOR i := 0 TO LAST(codes^) DO codes[i] := proc(codes[i]) END;
    RETURN Utf8.Encode(codes^);
  END Each;

PROCEDURE Upper(c: CodePoint): CodePoint =
  BEGIN
    RETURN LibUtf8proc.toupper(c);
  END Upper;

PROCEDURE Lower(c: CodePoint): CodePoint =
  BEGIN
    RETURN LibUtf8proc.tolower(c);
  END Lower;

PROCEDURE Title(c: CodePoint): CodePoint =
  BEGIN
    RETURN LibUtf8proc.totitle(c);
  END Title;

(* --- Characters *)

PROCEDURE Graphemes(t: TEXT): Texts RAISES {Utf8.Error} =
  VAR
    codes := Utf8.Decoded(t);
    found := NEW(Texts, NUMBER(codes^));
    begin, at, n: CARDINAL := 0;
    state: int := 0;
  BEGIN
    FOR i := 0 TO LAST(codes^) DO
      EVAL Utf8.Decode(t, at);
      IF i = LAST(codes^) OR LibUtf8proc.grapheme_break(codes[i], codes[i + 1], state) # 0 THEN
        found[n] := Text.Sub(t, begin, at - begin);
        INC(n);
        begin := at;
      END;
    END;
    WITH result = NEW(Texts, n) DO
      result^ := SUBARRAY(found^, 0, n);
      RETURN result;
    END;
  END Graphemes;

PROCEDURE Width(t: TEXT): CARDINAL RAISES {Utf8.Error} =
  VAR codes := Utf8.Decoded(t);  width: CARDINAL := 0;
  BEGIN
    FOR i := 0 TO LAST(codes^) DO INC(width, WidthOf(codes[i])) END;
    RETURN width;
  END Width;

PROCEDURE WidthOf(c: CodePoint): CARDINAL =
  BEGIN
    RETURN MAX(0, LibUtf8proc.charwidth(c));
  END WidthOf;

PROCEDURE CategoryOf(c: CodePoint): Category =
  BEGIN
    RETURN VAL(LibUtf8proc.category(c), Category);
  END CategoryOf;

PROCEDURE Version(): TEXT =
  BEGIN
    RETURN M3toC.CopyStoT(LibUtf8proc.unicode_version());
  END Version;

BEGIN
END Unicode.
