(* golden: run, with lib/Check, lib/Dice *)
MODULE Main;

IMPORT Atom, Check, Dice, Fmt, IntRefTbl, Pickle, Pickle2, Rd, RefList, RuntimeError, Text, TextRd,
  TextRefTbl, TextSeq, TextWr, Thread, Wr;

<*FATAL Rd.Failure, Wr.Failure, Thread.Alerted*>

TYPE
  Color = {Red, Green, Blue};
  Node = OBJECT
    number: INTEGER;
    next, other: Node := NIL;
  END;
  Mixed = Node OBJECT
    color: Color;
    packed: RECORD a: BITS 3 FOR [0..7]; b: BITS 5 FOR [0..31] END;
    name: TEXT;
    atom: Atom.T;
    real: LONGREAL;
    small: REAL;
    set: SET OF CHAR;
    inner: RECORD ref: REFANY; flag: BOOLEAN; other: REFANY END;
    fixed: ARRAY [0..2] OF RECORD t: TEXT; c: CHAR END;
    <*TRANSIENT*> cache: REFANY := NIL;
    proc: PROCEDURE() := NIL;
    raw: ADDRESS := NIL;
  METHODS
    greet(): TEXT := Greet;
  END;
  Matrix = REF ARRAY OF ARRAY OF INTEGER;
  Cells = REF ARRAY OF RECORD n: CHAR; ref: REFANY; m: CHAR END;
  Locked = MUTEX OBJECT value: INTEGER; name: TEXT END;

PROCEDURE Greet(m: Mixed): TEXT =
  BEGIN
    RETURN "I am " & m.name;
  END Greet;

PROCEDURE Written(r: REFANY): TEXT =
  <*FATAL Pickle.Error*>
  VAR wr := TextWr.New();
  BEGIN
    Pickle.Write(wr, r);
    RETURN TextWr.ToText(wr);
  END Written;

PROCEDURE Again(r: REFANY): REFANY =
  <*FATAL Pickle.Error, Rd.EndOfFile*>
  BEGIN
    RETURN Pickle.Read(TextRd.New(Written(r)));
  END Again;

PROCEDURE Simple() =
  VAR i := NEW(REF INTEGER);  t: TEXT := "wide " & Text.FromWideChar(VAL(16_3B1, WIDECHAR));
  BEGIN
    i^ := -7;
    Check.That(Again(NIL) = NIL, "NIL");
    Check.Int(NARROW(Again(i), REF INTEGER)^, -7, "an integer");
    Check.Text(Again("text"), "text", "a text");
    Check.Text(Again(t), t, "a wide text");
    Check.Text(Again("a tree " & Fmt.Pad("", 100) & t & t), "a tree " & Fmt.Pad("", 100) & t & t,
               "a long text");
    Check.That(Again(Atom.FromText("atom")) = Atom.FromText("atom"), "an atom");
    Check.That(Again(Atom.FromText("")) = Atom.FromText(""), "the empty atom");
  END Simple;

PROCEDURE Graphs() =
  VAR a := NEW(Node, number := 1);  b := NEW(Node, number := 2, next := a, other := a);
      l: RefList.T := NIL;
  BEGIN
    a.next := b;
    a.other := a;
    a := Again(a);
    Check.That(a.other = a AND a.next.next = a AND a.next.other = a, "sharing and cycles");
    Check.That(a.number = 1 AND a.next.number = 2, "their numbers");
    FOR i := 1 TO 3000 DO l := RefList.Cons(NIL, l) END;
    Check.Int(RefList.Length(Again(l)), 3000, "a long list");
    (* Compares two random graphs, walking both at the same time. *)
    Check.That(SameGraphs(), Dice.With("a random graph"));
    l := Again(RefList.List2("x", "x"));
    Check.That(l.head = l.tail.head, "one text");  <*NOWARN*>
  END Graphs;

