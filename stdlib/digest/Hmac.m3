MODULE Hmac;

IMPORT Hash, Text, Word;

REVEAL
  T = Public BRANDED "Hmac.T" OBJECT
      kind := Hash.Kind.SHA256;
      inner, outer: Hash.T := NIL;
    OVERRIDES
      init := Init;
      put := Put;
      putChars := PutChars;
      result := Result;
    END;

CONST
  (* The bytes of a block of each hash. *)
  Block = ARRAY Hash.Kind OF [64 .. 144]{64, 64, 64, 128, 128, 128, 144, 136, 104, 72, 128, 64};

PROCEDURE Init(h: T; kind: Hash.Kind; key: TEXT): T RAISES {Hash.Error} =
  VAR padded := ARRAY [0 .. 143] OF CHAR{'\000', ..};

  (* A hash that has got the padded key, with each byte changed by `pad`. *)
  PROCEDURE Begin(pad: Word.T): Hash.T RAISES {Hash.Error} =
    VAR changed: ARRAY [0 .. 143] OF CHAR;  new := NEW(Hash.T).init(kind);
    BEGIN
      FOR i := 0 TO LAST(padded) DO changed[i] := VAL(Word.Xor(ORD(padded[i]), pad), CHAR) END;
      new.putChars(SUBARRAY(changed, 0, Block[kind]));
      RETURN new;
    END Begin;

  BEGIN
    IF Text.Length(key) > Block[kind] THEN key := Hash.OfText(kind, key) END;
    Text.SetChars(padded, key);
    h.kind := kind;
    h.inner := Begin(16_36);
    h.outer := Begin(16_5C);
    RETURN h;
  END Init;

PROCEDURE Put(h: T; t: TEXT) RAISES {Hash.Error} =
  BEGIN
    h.inner.put(t);
  END Put;

PROCEDURE PutChars(h: T; READONLY a: ARRAY OF CHAR) RAISES {Hash.Error} =
  BEGIN
    h.inner.putChars(a);
  END PutChars;

PROCEDURE Result(h: T): TEXT RAISES {Hash.Error} =
  BEGIN
    h.outer.put(h.inner.result());
    RETURN h.outer.result();
  END Result;

PROCEDURE OfText(kind: Hash.Kind; key, t: TEXT): TEXT RAISES {Hash.Error} =
  VAR h := NEW(T).init(kind, key);
  BEGIN
    h.put(t);
    RETURN h.result();
  END OfText;

BEGIN
END Hmac.
