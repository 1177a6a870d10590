(* golden: run, with lib/Check, lib/Dice, @M3paranoidgc, stress=29 *)
(* Random graphs of objects that have no fields, or next to nothing, come back from Pickle, Pickle2,
   RTAllocator and Clone as they were, and the heap is whole. Objects of empty types once had 8 bytes
   of 16. *)
MODULE Main;

IMPORT Atom, Check, Dice, Fmt, Pickle, Pickle2, RTAllocator, RTCollector, Text, TextRd, TextWr;

<*FATAL ANY*>

TYPE
  Empty = OBJECT METHODS name(): TEXT := Name END;
  EmptyToo = Empty OBJECT OVERRIDES name := NameToo END;
  Fuller = EmptyToo OBJECT n: INTEGER := 0 END;
  NoFields = REF RECORD END;
  NoElements = REF ARRAY [0..-1] OF INTEGER;
  EmptyElements = REF ARRAY OF RECORD END;
  OfNone = REF ARRAY OF ARRAY [1..0] OF CHAR;
  One = REF SET OF [7..7];
  Flag = REF BOOLEAN;
  Tiny = REF BITS 1 FOR BOOLEAN;
  Bytes = REF ARRAY OF CHAR;
  Plane = REF ARRAY OF ARRAY OF INTEGER;
  Graph = REF ARRAY OF REFANY;
  Kind = [0..16];

PROCEDURE Name(<*UNUSED*> x: Empty): TEXT = BEGIN RETURN "empty" END Name;
PROCEDURE NameToo(<*UNUSED*> x: Empty): TEXT = BEGIN RETURN "empty, too" END NameToo;

(* An object of this kind, whose value is made of `n`. *)
PROCEDURE New(kind: Kind; n: CARDINAL; others: Graph): REFANY =
  VAR one: One;  flag: Flag;  tiny: Tiny;  bytes: Bytes;  graph: Graph;
  BEGIN
    CASE kind OF
    | 0 => RETURN NEW(Empty);
    | 1 => RETURN NEW(EmptyToo);
    | 2 => RETURN NEW(Fuller, n := n);
    | 3 => RETURN NEW(NoFields);
    | 4 => RETURN NEW(NoElements);
    | 5 => RETURN NEW(EmptyElements, n MOD 5);
    | 6 => RETURN NEW(OfNone, n MOD 5);
    | 7 => one := NEW(One);  IF n MOD 2 = 0 THEN one^ := SET OF [7..7]{7} ELSE one^ := SET OF [7..7]{} END;  RETURN one;
    | 8 => flag := NEW(Flag);  flag^ := n MOD 2 = 0;  RETURN flag;
    | 9 => tiny := NEW(Tiny);  tiny^ := n MOD 2 = 0;  RETURN tiny;
    | 10 =>
      bytes := NEW(Bytes, n MOD 12);
      FOR i := 0 TO LAST(bytes^) DO bytes[i] := VAL(n MOD 256, CHAR) END;
      RETURN bytes;
    | 11 => RETURN NEW(Plane, 0, n MOD 7);
    | 12 => RETURN NEW(Plane, n MOD 7, 0);
    | 13 => RETURN Fmt.Pad("", n MOD 9, VAL(ORD('a') + n MOD 26, CHAR));
    | 14 => RETURN Atom.FromText(Fmt.Int(n MOD 9));
    | 15 => RETURN NIL;
    | 16 =>
      graph := NEW(Graph, n MOD 4);
      FOR i := 0 TO LAST(graph^) DO graph[i] := others[(n + i) MOD NUMBER(others^)] END;
      RETURN graph;
    END;
  END New;

(* Whether x is such an object. The graph `others` has been read. *)
PROCEDURE Is(x: REFANY; kind: Kind; n: CARDINAL; others: Graph): BOOLEAN =
  BEGIN
    IF (x = NIL) # (kind = 15) THEN RETURN FALSE END;
    CASE kind OF
    | 0 => RETURN TYPECODE(x) = TYPECODE(Empty) AND Text.Equal(NARROW(x, Empty).name(), "empty");
    | 1 => RETURN TYPECODE(x) = TYPECODE(EmptyToo) AND Text.Equal(NARROW(x, Empty).name(), "empty, too");
    | 2 => RETURN TYPECODE(x) = TYPECODE(Fuller) AND NARROW(x, Fuller).n = n;
    | 3 => RETURN ISTYPE(x, NoFields);
    | 4 => RETURN ISTYPE(x, NoElements);
    | 5 => RETURN ISTYPE(x, EmptyElements) AND NUMBER(NARROW(x, EmptyElements)^) = n MOD 5;
    | 6 => RETURN ISTYPE(x, OfNone) AND NUMBER(NARROW(x, OfNone)^) = n MOD 5;
    | 7 => RETURN ISTYPE(x, One) AND (7 IN NARROW(x, One)^) = (n MOD 2 = 0);
    | 8 => RETURN ISTYPE(x, Flag) AND NARROW(x, Flag)^ = (n MOD 2 = 0);
    | 9 => RETURN ISTYPE(x, Tiny) AND NARROW(x, Tiny)^ = (n MOD 2 = 0);
    | 10 =>
      TYPECASE x OF
      | Bytes (bytes) =>
        IF NUMBER(bytes^) # n MOD 12 THEN RETURN FALSE END;
        FOR i := 0 TO LAST(bytes^) DO IF ORD(bytes[i]) # n MOD 256 THEN RETURN FALSE END END;
        RETURN TRUE;
      ELSE RETURN FALSE
      END;
    | 11 => RETURN ISTYPE(x, Plane) AND NUMBER(NARROW(x, Plane)^) = 0;
    | 12 => RETURN ISTYPE(x, Plane) AND NUMBER(NARROW(x, Plane)^) = n MOD 7;
    | 13 => RETURN ISTYPE(x, TEXT) AND Text.Equal(x, Fmt.Pad("", n MOD 9, VAL(ORD('a') + n MOD 26, CHAR)));
    | 14 => RETURN x = Atom.FromText(Fmt.Int(n MOD 9));
    | 15 => RETURN TRUE;
    | 16 =>
      TYPECASE x OF
      | Graph (graph) =>
        IF NUMBER(graph^) # n MOD 4 THEN RETURN FALSE END;
        FOR i := 0 TO LAST(graph^) DO
          IF graph[i] # others[(n + i) MOD NUMBER(others^)] THEN RETURN FALSE END;
        END;
        RETURN TRUE;
      ELSE RETURN FALSE
      END;
    END;
  END Is;

