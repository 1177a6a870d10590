MODULE TextCat;

IMPORT TextClass, RuntimeError, TextRep;

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
    IF i >= t.length THEN RuntimeError.Raise(RuntimeError.T.SubscriptOutOfRange) END;
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

PROCEDURE Join(t, u: TEXT): TEXT =
  VAR ht := Height(t);  hu := Height(u);  flat: TEXT;  cat: T;
  BEGIN
    flat := TextRep.FlatIfShort(t, u);
    IF flat # NIL THEN RETURN flat END;
    IF hu = 0 AND ht > 0 THEN
      (* Text is often built by appending a little: let the last leaf grow. *)
      cat := t;
      flat := TextRep.FlatIfShort(cat.b, u);
      IF flat # NIL THEN RETURN Balance(cat.a, flat) END;
    END;
    IF ht > hu + 1 THEN
      cat := t;
      RETURN Balance(cat.a, Join(cat.b, u));
    ELSIF hu > ht + 1 THEN
      cat := u;
      RETURN Balance(Join(t, cat.a), cat.b);
    ELSE
      RETURN Node(t, u);
    END;
  END Join;

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

BEGIN
END TextCat.
