UNSAFE MODULE TextCat;

IMPORT RTMemory, RTReport, TextBuffer, TextClass, TextFlat, TextRep, TextSub;

REVEAL
  T = Public BRANDED "TextCat.T" OBJECT
      a, b: TEXT;            (* neither is empty *)
      aLength: CARDINAL;     (* of a *)
      length: CARDINAL;      (* of a and b together *)
      height: CARDINAL;      (* 1 + that of the higher child; other texts have height 0 *)
      wide: BOOLEAN;         (* a or b is *)
    OVERRIDES
      get_info := GetInfo;
      get_char := GetChar;
      get_wide_char := GetWideChar;
      get_chars := GetChars;
      get_wide_chars := GetWideChars;
    END;

PROCEDURE GetInfo(t: T; VAR i: TextClass.Info) =
  BEGIN
    i.start := NIL;
    i.length := t.length;
    i.wide := t.wide;
  END GetInfo;

(* The leaf at position i of t, and the position in it. *)
PROCEDURE Leaf(t: T; VAR i: CARDINAL): TEXT =
  VAR child: TEXT;
  BEGIN
    IF i >= t.length THEN RTReport.RaiseSubscript(i, t.length) END;
    LOOP
      IF i < t.aLength THEN child := t.a ELSE DEC(i, t.aLength); child := t.b END;
      TYPECASE child OF
      | T (cat) => t := cat;
      ELSE RETURN child;
      END;
    END;
  END Leaf;

PROCEDURE GetChar(t: T; i: CARDINAL): CHAR =
  VAR leaf: TEXT;
  BEGIN
    leaf := Leaf(t, i);
    RETURN leaf.get_char(i);
  END GetChar;

PROCEDURE GetWideChar(t: T; i: CARDINAL): WIDECHAR =
  VAR leaf: TEXT;
  BEGIN
    leaf := Leaf(t, i);
    RETURN leaf.get_wide_char(i);
  END GetWideChar;

PROCEDURE GetChars(t: T; VAR a: ARRAY OF CHAR; start: CARDINAL) =
  VAR n: CARDINAL;
  BEGIN
    IF start >= t.aLength THEN t.b.get_chars(a, start - t.aLength); RETURN END;
    t.a.get_chars(a, start);
    n := t.aLength - start;
    IF n < NUMBER(a) THEN t.b.get_chars(SUBARRAY(a, n, NUMBER(a) - n), 0) END;
  END GetChars;

PROCEDURE GetWideChars(t: T; VAR a: ARRAY OF WIDECHAR; start: CARDINAL) =
  VAR n: CARDINAL;
  BEGIN
    IF start >= t.aLength THEN t.b.get_wide_chars(a, start - t.aLength); RETURN END;
    t.a.get_wide_chars(a, start);
    n := t.aLength - start;
    IF n < NUMBER(a) THEN t.b.get_wide_chars(SUBARRAY(a, n, NUMBER(a) - n), 0) END;
  END GetWideChars;

PROCEDURE Height(t: TEXT): CARDINAL =
  BEGIN
    TYPECASE t OF
    | T (cat) => RETURN cat.height;
    ELSE RETURN 0;
    END;
  END Height;

PROCEDURE Node(a, b: TEXT): T =
  VAR ai, bi: TextClass.Info;
  BEGIN
    a.get_info(ai);
    b.get_info(bi);
    RETURN NEW(T, a := a, b := b, aLength := ai.length, length := ai.length + bi.length,
               height := 1 + MAX(Height(a), Height(b)), wide := ai.wide OR bi.wide);
  END Node;

(* A node of a and b, whose heights differ by at most 2, rotated so that it is balanced as in an
   AVL tree. *)
PROCEDURE Balance(a, b: TEXT): T =
  VAR ha := Height(a);  hb := Height(b);  ta, tb, inner: T;
  BEGIN
    IF ha > hb + 1 THEN
      ta := a;
      IF Height(ta.a) >= Height(ta.b) THEN RETURN Node(ta.a, Node(ta.b, b)) END;
      inner := ta.b;
      RETURN Node(Node(ta.a, inner.a), Node(inner.b, b));
    ELSIF hb > ha + 1 THEN
      tb := b;
      IF Height(tb.b) >= Height(tb.a) THEN RETURN Node(Node(a, tb.a), tb.b) END;
      inner := tb.a;
      RETURN Node(Node(a, inner.a), Node(inner.b, tb.b));
    ELSE
      RETURN Node(a, b);
    END;
  END Balance;

(* Texts are often built by appending small pieces. So the top of a tree may have a flat text at
   its right that is lower than balance allows; it grows to TailMax characters before it is put
   at its balanced place. Below the top the tree is balanced. At the second append, a text of
   moderate length gets spare room for later ones (TextBuffer). *)
