UNSAFE MODULE TextSub;

IMPORT RTReport, TextCat, TextClass, TextRep;

CONST
  (* Copying this many characters costs about as much as making an object that avoids the copy. *)
  MaxCopy = 1024;

REVEAL
  T = Public BRANDED "TextSub.T" OBJECT
      base: TEXT;               (* not a T *)
      start, length: CARDINAL;  (* the part of base *)
    OVERRIDES
      get_info := GetInfo;
      get_char := GetChar;
      get_wide_char := GetWideChar;
      get_chars := GetChars;
      get_wide_chars := GetWideChars;
    END;

PROCEDURE New(t: TEXT; start, length: CARDINAL): TEXT =
  VAR info: TextClass.Info;
  BEGIN
    LOOP
      TextCat.Narrow(t, start, length);
      TYPECASE t OF
      | T (sub) => INC(start, sub.start); t := sub.base;
      ELSE EXIT;
      END;
    END;
    t.get_info(info);
    IF length = info.length THEN RETURN t END;
    IF length <= MaxCopy THEN RETURN TextRep.Copy(t, start, length) END;
    TYPECASE t OF
    | TextCat.T (cat) => RETURN TextCat.Part(cat, start, length);
    ELSE
    END;
    IF length < info.length DIV 2 THEN RETURN TextRep.Copy(t, start, length) END;
    RETURN NEW(T, base := t, start := start, length := length);
  END New;

PROCEDURE GetInfo(t: T; VAR i: TextClass.Info) =
  BEGIN
    t.base.get_info(i);
    i.length := t.length;
    IF i.start = NIL THEN RETURN END;
    IF i.wide THEN
      i.start := i.start + t.start * BYTESIZE(WIDECHAR);
    ELSE
      i.start := i.start + t.start;
    END;
  END GetInfo;

PROCEDURE GetChar(t: T; i: CARDINAL): CHAR =
  BEGIN
    IF i >= t.length THEN RTReport.RaiseSubscript(i, t.length) END;
    RETURN t.base.get_char(t.start + i);
  END GetChar;

PROCEDURE GetWideChar(t: T; i: CARDINAL): WIDECHAR =
  BEGIN
    IF i >= t.length THEN RTReport.RaiseSubscript(i, t.length) END;
    RETURN t.base.get_wide_char(t.start + i);
  END GetWideChar;

PROCEDURE GetChars(t: T; VAR a: ARRAY OF CHAR; start: CARDINAL) =
  BEGIN
    IF start >= t.length THEN RETURN END;
    t.base.get_chars(SUBARRAY(a, 0, MIN(NUMBER(a), t.length - start)), t.start + start);
  END GetChars;

PROCEDURE GetWideChars(t: T; VAR a: ARRAY OF WIDECHAR; start: CARDINAL) =
  BEGIN
    IF start >= t.length THEN RETURN END;
    t.base.get_wide_chars(SUBARRAY(a, 0, MIN(NUMBER(a), t.length - start)), t.start + start);
  END GetWideChars;

BEGIN
END TextSub.