PROCEDURE SameGraphs(): BOOLEAN =
  CONST
    Count = 300;
  VAR nodes: ARRAY [0..Count - 1] OF Node;  copies := NEW(IntRefTbl.Default).init();
      todo := NEW(REF ARRAY OF RECORD a, b: Node END, 3 * Count);  n: CARDINAL := 1;  r: REFANY;
      right := TRUE;

  PROCEDURE Compare(a, b: Node) =
    BEGIN
      IF (a = NIL) # (b = NIL) THEN right := FALSE END;
      IF a = NIL OR b = NIL THEN RETURN END;
      IF copies.get(a.number, r) THEN
        IF r # b THEN right := FALSE END;
      ELSE
        EVAL copies.put(a.number, b);
        todo[n].a := a;
        todo[n].b := b;
        INC(n);
      END;
    END Compare;

  BEGIN
    FOR i := 0 TO Count - 1 DO nodes[i] := NEW(Node, number := i) END;
    FOR i := 0 TO Count - 1 DO
      IF Dice.Roll(10) > 0 THEN nodes[i].next := nodes[Dice.Roll(Count)] END;
      IF Dice.Roll(10) > 0 THEN nodes[i].other := nodes[Dice.Roll(Count)] END;
    END;
    n := 0;
    Compare(nodes[0], Again(nodes[0]));
    WHILE n > 0 DO
      DEC(n);
      VAR x := todo[n].a;  y := todo[n].b;
      BEGIN
        IF x.number # y.number OR x = y THEN RETURN FALSE END;
        Compare(x.next, y.next);
        Compare(x.other, y.other);
      END;
    END;
    RETURN right;
  END SameGraphs;

PROCEDURE AllFields() =
  VAR m := NEW(Mixed, number := 5, color := Color.Blue, name := "mixed",
               atom := Atom.FromText("at"), real := 1.5d300, small := -0.25,
               set := SET OF CHAR{'a', 'z'});
      n: Mixed;  cells := NEW(Cells, 3);  matrix := NEW(Matrix, 2, 3);
      locked := NEW(Locked, value := 8, name := "lock");
  BEGIN
    m.packed.a := 5;
    m.packed.b := 30;
    m.inner.ref := m;
    m.inner.flag := TRUE;
    m.inner.other := "o";
    FOR i := 0 TO 2 DO
      m.fixed[i].t := Fmt.Int(i);
      m.fixed[i].c := VAL(ORD('a') + i, CHAR);
    END;
    m.cache := "gone";
    n := Again(m);
    Check.That(n.number = 5 AND n.color = Color.Blue AND n.packed.a = 5 AND n.packed.b = 30
               AND n.atom = m.atom AND n.real = 1.5d300 AND n.small = -0.25 AND n.set = m.set,
               "fields");
    Check.Text(n.greet(), "I am mixed", "methods");
    Check.That(n.inner.ref = n AND n.inner.flag, "a record in an object");
    Check.Text(n.inner.other, "o", "its text");
    Check.Text(n.fixed[2].t & Fmt.Char(n.fixed[2].c), "2c", "an array in an object");
    Check.That(n.cache = NIL, "transient fields are left out");
    FOR i := 0 TO 1 DO
      FOR k := 0 TO 2 DO matrix[i, k] := 10 * i + k END;
    END;
    matrix := Again(matrix);
    Check.That(NUMBER(matrix^) = 2 AND NUMBER(matrix[0]) = 3 AND matrix[1, 2] = 12, "a matrix");
    FOR i := 0 TO 2 DO
      cells[i].n := VAL(65 + i, CHAR);
      cells[i].m := VAL(97 + i, CHAR);
      cells[i].ref := cells;
    END;
    cells[1].ref := "one";
    cells := Again(cells);
    Check.That(NUMBER(cells^) = 3 AND cells[2].n = 'C' AND cells[2].m = 'c'
               AND cells[0].ref = cells, "an array of records");
    Check.Text(cells[1].ref, "one", "a text in it");
    Check.Int(NUMBER(NARROW(Again(NEW(REF ARRAY OF TEXT, 0)), REF ARRAY OF TEXT)^), 0, "empty");
    LOCK locked DO
      WITH copy = NARROW(Again(locked), Locked) DO
        LOCK copy DO Check.Int(copy.value, 8, "a mutex comes back free") END;
        Check.Text(copy.name, "lock", "a field after it");
      END;
    END;
  END AllFields;