TYPE
  Way = {Pickle, Pickle2};

PROCEDURE Again(graph: Graph; way: Way): Graph =
  VAR wr := TextWr.New();
  BEGIN
    CASE way OF
    | Way.Pickle => Pickle.Write(wr, graph);  RETURN Pickle.Read(TextRd.New(TextWr.ToText(wr)));
    | Way.Pickle2 => Pickle2.Write(wr, graph);  RETURN Pickle2.Read(TextRd.New(TextWr.ToText(wr)));
    END;
  END Again;

PROCEDURE Wrong(graph: Graph; READONLY kinds: ARRAY OF Kind; READONLY numbers: ARRAY OF CARDINAL): CARDINAL =
  VAR wrong := 0;
  BEGIN
    FOR i := 0 TO LAST(graph^) DO
      IF NOT Is(graph[i], kinds[i], numbers[i], graph) THEN INC(wrong) END;
    END;
    RETURN wrong;
  END Wrong;

(* An object like x from the library's allocator. *)
PROCEDURE FromAllocator(x: REFANY; kind: Kind; n: CARDINAL): REFANY =
  BEGIN
    CASE kind OF
    | 0, 1, 3, 4 => RETURN RTAllocator.NewTraced(TYPECODE(x));
    | 5, 6 => RETURN RTAllocator.NewTracedArray(TYPECODE(x), ARRAY OF INTEGER{n MOD 5});
    | 2, 7 .. 12 => RETURN RTAllocator.Clone(x);
    ELSE RETURN x
    END;
  END FromAllocator;

CONST Count = 1500;
VAR graph, read, third: Graph;  kinds: ARRAY [0..Count - 1] OF Kind;  numbers: ARRAY [0..Count - 1] OF CARDINAL;
    wrong := 0;
BEGIN
  graph := NEW(Graph, Count);
  FOR i := 0 TO Count - 1 DO
    kinds[i] := Dice.Roll(LAST(Kind) + 1);
    (* Whole runs of objects of one kind, too. *)
    IF i > 0 AND Dice.Roll(3) = 0 THEN kinds[i] := kinds[i - 1] END;
    numbers[i] := Dice.Roll(1000);
    IF kinds[i] # 16 THEN graph[i] := New(kinds[i], numbers[i], graph) END;
  END;
  FOR i := 0 TO Count - 1 DO
    IF kinds[i] = 16 THEN graph[i] := NEW(Graph, numbers[i] MOD 4) END;
  END;
  FOR i := 0 TO Count - 1 DO
    IF kinds[i] = 16 THEN
      WITH inner = NARROW(graph[i], Graph) DO
        FOR k := 0 TO LAST(inner^) DO inner[k] := graph[(numbers[i] + k) MOD Count] END;
      END;
    END;
  END;
  Check.Int(Wrong(graph, kinds, numbers), 0, Dice.With("before"));
  FOR way := FIRST(Way) TO LAST(Way) DO
    read := Again(graph, way);
    third := Again(read, way);
    Check.Int(Wrong(read, kinds, numbers), 0, Dice.With("read"));
    RTCollector.Collect();
    Check.Int(Wrong(read, kinds, numbers), 0, Dice.With("read and moved"));
    Check.Int(Wrong(third, kinds, numbers), 0, Dice.With("read again and moved"));
  END;
  read := NEW(Graph, Count);
  FOR i := 0 TO Count - 1 DO read[i] := graph[i] END;
  FOR i := 0 TO Count - 1 DO
    IF kinds[i] < 13 THEN read[i] := FromAllocator(graph[i], kinds[i], numbers[i]) END;
  END;
  RTCollector.Collect();
  FOR i := 0 TO Count - 1 DO
    IF kinds[i] < 13 AND (read[i] = graph[i] OR NOT Is(read[i], kinds[i], numbers[i], read)) THEN INC(wrong) END;
  END;
  Check.Int(wrong, 0, Dice.With("from the allocator"));
  Check.Done();
END Main.
(* expect: all checks hold *)
