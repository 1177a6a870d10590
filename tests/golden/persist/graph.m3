(* golden: persist, with lib/Store, lib/Check *)
(* All sorts of data are restored: cycles, shared objects, methods, arrays, texts, sets; its
   source is as without a database (language.md 27.5). *)
MODULE Main;

IMPORT Check, Database, IO, Store, Text, Transaction;

<*FATAL ANY*>

TYPE
  Color = {red, green, blue};

  Shape = OBJECT
    name: TEXT;
    next: Shape;  (* a ring *)
  METHODS
    area(): INTEGER := NIL;
  END;

  Square = Shape OBJECT side: INTEGER OVERRIDES area := SquareArea END;
  Rectangle = Shape OBJECT width, height: INTEGER OVERRIDES area := RectangleArea END;

  Small = RECORD a: [0..255]; b: CHAR; c: BOOLEAN; d: Color; link: REFANY END;

  Root = REF RECORD
    ring: Shape;
    matrix: REF ARRAY OF ARRAY OF LONGREAL;
    smalls: ARRAY [0..2] OF Small;
    open: REF ARRAY OF Small;
    colors: SET OF Color;
    chars: SET OF CHAR;
    empty: REF ARRAY OF INTEGER;
    nothing: REFANY;
    wide: TEXT;
    real: REAL;
    self: Root;
    any: REFANY;
    refs: REF ARRAY OF REFANY;
    long: TEXT;
  END;

PROCEDURE SquareArea(s: Square): INTEGER =
  BEGIN
    RETURN s.side * s.side;
  END SquareArea;

PROCEDURE RectangleArea(r: Rectangle): INTEGER =
  BEGIN
    RETURN r.width * r.height;
  END RectangleArea;

PROCEDURE Long(): TEXT =
  VAR t := "";
  BEGIN
    FOR i := 1 TO 300 DO
      t := t & "012345678901234567890123456789012345678901234567890123456789012345";
    END;
    RETURN t;
  END Long;

PROCEDURE Build(): Root =
  VAR r := NEW(Root);  square: Square;
  BEGIN
    square := NEW(Square, name := "square", side := 7);
    square.next := NEW(Rectangle, name := "rect" & "angle", width := 3, height := 5,
                       next := square);
    r.ring := square;
    r.matrix := NEW(REF ARRAY OF ARRAY OF LONGREAL, 10, 20);
    FOR i := 0 TO 9 DO
      FOR j := 0 TO 19 DO r.matrix[i, j] := FLOAT(100 * i + j, LONGREAL) END;
    END;
    r.open := NEW(REF ARRAY OF Small, 5);
    FOR i := 0 TO 4 DO
      r.open[i] := Small{i, VAL(ORD('a') + i, CHAR), i MOD 2 = 0, VAL(i MOD 3, Color), r};
      IF i < 3 THEN r.smalls[i] := r.open[i] END;
    END;
    r.colors := SET OF Color{Color.red, Color.blue};
    r.chars := SET OF CHAR{'a'..'z', '\377'};
    r.empty := NEW(REF ARRAY OF INTEGER, 0);
    r.nothing := NIL;
    r.wide := W"\004211x" & "y";
    r.real := 0.1;
    r.self := r;
    r.any := square.next;
    r.refs := NEW(REF ARRAY OF REFANY, 3000);
    FOR i := 0 TO LAST(r.refs^) BY 3 DO r.refs[i] := square; r.refs[i + 1] := r.open END;
    r.long := Long();
    RETURN r;
  END Build;

PROCEDURE CheckAll(r: Root) =
  VAR right := TRUE;
  BEGIN
    Check.Text(r.ring.name, "square", "name");
    Check.Int(r.ring.area(), 49, "method of a square");
    Check.Text(r.ring.next.name, "rectangle", "name of the next");
    Check.Int(r.ring.next.area(), 15, "method of a rectangle");
    Check.That(r.ring.next.next = r.ring, "ring");
    Check.That(ISTYPE(r.ring, Square) AND NOT ISTYPE(r.ring.next, Square), "types");
    Check.Int(NUMBER(r.matrix^), 10, "matrix's first dimension");
    Check.Int(NUMBER(r.matrix[0]), 20, "matrix's second dimension");
    FOR i := 0 TO 9 DO
      FOR j := 0 TO 19 DO
        IF r.matrix[i, j] # FLOAT(100 * i + j, LONGREAL) THEN right := FALSE END;
      END;
    END;
    Check.That(right, "matrix");
    FOR i := 0 TO 4 DO
      WITH s = r.open[i] DO
        IF s.a # i OR s.b # VAL(ORD('a') + i, CHAR) OR s.c # (i MOD 2 = 0) OR ORD(s.d) # i MOD 3
           OR s.link # r OR (i < 3 AND r.smalls[i] # s) THEN
          right := FALSE;
        END;
      END;
    END;
    Check.That(right, "records in arrays");
    Check.That(r.colors = SET OF Color{Color.red, Color.blue}, "small set");
    Check.That(r.chars = SET OF CHAR{'a'..'z', '\377'}, "large set");
    Check.Int(NUMBER(r.empty^), 0, "empty array");
    Check.That(r.nothing = NIL, "NIL");
    Check.Int(ORD(Text.GetWideChar(r.wide, 0)), 8_4211, "wide text");
    Check.Int(Text.Length(r.wide), 3, "length of wide text");
    Check.That(r.real = 0.1, "REAL");
    Check.That(r.self = r, "self reference");
    Check.That(r.any = r.ring.next, "REFANY");
    FOR i := 0 TO LAST(r.refs^) BY 3 DO
      IF r.refs[i] # r.ring OR r.refs[i + 1] # r.open OR r.refs[i + 2] # NIL THEN
        right := FALSE;
      END;
    END;
    Check.That(right, "large array of references");
    Check.Text(r.long, Long(), "long text");
  END CheckAll;

VAR
  db: Database.T := Store.Open();
  tr := NEW(Transaction.T);
  root: Root;

BEGIN
  tr.begin();
  root := db.getRoot();
  IF root = NIL THEN
    IO.Put("building\n");
    root := Build();
    db.setRoot(root);
    CheckAll(root);
    tr.commit();
    tr.begin();
  END;
  CheckAll(root);
  tr.commit();
  Check.Done();
END Main.
(* expect: building *)
(* expect: all checks hold *)
(* restart *)
(* expect: all checks hold *)