PROCEDURE Containers() =
  VAR t := NEW(TextRefTbl.Default).init();  s := NEW(TextSeq.T).init();  r: REFANY;
  BEGIN
    FOR i := 1 TO 500 DO
      s.addlo(Fmt.Int(i));
      EVAL t.put(Fmt.Int(i), s);
    END;
    t := Again(t);
    Check.Int(t.size(), 500, "size of a table");
    Check.That(t.get("77", r), "get");
    s := r;
    Check.Text(s.get(0) & s.gethi(), "5001", "a sequence");
  END Containers;

(* Specials. *)

TYPE
  Celsius = REF RECORD degrees: INTEGER; peer: REFANY := NIL END;
  Thermometer = Pickle.Special OBJECT
      writes, reads := 0;
    OVERRIDES
      write := WriteCelsius;
      read := ReadCelsius;
    END;
  Counting = Pickle.Special OBJECT
      count := 0;
    OVERRIDES
      write := CountWrite;
      read := CountRead;
    END;
  Counted = OBJECT a: TEXT; next: Counted END;
  SubCounted = Counted OBJECT b: INTEGER END;

PROCEDURE WriteCelsius(s: Thermometer; r: REFANY; w: Pickle.Writer)
  RAISES {Pickle.Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    INC(s.writes);
    WITH c = NARROW(r, Celsius) DO
      w.writeInt(c.degrees * 2);
      w.writeType(TYPECODE(Node));
      w.write(c.peer);
    END;
  END WriteCelsius;

PROCEDURE ReadCelsius(s: Thermometer; r: Pickle.Reader; id: Pickle.RefID): REFANY
  RAISES {Pickle.Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR c := NEW(Celsius, degrees := r.readInt() DIV 2);
  BEGIN
    INC(s.reads);
    r.noteRef(c, id);
    Check.Int(r.readType(), TYPECODE(Node), "readType");
    c.peer := r.read();
    RETURN c;
  END ReadCelsius;

PROCEDURE CountWrite(s: Counting; r: REFANY; w: Pickle.Writer)
  RAISES {Pickle.Error, Wr.Failure, Thread.Alerted} =
  BEGIN
    INC(s.count);
    Pickle.Special.write(s, r, w);
  END CountWrite;

PROCEDURE CountRead(s: Counting; r: Pickle.Reader; id: Pickle.RefID): REFANY
  RAISES {Pickle.Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  BEGIN
    INC(s.count);
    RETURN Pickle.Special.read(s, r, id);
  END CountRead;

PROCEDURE Specials() =
  VAR thermometer := NEW(Thermometer, sc := TYPECODE(Celsius));
      counting := NEW(Counting, sc := TYPECODE(Counted));
      c := NEW(Celsius, degrees := 36);  d := NEW(Celsius, degrees := -5, peer := c);
      n: Counted := NIL;  twice := FALSE;  l: RefList.T;
  BEGIN
    Pickle.RegisterSpecial(thermometer);
    Pickle.RegisterSpecial(counting);
    c.peer := d;
    l := Again(RefList.List3(c, d, "after"));
    c := l.head;
    Check.That(c.degrees = 36 AND c.peer = l.tail.head
               AND NARROW(c.peer, Celsius).peer = c, "a cycle through specials");
    Check.Text(l.tail.tail.head, "after", "what comes after them");
    Check.That(thermometer.writes = 2 AND thermometer.reads = 2, "calls");
    FOR i := 1 TO 10 DO n := NEW(SubCounted, a := Fmt.Int(i), next := n, b := i) END;
    n := Again(n);
    Check.That(counting.count = 20 AND NARROW(n, SubCounted).b = 10
               AND NARROW(n.next.next, SubCounted).b = 8, "a special for subtypes");
    Check.Text(n.next.a, "9", "default methods");
    TRY
      Pickle.RegisterSpecial(NEW(Counting, sc := TYPECODE(Counted)));
    EXCEPT RuntimeError.E => twice := TRUE
    END;
    Check.That(twice, "registered twice");
    twice := FALSE;
    TRY
      Pickle.RegisterSpecial(NEW(Counting, sc := -1));
    EXCEPT RuntimeError.E => twice := TRUE
    END;
    Check.That(twice, "no typecode");
  END Specials;

(* Errors. *)

PROCEDURE Nothing() =
  BEGIN
  END Nothing;

PROCEDURE WriteError(r: REFANY): TEXT =
  BEGIN
    TRY
      Pickle.Write(TextWr.New(), r);
      RETURN "none";
    EXCEPT Pickle.Error(t) => RETURN t
    END;
  END WriteError;

PROCEDURE ReadError(t: TEXT): TEXT =
  BEGIN
    TRY
      EVAL Pickle.Read(TextRd.New(t));
      RETURN "none";
    EXCEPT
    | Pickle.Error(why) => RETURN why;
    | Rd.EndOfFile => RETURN "end";
    END;
  END ReadError;

(* References to objects of wrong types, caused by damage or by a special, never reach an object. *)
TYPE
  Point = REF RECORD x, y: INTEGER END;
  Reading = Pickle.Special OBJECT OVERRIDES read := ReadWrong END;
  Typed = OBJECT
    point: Point;
    text: TEXT;
    pair: RECORD list: RefList.T; table: TextRefTbl.Default END;
    three: ARRAY [0..2] OF REF INTEGER;
    mixed: ARRAY [0..1] OF RECORD n: INTEGER; t: TEXT; a: Atom.T END;
  END;
  Points = REF ARRAY OF ARRAY OF Point;

PROCEDURE ReadWrong(<*UNUSED*> s: Reading; r: Pickle.Reader; id: Pickle.RefID): REFANY
  RAISES {Pickle.Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  BEGIN
    r.noteRef("a text", id);
    EVAL r.readInt();
    EVAL r.readInt();
    RETURN "a text";
  END ReadWrong;

PROCEDURE IsA(r, like: REFANY): BOOLEAN =
  BEGIN
    RETURN r = NIL OR TYPECODE(r) = TYPECODE(like);
  END IsA;

PROCEDURE IsRight(x: Typed): BOOLEAN =
  VAR i := NEW(REF INTEGER);
  BEGIN
    FOR k := 0 TO 2 DO IF NOT IsA(x.three[k], i) THEN RETURN FALSE END END;
    FOR k := 0 TO 1 DO
      VAR t: REFANY := x.mixed[k].t;  a: REFANY := x.mixed[k].a;
      BEGIN
        (* Here only one of the two types is known. *)
        IF NOT (t = NIL OR ISTYPE(t, TEXT) OR ISTYPE(t, Atom.T)) THEN RETURN FALSE END;
        IF NOT (a = NIL OR ISTYPE(a, TEXT) OR ISTYPE(a, Atom.T)) THEN RETURN FALSE END;
      END;
    END;
    VAR t: REFANY := x.text;
    BEGIN
      IF NOT (t = NIL OR ISTYPE(t, TEXT)) THEN RETURN FALSE END;
    END;
    RETURN IsA(x.point, NEW(Point)) AND IsA(x.pair.list, NEW(RefList.T))
             AND IsA(x.pair.table, NEW(TextRefTbl.Default));
  END IsRight;

PROCEDURE WrongTypes() =
  VAR x := NEW(Typed, point := NEW(Point, x := 1, y := 2), text := "t");  read: REFANY;
      all := NEW(Points, 2, 2);  t: TEXT;  accepted, wrong := 0;
  BEGIN
    x.pair.list := RefList.List1("in a list");
    x.pair.table := NEW(TextRefTbl.Default).init(2);
    x.three[1] := NEW(REF INTEGER);
    x.mixed[0].t := "of two";
    x.mixed[1].a := Atom.FromText("atom");
    Check.That(IsRight(Again(x)), "as it was");
    t := Written(x);
    FOR at := 0 TO Text.Length(t) - 1 DO
      FOR trial := 1 TO 20 DO
        TRY
          read := Pickle.Read(TextRd.New(
                      Text.Sub(t, 0, at) & Text.FromChar(VAL(Dice.Roll(256), CHAR))
                        & Text.Sub(t, at + 1)));
          INC(accepted);
          TYPECASE read OF
          | NULL =>
          | Typed (typed) => IF NOT IsRight(typed) THEN INC(wrong) END;
          ELSE
          END;
        EXCEPT
        | Pickle.Error, Rd.EndOfFile =>
        END;
      END;
    END;
    Check.That(accepted > 0, "some of it was data");
    Check.Int(wrong, 0, Dice.With("objects of wrong types"));

    all[1, 0] := x.point;
    t := Written(all);
    Pickle.RegisterSpecial(NEW(Reading, sc := TYPECODE(Point)));
    Check.Text(ReadError(SpecialsOf(t)),
               "an object of type TextFlat.T8 where one of type Main.Points cannot refer to it",
               "a special's object of a wrong type");
  END WrongTypes;

(* The pickle of a single object of a type with a special, as another program would write it. *)
PROCEDURE SpecialsOf(t: TEXT): TEXT =
  VAR at := Text.FindCharR(t, 'O');
  BEGIN
    RETURN Text.Sub(t, 0, at) & "S" & Text.Sub(t, at + 1);
  END SpecialsOf;

PROCEDURE Errors() =
  VAR m := NEW(Mixed, name := "", atom := Atom.FromText("x"));  t, why: TEXT;  right := TRUE;
      wr := TextWr.New();  rd: Rd.T;  n := NEW(Node, number := 3);
      at: CARDINAL;
  <*FATAL Pickle.Error, Rd.EndOfFile*>
  BEGIN
    m.proc := Nothing;
    Check.Text(WriteError(m), "an untraced reference or a procedure in Main.Mixed", "procedure");
    m.proc := NIL;
    Check.Text(WriteError(m), "none", "without");
    Check.Text(ReadError("hello, world"), "this is not a pickle", "no pickle");
    Check.Text(ReadError(""), "end", "nothing");
    Check.Text(ReadError("TnPickl1?"), "wrong character in a pickle: 63", "wrong character");
    Check.Text(ReadError("TnPickl1R\005"), "a reference to an object that is not there",
               "no such object");
    Check.Text(ReadError("TnPickl1O\000abcdefgh"), "a type that this program does not have",
               "unknown type");
    Check.Text(ReadError("TnPickl1O\007"), "a type that is not there", "unknown number");
    t := Written(NEW(REF ARRAY OF INTEGER, 2));
    (* Its length: after the letter, the zero and the fingerprint. *)
    Check.Text(ReadError(Text.Sub(t, 0, 18) & "\377\377\377\377\377\377\377\177"),
               "an array of wrong length", "wrong length");

    (* A pickle that is cut off anywhere, or has any character changed, raises at most an
       exception. *)
    t := Written(RefList.List3(m, "abc", NEW(REF ARRAY OF TEXT, 3)));
    FOR i := 0 TO Text.Length(t) - 1 DO
      IF NOT Text.Equal(ReadError(Text.Sub(t, 0, i)), "end") THEN right := FALSE END;
    END;
    Check.That(right, "cut off");
    FOR trial := 1 TO 300 DO
      at := Dice.Roll(18);  (* in a part that is not data *)
      why := ReadError(Text.Sub(t, 0, at) & Text.FromChar(VAL(Dice.Roll(256), CHAR))
                         & Text.Sub(t, at + 1));
    END;
    Check.That(why # NIL, "changed");

    (* Several pickles in one stream, by one writer and one reader. *)
    WITH w = NEW(Pickle.Writer, wr := wr), r = NEW(Pickle.Reader) DO
      w.write(n);
      w.write(RefList.List2(n, n));
      rd := TextRd.New(TextWr.ToText(wr));
      r.rd := rd;
      Check.Int(NARROW(r.read(), Node).number, 3, "first pickle");
      WITH l = NARROW(r.read(), RefList.T) DO
        Check.That(l.head = l.tail.head, "second pickle");
      END;
      Check.That(Rd.EOF(rd), "nothing else");
    END;
  END Errors;

(* Pickle2. *)

TYPE
  Temperature = REF RECORD degrees: INTEGER END;
  Special2 = Pickle2.Special OBJECT
      add: INTEGER;
    OVERRIDES
      write := Write2;
      read := Read2;
    END;

PROCEDURE Write2(s: Special2; r: REFANY; w: Pickle2.Writer)
  RAISES {Wr.Failure, Thread.Alerted} =
  BEGIN
    w.writeType(s.sc);
    w.writeInt(NARROW(r, Temperature).degrees + s.add);
  END Write2;

PROCEDURE Read2(<*UNUSED*> s: Special2; r: Pickle2.Reader; id: Pickle2.RefID): REFANY
  RAISES {Pickle2.Error, Rd.EndOfFile, Rd.Failure, Thread.Alerted} =
  VAR t := NEW(Temperature);  more: Pickle2.RefID;  failed := FALSE;
  BEGIN
    EVAL r.readType();
    t.degrees := r.readInt();
    r.noteRef(t, id);
    more := Pickle2.NewReadRefID(r);
    Check.That(more # id AND more # Pickle2.RefIDNull, "NewReadRefID");
    TRY EVAL Pickle2.RefOfRefID(r, more) EXCEPT Pickle2.Error => failed := TRUE END;
    Check.That(failed, "RefOfRefID of nothing");
    r.noteRef(s2, more);
    Check.That(Pickle2.RefOfRefID(r, more) = s2 AND Pickle2.RefOfRefID(r, id) = t, "RefOfRefID");
    RETURN t;
  END Read2;

VAR
  s2 := NEW(Special2, sc := TYPECODE(Temperature), add := 1);

PROCEDURE Second() =
  VAR wr := TextWr.New();  other := NEW(Special2, sc := TYPECODE(Temperature), add := 100);
      t := NEW(Temperature, degrees := 20);
  <*FATAL Pickle2.Error, Rd.EndOfFile*>
  BEGIN
    Pickle2.RegisterSpecial(s2);
    Pickle2.Write(wr, t);
    t := Pickle2.Read(TextRd.New(TextWr.ToText(wr)));
    Check.Int(t.degrees, 21, "a special of Pickle2");
    Pickle2.ReRegisterSpecial(other);
    Check.That(other.prev = s2, "ReRegisterSpecial");
    Pickle2.Write(wr, t, write16BitWidechar := TRUE);
    t := Pickle2.Read(TextRd.New(TextWr.ToText(wr)));
    Check.Int(t.degrees, 121, "the other special");
    Check.Text(Pickle2.Read(TextRd.New(Written("old"))), "old", "Pickle2 reads Pickle's");
    WITH w = NEW(Pickle2.Writer, wr := wr), r = NEW(Pickle2.Reader) DO
      w.write(RefList.List1("q"));
      r.rd := TextRd.New(TextWr.ToText(wr));
      Check.Int(RefList.Length(r.read()), 1, "Reader and Writer");
      Check.Int(r.level, 0, "level");
    END;
  END Second;

BEGIN
  Simple();
  Graphs();
  AllFields();
  Containers();
  Specials();
  WrongTypes();
  Errors();
  Second();
  Check.Done();
END Main.
(* expect: all checks hold *)