CONST
  TailMax = 256;

PROCEDURE Join(t, u: TEXT): TEXT =
  VAR flat: TEXT;  cat: T;  ti, ui: TextClass.Info;
  BEGIN
    t.get_info(ti);
    u.get_info(ui);
    IF ti.length = 0 THEN RETURN u END;
    IF ui.length = 0 THEN RETURN t END;
    flat := TextRep.FlatIfShort(t, u);
    IF flat # NIL THEN RETURN flat END;
    IF Height(t) = 0 OR Height(u) > 0 THEN RETURN JoinBalanced(Balanced(t), Balanced(u)) END;
    cat := t;
    flat := WithRoom(cat, u);
    IF flat # NIL THEN RETURN flat END;
    flat := FlatTail(cat.b, u);
    IF flat # NIL THEN
      RETURN NEW(T, a := cat.a, b := flat, aLength := cat.aLength,
                 length := cat.aLength + TextFlat.Length(flat), height := cat.height,
                 wide := cat.wide);
    END;
    RETURN Node(Balanced(cat), u);
  END Join;

(* t & u with spare room behind. NIL if they are too long or have wide characters, or if t's last
   piece is not flat or is longer than the part before it, so that t does not grow by small
   pieces. *)
PROCEDURE WithRoom(t: T; u: TEXT): TEXT =
  VAR bi, ui: TextClass.Info;  chars: ARRAY [0..TextBuffer.MaxCopied - 1] OF CHAR;
  BEGIN
    t.b.get_info(bi);
    u.get_info(ui);
    IF t.wide OR ui.wide OR bi.start = NIL OR ui.start = NIL OR bi.length > t.aLength
         OR t.length + ui.length > TextBuffer.MaxCopied THEN
      RETURN NIL;
    END;
    t.get_chars(SUBARRAY(chars, 0, t.length), 0);
    RETURN TextBuffer.New(ADR(chars[0]), t.length, ui.start, ui.length);
  END WithRoom;

(* t & u as a flat text; NIL if one of them is not flat, or has wide characters, or both are longer
   than TailMax. *)
PROCEDURE FlatTail(t, u: TEXT): TEXT =
  VAR ti, ui: TextClass.Info;  flat: TEXT;
  BEGIN
    t.get_info(ti);
    u.get_info(ui);
    IF ti.start = NIL OR ui.start = NIL OR ti.wide OR ui.wide
         OR ti.length + ui.length > TailMax THEN
      RETURN NIL;
    END;
    flat := TextFlat.New8(ti.length + ui.length);
    WITH chars = LOOPHOLE(flat, ADDRESS) + TextFlat.Header DO
      RTMemory.Move(chars, ti.start, ti.length);
      RTMemory.Move(chars + ti.length, ui.start, ui.length);
    END;
    RETURN flat;
  END FlatTail;

(* The same text, balanced at the top, too. *)
PROCEDURE Balanced(t: TEXT): TEXT =
  BEGIN
    TYPECASE t OF
    | T (cat) =>
      IF cat.height > Height(cat.b) + 2 THEN RETURN JoinBalanced(cat.a, cat.b) END;
    ELSE
    END;
    RETURN t;
  END Balanced;

PROCEDURE JoinBalanced(t, u: TEXT): TEXT =
  VAR ht := Height(t);  hu := Height(u);  flat := TextRep.FlatIfShort(t, u);  cat: T;
  BEGIN
    IF flat # NIL THEN RETURN flat END;
    IF ht > hu + 1 THEN
      cat := t;
      RETURN Balance(cat.a, JoinBalanced(cat.b, u));
    ELSIF hu > ht + 1 THEN
      cat := u;
      RETURN Balance(JoinBalanced(t, cat.a), cat.b);
    ELSE
      RETURN Node(t, u);
    END;
  END JoinBalanced;

PROCEDURE Narrow(VAR t: TEXT; VAR start: CARDINAL; length: CARDINAL) =
  BEGIN
    LOOP
      TYPECASE t OF
      | T (cat) =>
        IF start >= cat.aLength THEN
          DEC(start, cat.aLength);
          t := cat.b;
        ELSIF length <= cat.aLength - start THEN
          t := cat.a;
        ELSE
          RETURN;
        END;
      ELSE
        RETURN;
      END;
    END;
  END Narrow;

PROCEDURE Part(t: T; start, length: CARDINAL): TEXT =
  VAR first := t.aLength - start;
  BEGIN
    RETURN JoinBalanced(TextSub.New(t.a, start, first), TextSub.New(t.b, 0, length - first));
  END Part;

BEGIN
END TextCat.
